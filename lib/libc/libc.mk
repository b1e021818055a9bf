# SPDX-License-Identifier: BSD-2-Clause
# The C library: `make libc` fetches picolibc and builds it with linx-cc; `make libc LIBC=newlib` takes newlib.
# Results: build/lib/{libc,libm}.a, build/sysroot/include. Sources that cannot be fetched are no error: the library and
# what needs it are left out with a message, and its tests skip.
LIBC ?= picolibc
LIBC_CC ?= $(BIN)/linx-cc
LIBC_AR ?= $(BIN)/linx-ar

## make libc        fetch and build the C library (LIBC=picolibc or newlib)
.PHONY: libc
libc: toolchain
	@lib/libc/build.sh $(LIBC) $(BUILD) $(JOBS)
