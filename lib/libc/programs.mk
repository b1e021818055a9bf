# SPDX-License-Identifier: BSD-2-Clause
# The port of the C library $(LIBC) and the programs that use it, below ROOT (lib/libc/build.sh runs it once the library is there).
MAKEFLAGS += -r
.DEFAULT_GOAL := all
BUILD ?= build
LIBC  ?= picolibc
ROOT  ?= $(BUILD)
BIN   := $(BUILD)/bin
LIB   := $(ROOT)/lib
OUT   := $(ROOT)/libc
INC   := $(ROOT)/sysroot/include
IMAGES := $(ROOT)/images
CC    := $(BIN)/linx-cc
AR    := $(BIN)/linx-ar
LD    := $(BIN)/linx-ld
tools := $(CC) $(wildcard $(BUILD)/lib/libLLVMLinx64.so) $(BIN)/linx-as
KERNEL := $(BUILD)/kernel
kernel := $(KERNEL)/libkernel.a $(KERNEL)/liblinx.a

CFLAGS := -std=gnu17 -Os -D_GNU_SOURCE -ffunction-sections -fdata-sections -Wall -Wextra -isystem $(INC) \
          -I. -Iinclude

# threads.h, cmsis_os2.h, sys/dirent.h: beside the library's own.
headers := $(OUT)/.port-headers
$(headers): $(OUT)/$(LIBC)/.headers $(shell find lib/libc/include -name '*.h')
	@cp -r lib/libc/include/. $(INC)/
	@touch $@

all: $(LIB)/liblinx-port.a $(LIB)/liblinx-bare.a $(LIB)/bare-crt0.o

port_objects := $(patsubst lib/libc/port/%.c,$(OUT)/port/%.o,$(wildcard lib/libc/port/*.c)) $(OUT)/port/library.o
$(LIB)/liblinx-port.a: $(port_objects)
	@rm -f $@ && $(AR) rcs $@ $^
	@echo "==> $@"
$(LIB)/liblinx-bare.a: $(OUT)/bare/bare.o
	@rm -f $@ && $(AR) rcs $@ $^
$(LIB)/bare-crt0.o: lib/libc/bare/crt0.S $(tools)
	@$(CC) -c $< -o $@

$(OUT)/port/%.o: lib/libc/port/%.c $(tools) $(LIB)/libc.a $(headers)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -MMD -MP -c $< -o $@
$(OUT)/port/library.o: lib/libc/$(LIBC)/port.c $(tools) $(LIB)/libc.a $(headers)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -MMD -MP -c $< -o $@
$(OUT)/bare/%.o: lib/libc/bare/%.c $(tools) $(LIB)/libc.a $(headers)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -MMD -MP -c $< -o $@
$(OUT)/programs/%.o: %.c $(tools) $(LIB)/libc.a $(headers)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

# $(call program,NAME,SOURCES[,OBJECTS,LIBRARIES,LINKER OPTIONS]): ROOT/images/NAME.elf, with the kernel. The port and the C library stand before liblinx,
# so that the program starts in lib/libc/port/start.c and the kernel too uses the library's memory functions.
define program
$(IMAGES)/$(1).elf: $(addprefix $(OUT)/programs/,$(addsuffix .o,$(basename $(2)))) $(4) $(LIB)/liblinx-port.a $(LIB)/libc.a $(kernel) linker.ld
	@mkdir -p $$(@D)
	@$(LD) -T linker.ld --gc-sections $(5) -Map $(OUT)/$(1).map -o $$@ $(addprefix $(OUT)/programs/,$(addsuffix .o,$(basename $(2)))) $(3) --start-group $(4) \
	    $(KERNEL)/libkernel.a $(LIB)/liblinx-port.a $(LIB)/libc.a $(KERNEL)/liblinx.a $(BUILD)/lib/liblinx-builtins.a --end-group
	@scripts/check-trap-path.py $(BIN) $$@ >/dev/null || { rm -f $$@; exit 1; }
	@echo "  LD   $$@"
all: $(IMAGES)/$(1).elf
endef

$(OUT)/programs/%.o: %.S $(tools)
	@mkdir -p $(@D)
	@$(CC) -I. -Iinclude -c $< -o $@

# Lua, unpatched: its main becomes lua_main, its exit ends the task. Without its source the shell has no lua.
lua := $(wildcard $(BUILD)/src/lua/src/lua.c)
lua_sources := $(filter-out %/luac.c,$(wildcard $(BUILD)/src/lua/src/*.c))
ifneq ($(lua),)
$(OUT)/lua/liblua.a: $(lua_sources) $(tools) $(LIB)/libc.a $(headers)
	@rm -rf $(@D) && mkdir -p $(@D)
	@cd $(@D) && $(abspath $(CC)) -std=gnu17 -Os -w -ffunction-sections -fdata-sections -isystem $(abspath $(INC)) \
	    -Dmain=lua_main -Dexit=shell_program_exit -c $(abspath $(lua_sources))
	@$(AR) rcs $@ $(@D)/*.o
	@echo "==> $@"
endif

# CoreMark and Dhrystone, unpatched; CoreMark's platform layer and Dhrystone's surroundings are in demos/shell.
# $(call compile,SOURCES,OPTIONS): in the target's folder, into the archive that is the target.
compile = cd $(@D) && $(abspath $(CC)) -std=gnu17 -O2 -ffunction-sections -fdata-sections -isystem $(abspath $(INC)) $(2) -c $(1) && \
          $(abspath $(AR)) rcs $(@F) $(addsuffix .o,$(basename $(notdir $(1))))
coremark := $(wildcard $(BUILD)/src/coremark/core_main.c)
coremark_sources := core_list_join.c core_main.c core_matrix.c core_state.c core_util.c
$(OUT)/coremark/libcoremark.a: $(wildcard demos/shell/coremark/*) $(coremark) $(tools) $(LIB)/libc.a $(headers)
	@rm -rf $(@D) && mkdir -p $(@D)
	@cp $(addprefix $(BUILD)/src/coremark/,$(coremark_sources) coremark.h) demos/shell/coremark/* $(@D)/
	@$(call compile,$(coremark_sources) core_portme.c,-w -Dmain=coremark_run)
	@echo "==> $@"
dhrystone := $(wildcard $(BUILD)/src/dhrystone/dhry_1.c)
$(OUT)/dhrystone/libdhrystone.a: $(wildcard demos/shell/dhrystone/*) $(dhrystone) $(tools) $(LIB)/libc.a $(headers)
	@rm -rf $(@D) && mkdir -p $(@D)
	@$(call compile,$(abspath $(BUILD)/src/dhrystone/dhry_1.c $(BUILD)/src/dhrystone/dhry_2.c demos/shell/dhrystone/dhrystone.c),-w -I$(abspath demos/shell/dhrystone))
	@echo "==> $@"
shell_has := $(if $(lua),lua) $(if $(coremark),coremark) $(if $(dhrystone),dhrystone)

# hello-libc takes the printf without floating point, hello-double the default one.
integer_printf := $(if $(filter picolibc,$(LIBC)),--defsym=vfprintf=__i_vfprintf,--defsym=printf=iprintf)
$(eval $(call program,hello-libc,demos/hello/printf.c,,,$(integer_printf)))
$(eval $(call program,hello-double,demos/hello/double.c))
$(eval $(call program,shell,demos/shell/main.c demos/shell/commands.c demos/shell/programs.c demos/preempt/bodies.S,,$(foreach p,$(shell_has),$(OUT)/$p/lib$p.a),$(foreach p,$(shell_has),-u $p_main)))
$(eval $(call program,bench-mem,bench/mem/mem.c))
$(foreach t,$(wildcard tests/libc/programs/*.c),$(eval $(call program,libc-$(basename $(notdir $(t))),$(t))))

-include $(shell find $(OUT)/port $(OUT)/bare $(OUT)/programs -name '*.d' 2>/dev/null)
