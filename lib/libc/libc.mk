# SPDX-License-Identifier: BSD-2-Clause
# The C library and the programs that use it. Results: build/lib/{libc,libm,liblinx-port,liblinx-bare}.a,
# build/sysroot/include, build/images/NAME.elf. Sources that cannot be fetched are no error: what needs the library is
# left out with a message, and its tests skip.
LIBC ?= picolibc

## make libc        fetch picolibc, build it and its programs (shell, hello-libc) into build/images
.PHONY: libc
all: libc
libc: toolchain kernel
	@lib/libc/build.sh $(LIBC) $(BUILD) $(JOBS)
