# SPDX-License-Identifier: BSD-2-Clause
# Builds picolibc from build/src/picolibc (lib/libc/build.sh fetched it) with our configuration and machine files. One
# run of the compiler takes all files of a directory: starting it costs more than compiling one of them.
MAKEFLAGS += -r
BUILD ?= build
LIBC_CC ?= $(BUILD)/bin/linx-cc
LIBC_AR ?= $(BUILD)/bin/linx-ar
top  := $(CURDIR)
here := lib/libc/picolibc
tar  := $(BUILD)/src/picolibc
src  := $(BUILD)/libc/picolibc/newlib
obj  := $(BUILD)/libc/picolibc/obj
inc  := $(BUILD)/sysroot/include
sources := $(shell grep -v '^\#' $(here)/sources.txt)
patches := $(wildcard lib/libc/patches/picolibc-*.patch)
headers := $(BUILD)/libc/picolibc/.headers
dirs    := $(sort $(dir $(sources))) machine/
parts   := $(addprefix $(obj)/,$(addsuffix .built,$(dirs)))
tools   := $(wildcard $(BUILD)/bin/linx-cc $(BUILD)/bin/linx-as $(BUILD)/lib/libLLVMLinx64.so)

# -fno-builtin for what implements the functions that the compiler would otherwise call to implement them.
absolute = $(if $(filter /%,$1),$1,$(top)/$1)
CFLAGS := -std=gnu18 -Os -ffunction-sections -fdata-sections -fno-common -fno-math-errno \
          -ftls-model=local-exec -D_LIBC -D_FILE_OFFSET_BITS=64 -w -isystem $(call absolute,$(inc)) \
          $(addprefix -I $(call absolute,$(src))/,libc/tinystdio libc/locale libm/common .)
no_builtin := machine/ libc/string/ libc/ssp/ libc/stdlib/

all: $(BUILD)/lib/libc.a $(BUILD)/lib/libm.a

$(BUILD)/lib/libc.a: $(parts)
	@mkdir -p $(@D)
	@rm -f $@
	@find $(dir $(parts)) -maxdepth 1 -name '*.o' | LC_ALL=C sort >$(BUILD)/libc/picolibc/objects
	@$(LIBC_AR) rcs $@ @$(BUILD)/libc/picolibc/objects
	@echo "==> $@: $$(wc -l <$(BUILD)/libc/picolibc/objects) objects"

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

$(headers): $(BUILD)/libc/picolibc/.patched $(wildcard $(here)/include/machine/*.h) $(here)/picolibc.h
	@rm -rf $(inc)
	@mkdir -p $(inc)
	@cp -r $(src)/libc/include/. $(inc)/
	@find $(inc) \( -name meson.build -o -name CMakeLists.txt \) -delete
	@cp $(src)/libc/tinystdio/stdio.h $(src)/libc/tinystdio/stdio-bufio.h $(here)/picolibc.h $(inc)/
	@cp $(here)/include/machine/*.h $(inc)/machine/
	@touch $@

# $(call part,DIR/,FILES)
define part
$(obj)/$(1).built: $(headers) $(tools) $(here)/sources.txt $(filter $(here)/%,$(2))
	@mkdir -p $(obj)/$(1) && rm -f $(obj)/$(1)*.o
	@cd $(obj)/$(1) && $(call absolute,$(LIBC_CC)) $(CFLAGS) $(if $(filter $(1),$(no_builtin)),-fno-builtin) \
	    -c $(foreach f,$(2),$(call absolute,$(f)))
	@echo "  CC   picolibc $(1)"
	@touch $$@
endef
$(foreach d,$(filter-out machine/,$(dirs)),$(eval $(call part,$(d),$(foreach f,$(filter $(d)%,$(sources)),$(if $(filter $(d),$(dir $(f))),$(src)/$(f))))))
$(eval $(call part,machine/,$(wildcard $(here)/machine/*.[cS])))
