# SPDX-License-Identifier: BSD-2-Clause
# The kernel, its library for programs, and the images of demos, benchmarks and kernel tests.
#   build/kernel/libkernel.a   boot, trap, kernel, drivers
#   build/kernel/liblinx.a     what programs link: system-call stubs, start, printf, string functions
#   build/images/NAME.elf      one program with the kernel
KERNEL_OUT ?= $(BUILD)/kernel
KERNEL_CC  := $(BIN)/linx-cc
KERNEL_LD  := $(BIN)/linx-ld
KERNEL_AR  := $(BIN)/linx-ar
IMAGES     ?= $(BUILD)/images

KERNEL_CFLAGS := -std=gnu17 -O2 -ffreestanding -fno-builtin -fno-jump-tables -ffunction-sections -fdata-sections -Wall -Wextra -I. -Iinclude -I$(BUILD)/gen -g $(KERNEL_DEFS)
KERNEL_ASFLAGS := -I. -Iinclude -I$(BUILD)/gen

kernel_sources := $(wildcard boot/*.c boot/*.S kernel/*.c trap/*.c drivers/*.c) trap/trap_entry.S trap/trap_calls.S \
                  trap/wide_blocks.S kernel/shared_blocks.S
linx_sources   := $(wildcard lib/syscall*.S) lib/start.c lib/printf.c lib/format.c lib/string.c
# Functions of lib/ that the kernel has copies of, under names of its own: it cannot execute the program's.
kernel_own     := memcpy memmove memset memcmp strlen strcmp format
kernel_objects := $(patsubst %,$(KERNEL_OUT)/%.o,$(kernel_sources) lib/string.c lib/format.c)
linx_objects   := $(patsubst %,$(KERNEL_OUT)/%.o,$(linx_sources))
kernel_builtins := $(BUILD)/lib/liblinx-builtins.a
kernel_tools   := $(KERNEL_CC) $(KERNEL_LD) $(KERNEL_AR) $(BIN)/linx-as $(BIN)/linx-nm $(kernel_builtins)

$(BUILD)/gen/kernel_forms.h: kernel/gen_forms.py toolchain/isa/linx.isa
	@mkdir -p $(@D)
	@kernel/gen_forms.py toolchain/isa/linx.isa $@

# What no frequent path runs through is made small.
kernel_cold := boot/fdt.c boot/monitor.c kernel/gang.c kernel/kmain.c kernel/life.c kernel/shared.c kernel/smp_boot.c \
               kernel/heap.c kernel/symbols.c trap/fault.c trap/fault_handler.c trap/fault_lanes.c trap/fault_print.c trap/fault_record.c drivers/console.c lib/format.c kernel/object.c kernel/syscall_gang.c kernel/syscall_machine.c kernel/syscall_task.c kernel/syscall_object.c kernel/authority.c kernel/timeout.c \
               kernel/syscall_block.c drivers/virtio_blk.c \
               kernel/space.c kernel/space_boot.c kernel/usermem.c kernel/share.c kernel/copy.c
$(kernel_cold:%=$(KERNEL_OUT)/%.o): KERNEL_CFLAGS += -Oz

$(KERNEL_OUT)/%.c.o: %.c $(BUILD)/gen/kernel_forms.h | $(kernel_tools)
	@mkdir -p $(@D)
	@echo "  CC   $<"
	@$(KERNEL_CC) $(KERNEL_CFLAGS) -MMD -MP -c $< -o $@

$(KERNEL_OUT)/%.S.o: %.S | $(kernel_tools)
	@mkdir -p $(@D)
	@echo "  AS   $<"
	@$(KERNEL_CC) $(KERNEL_ASFLAGS) -MMD -MP -c $< -o $@

$(KERNEL_OUT)/libkernel.a: $(kernel_objects)
	@rm -f $@
	@$(KERNEL_AR) rcs $@ $^
	@$(BIN)/linx-objcopy $(addprefix --redefine-sym ,$(join $(kernel_own:%=%=),$(kernel_own:%=kernel_%))) $@
$(KERNEL_OUT)/liblinx.a: $(linx_objects)
	@rm -f $@
	@$(KERNEL_AR) rcs $@ $^

# $(call kernel_image,NAME,SOURCES): build/images/NAME.elf. Linked twice: the second time with its own symbol table.
define kernel_image
$(call kernel_image_with,$(1),$(2),,)
endef
# The same with an archive that stands before the kernel's own and defines SYMBOL in its place (tests):
# $(call kernel_image_with,NAME,SOURCES,ARCHIVE,SYMBOL)
define kernel_image_with
$(IMAGES)/$(1).elf: $(patsubst %,$(KERNEL_OUT)/%.o,$(2)) $(3) $(KERNEL_OUT)/libkernel.a $(KERNEL_OUT)/liblinx.a linker.ld kernel/symbols.py
	@mkdir -p $$(@D)
	@echo "  LD   $$@"
	@$(KERNEL_LD) -T linker.ld --gc-sections -o $(KERNEL_OUT)/$(1).first.elf $(patsubst %,$(KERNEL_OUT)/%.o,$(2)) \
	    $(4:%=-u %) --start-group $(3) $(KERNEL_OUT)/libkernel.a $(KERNEL_OUT)/liblinx.a $(kernel_builtins) --end-group
	@kernel/symbols.py $(BIN)/linx-nm $(KERNEL_OUT)/$(1).first.elf $(KERNEL_OUT)/$(1).symbols.S
	@$(KERNEL_CC) -c $(KERNEL_OUT)/$(1).symbols.S -o $(KERNEL_OUT)/$(1).symbols.o
	@$(KERNEL_LD) -T linker.ld --gc-sections -Map $(KERNEL_OUT)/$(1).map -o $$@ $(patsubst %,$(KERNEL_OUT)/%.o,$(2)) $(KERNEL_OUT)/$(1).symbols.o \
	    $(4:%=-u %) --start-group $(3) $(KERNEL_OUT)/libkernel.a $(KERNEL_OUT)/liblinx.a $(kernel_builtins) --end-group
kernel_images += $(IMAGES)/$(1).elf
endef

kernel_images :=
$(eval $(call kernel_image,hello,demos/hello/main.c))
$(eval $(call kernel_image,preempt,demos/preempt/main.c demos/preempt/bodies.S))
$(eval $(call kernel_image,test_api,tests/kernel/programs/api.c tests/kernel/programs/raw.S))
$(eval $(call kernel_image,test_faults,tests/kernel/programs/faults.c tests/kernel/programs/raw.S))
$(BUILD)/gen/random_bodies.S: tests/kernel/gen_bodies.py
	@mkdir -p $(@D)
	@tests/kernel/gen_bodies.py $@
$(eval $(call kernel_image,test_repair,tests/kernel/programs/repair.c $(BUILD)/gen/random_bodies.S))
$(eval $(call kernel_image,test_handlers,tests/kernel/programs/handlers.c tests/kernel/programs/handlers.S))
# Kernels that raise faults of their own: objects that count as the kernel's (linker.ld) and come before it.
$(KERNEL_OUT)/ring%/libkernel.a: $(KERNEL_OUT)/tests/kernel/programs/ring%_hook.c.o $(KERNEL_OUT)/tests/kernel/programs/raise.S.o
	@mkdir -p $(@D)
	@rm -f $@
	@$(KERNEL_AR) rcs $@ $^
$(eval $(call kernel_image_with,test_ring1,tests/kernel/programs/ring1.c,$(KERNEL_OUT)/ring1/libkernel.a,timer_interrupt))
$(eval $(call kernel_image_with,test_ring0,tests/kernel/programs/ring1.c,$(KERNEL_OUT)/ring0/libkernel.a,fdt_read))
$(eval $(call kernel_image,test_records,tests/kernel/programs/records.c tests/kernel/programs/raise.S))
$(eval $(call kernel_image,test_wide,tests/kernel/programs/wide.c tests/kernel/programs/wide.S))
$(eval $(call kernel_image,test_parts,tests/kernel/programs/parts.c tests/kernel/programs/raw.S))
$(KERNEL_OUT)/save_image/libkernel.a: $(KERNEL_OUT)/tests/kernel/programs/image_hook.c.o
	@mkdir -p $(@D)
	@rm -f $@
	@$(KERNEL_AR) rcs $@ $^
$(eval $(call kernel_image_with,test_save_image,tests/kernel/programs/save_image.c tests/kernel/programs/image_hook.S \
    demos/preempt/bodies.S,$(KERNEL_OUT)/save_image/libkernel.a,sys_test_hook))
$(eval $(call kernel_image,tile,demos/tile/main.c))
$(eval $(call kernel_image,test_panic,tests/kernel/programs/panic.c))
$(eval $(call kernel_image,test_space,tests/kernel/programs/space.c tests/kernel/programs/space.S tests/kernel/programs/raw.S))
$(eval $(call kernel_image,image,demos/image/main.c demos/image/filters.c))
$(eval $(call kernel_image,exceptions,demos/exceptions/main.c demos/exceptions/raise.S))
$(eval $(call kernel_image,fault,bench/fault.c bench/fault_bodies.S))
$(eval $(call kernel_image,switch,bench/switch.c bench/switch_bodies.S))

-include tests/smp/smp.mk
-include tests/hostile/hostile.mk

## make kernel      build the kernel and every image (build/images)
## make bench-switch  cost of a task switch, in instructions
## make bench-fault   cost of a fault that a handler answers, in instructions
.PHONY: kernel bench-switch bench-fault
all: kernel
kernel: $(kernel_images)
bench-switch: $(IMAGES)/switch.elf $(BIN)/linx-sim
	@bench/switch.py
bench-fault: $(IMAGES)/fault.elf $(BIN)/linx-sim
	@bench/fault.py

-include $(shell find $(KERNEL_OUT) -name '*.d' 2>/dev/null)
