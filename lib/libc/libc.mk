# SPDX-License-Identifier: BSD-2-Clause
# The C library and the programs that use it. Results: build/lib/{libc,libm,liblinx-port,liblinx-bare}.a,
# build/sysroot/include, build/images/NAME.elf; with newlib the same below build/newlib. Sources that cannot be fetched
# are no error: lib/libc/build.sh says what it does without them.
LIBC ?= picolibc

## make libc        fetch picolibc, build it and its programs (shell, hello-libc) into build/images
## make LIBC=newlib the same with newlib, into build/newlib
## make newlib      both libraries
.PHONY: libc newlib
all: libc
libc: toolchain kernel
	+@lib/libc/build.sh $(LIBC) $(BUILD) $(JOBS)
newlib: libc
	+@lib/libc/build.sh newlib $(BUILD) $(JOBS)
