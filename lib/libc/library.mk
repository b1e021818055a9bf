# SPDX-License-Identifier: BSD-2-Clause
# Builds the C library $(LIBC) (picolibc, newlib) from build/src/$(LIBC), which lib/libc/build.sh fetched, with our
# configuration and machine files. ROOT is where the results go. One run of the compiler takes all files of a directory:
# starting it costs more than compiling one of them.
MAKEFLAGS += -r
BUILD ?= build
LIBC  ?= picolibc
ROOT  ?= $(BUILD)
LIBC_CC ?= $(BUILD)/bin/linx-cc
LIBC_AR ?= $(BUILD)/bin/linx-ar
top  := $(CURDIR)
here := lib/libc/$(LIBC)
machine := lib/libc/machine
tar  := $(BUILD)/src/$(LIBC)
out  := $(ROOT)/libc/$(LIBC)
src  := $(out)/newlib
obj  := $(out)/obj
inc  := $(ROOT)/sysroot/include
listed  := $(shell grep -v '^\#' $(here)/sources.txt | sed 's/ /:/g')
sources := $(strip $(foreach s,$(listed),$(if $(findstring :,$s),,$s)))
# name:file:-Ddefinition...
again   := $(strip $(foreach s,$(listed),$(if $(findstring :,$s),$s)))
patches := $(sort $(wildcard lib/libc/patches/machine-*.patch lib/libc/patches/$(LIBC)-*.patch))
headers := $(out)/.headers
dirs    := $(sort $(dir $(sources))) machine/
parts   := $(addprefix $(obj)/,$(addsuffix .built,$(dirs) $(if $(again),again/)))
tools   := $(wildcard $(BUILD)/bin/linx-cc $(BUILD)/bin/linx-as $(BUILD)/lib/libLLVMLinx64.so)
absolute = $(if $(filter /%,$1),$1,$(top)/$1)

# -fno-builtin for what implements the functions that the compiler would otherwise call to implement them.
no_builtin := machine/ libc/string/ libc/ssp/ libc/stdlib/ again/
ifeq ($(LIBC),picolibc)
dialect := -std=gnu18 -D_LIBC -D_FILE_OFFSET_BITS=64 $(addprefix -I $(call absolute,$(src))/,libc/tinystdio libc/locale libm/common .)
configuration := $(src)/libc/tinystdio/stdio.h $(src)/libc/tinystdio/stdio-bufio.h $(here)/picolibc.h
own_sources := $(here)/tls.c
dialect_of =
not_theirs :=
else
# MISSING_SYSCALL_NAMES: system calls are open, read, ... as in lib/libc/port, not _open, _read.
dialect := -std=gnu17 -D_LIBC -D_COMPILING_NEWLIB -DMISSING_SYSCALL_NAMES -DHAVE_RENAME -DHAVE_NANOSLEEP \
           -Wno-implicit-int -Wno-implicit-function-declaration -Wno-int-conversion -Wno-incompatible-function-pointer-types \
           $(addprefix -I $(call absolute,$(src))/,libc/stdio libc/stdlib libc/locale libm/common)
dialect_of = -I $(call absolute,$(src))/$(1) $(if $(filter libc/posix/,$(1)),-D_GNU_SOURCE)
configuration := $(here)/newlib.h $(here)/_newlib_version.h
own_sources :=
# It needs <stdint.h> to be included before it; the compiler's own does not.
not_theirs := stdatomic.h
endif
CFLAGS := $(dialect) -Os -ffunction-sections -fdata-sections -fno-common -fno-math-errno -ftls-model=local-exec -w \
          -isystem $(call absolute,$(inc))

all: $(ROOT)/lib/libc.a $(ROOT)/lib/libm.a

$(ROOT)/lib/libc.a: $(parts)
	@mkdir -p $(@D)
	@rm -f $@
	@find $(dir $(parts)) -maxdepth 1 -name '*.o' | LC_ALL=C sort >$(out)/objects
	@$(LIBC_AR) rcs $@ @$(out)/objects
	@echo "==> $@: $(LIBC), $$(wc -l <$(out)/objects) objects"

# libm is in libc.a; -lm finds an archive with nothing in it.
$(ROOT)/lib/libm.a: $(ROOT)/lib/libc.a
	@rm -f $@ && $(LIBC_AR) rcs $@

# A patched copy of the sources: what was fetched stays as it came.
$(out)/.patched: $(tar)/.complete $(patches)
	@rm -rf $(src)
	@mkdir -p $(src)
	@cp -r $(tar)/newlib/libc $(tar)/newlib/libm $(src)
	@for p in $(patches); do patch -s -p2 --no-backup-if-mismatch -d $(src) -i $(CURDIR)/$$p || exit 1; done
	@touch $@

$(headers): $(out)/.patched lib/libc/library.mk $(shell find $(machine)/include $(wildcard $(here)/include) -name '*.h') $(filter $(here)/%,$(configuration))
	@rm -rf $(inc)
	@mkdir -p $(inc)
	@cp -r $(src)/libc/include/. $(inc)/
	@find $(inc) \( -name meson.build -o -name CMakeLists.txt \) -delete
	@$(foreach h,$(not_theirs),rm $(inc)/$(h);)
	@cp $(configuration) $(inc)/
	@cp -r $(machine)/include/. $(wildcard $(here)/include/.) $(inc)/
	@touch $@

# $(call part,DIR/,FILES)
define part
$(obj)/$(1).built: $(headers) $(tools) $(here)/sources.txt $(filter $(machine)/% $(here)/%,$(2))
	@mkdir -p $(obj)/$(1) && rm -f $(obj)/$(1)*.o
	@cd $(obj)/$(1) && $(call absolute,$(LIBC_CC)) $(call dialect_of,$(1)) $(CFLAGS) $(if $(filter $(1),$(no_builtin)),-fno-builtin) \
	    -c $(foreach f,$(2),$(call absolute,$(f)))
	@echo "  CC   $(LIBC) $(1)"
	@touch $$@
endef
$(foreach d,$(filter-out machine/,$(dirs)),$(eval $(call part,$(d),$(foreach f,$(filter $(d)%,$(sources)),$(if $(filter $(d),$(dir $(f))),$(src)/$(f))))))
$(eval $(call part,machine/,$(wildcard $(machine)/*.[cS]) $(own_sources)))

# Files compiled once more, with definitions, under another name.
again_objects := $(foreach a,$(again),$(obj)/again/$(firstword $(subst :, ,$a)).o)
$(obj)/again/.built: $(again_objects)
	@echo "  CC   $(LIBC) again/"
	@touch $@
# $(call once_more,NAME FILE DEFINITIONS...)
define once_more
$(obj)/again/$(word 1,$(1)).o: $(headers) $(tools) $(here)/sources.txt
	@mkdir -p $(obj)/again
	@$(LIBC_CC) $(CFLAGS) -fno-builtin $(wordlist 3,9,$(1)) -c $(src)/$(word 2,$(1)) -o $$@
endef
$(foreach a,$(again),$(eval $(call once_more,$(subst :, ,$a))))
