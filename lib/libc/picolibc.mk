# SPDX-License-Identifier: BSD-2-Clause
# Builds picolibc from build/src/picolibc (lib/libc/build.sh fetched it) with our configuration and machine files.
MAKEFLAGS += -r
BUILD ?= build
LIBC_CC ?= $(BUILD)/bin/linx-cc
LIBC_AR ?= $(BUILD)/bin/linx-ar
here := lib/libc/picolibc
tar  := $(BUILD)/src/picolibc
src  := $(BUILD)/libc/picolibc/newlib
obj  := $(BUILD)/libc/picolibc/obj
inc  := $(BUILD)/sysroot/include
sources := $(shell grep -v '^\#' $(here)/sources.txt)
patches := $(wildcard lib/libc/patches/picolibc-*.patch)
headers := $(BUILD)/libc/picolibc/.headers
objects := $(addprefix $(obj)/,$(addsuffix .o,$(basename $(sources)))) \
           $(patsubst $(here)/machine/%,$(obj)/machine/%.o,$(basename $(wildcard $(here)/machine/*.[cS])))

# -fno-builtin for what implements the functions that the compiler would otherwise call to implement them.
CFLAGS := -std=c18 -Os -g -ffunction-sections -fdata-sections -fno-common -frounding-math -fno-math-errno \
          -ftls-model=local-exec -D_LIBC -D_FILE_OFFSET_BITS=64 -w \
          -isystem $(inc) -I $(src)/libc/tinystdio -I $(src)/libc/locale -I $(src)/libm/common -I $(src)
no_builtin := libc/stdlib/nano-% machine/memmove libc/string/% libc/ssp/%

all: $(BUILD)/lib/libc.a $(BUILD)/lib/libm.a

$(BUILD)/lib/libc.a: $(objects)
	@mkdir -p $(@D)
	@rm -f $@
	@printf '%s\n' $(objects) >$(BUILD)/libc/picolibc/objects
	@$(LIBC_AR) rcs $@ @$(BUILD)/libc/picolibc/objects
	@echo "==> $@: $(words $(objects)) objects"

# libm is in libc.a; -lm finds an archive with nothing in it.
$(BUILD)/lib/libm.a: $(BUILD)/lib/libc.a
	@rm -f $@ && $(LIBC_AR) rcs $@

# A patched copy of the sources: what was fetched stays as it came.
$(BUILD)/libc/picolibc/.patched: $(tar)/.complete $(patches)
	@rm -rf $(src)
	@mkdir -p $(@D)
	@cp -r $(tar)/newlib $(src)
	@for p in $(patches); do patch -s -p2 -d $(src) -i $(CURDIR)/$$p || exit 1; done
	@touch $@

$(headers): $(BUILD)/libc/picolibc/.patched $(wildcard $(here)/include/machine/*.h lib/libc/include/*.h lib/libc/include/*/*.h) $(here)/picolibc.h
	@rm -rf $(inc)
	@mkdir -p $(inc)
	@cp -r $(src)/libc/include/. $(inc)/
	@find $(inc) \( -name meson.build -o -name CMakeLists.txt \) -delete
	@cp $(src)/libc/tinystdio/stdio.h $(src)/libc/tinystdio/stdio-bufio.h $(here)/picolibc.h $(inc)/
	@cp $(here)/include/machine/*.h $(inc)/machine/
	@cp -r lib/libc/include/. $(inc)/
	@touch $@

$(filter $(addprefix $(obj)/,$(addsuffix .o,$(no_builtin))),$(objects)): CFLAGS += -fno-builtin

$(obj)/machine/%.o: $(here)/machine/%.c $(headers)
	@mkdir -p $(@D)
	@$(LIBC_CC) $(CFLAGS) -MMD -c $< -o $@
$(obj)/machine/%.o: $(here)/machine/%.S $(headers)
	@mkdir -p $(@D)
	@$(LIBC_CC) -c $< -o $@
$(obj)/%.o: $(headers)
	@mkdir -p $(@D)
	@$(LIBC_CC) $(CFLAGS) -MMD -c $(src)/$*.c -o $@

-include $(shell find $(obj) -name '*.d' 2>/dev/null)
