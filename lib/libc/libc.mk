# SPDX-License-Identifier: BSD-2-Clause
# The C library and the programs that use it. Results: build/lib/{libc,libm,liblinx-port,liblinx-bare}.a,
# build/sysroot/include, build/images/NAME.elf. Sources that cannot be fetched are no error: what needs the library is
# left out with a message, and its tests skip.
LIBC ?= picolibc

## make libc        fetch and build the C library and its programs (LIBC=picolibc or newlib)
.PHONY: libc
all: libc
libc: toolchain kernel
	@lib/libc/build.sh $(LIBC) $(BUILD) $(JOBS)
