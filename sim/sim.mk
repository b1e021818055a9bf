# SPDX-License-Identifier: BSD-2-Clause
# The simulator: build/sim/libsim.a (everything but main) and build/bin/linx-sim.
SIM_BUILD := $(BUILD)/sim
SIM_CC ?= gcc
SIM_OPT ?= -O2
SIM_CFLAGS := -std=gnu17 $(SIM_OPT) -g -Wall -Wextra -Wno-override-init -Wno-unused-label -fno-strict-aliasing -Iinclude -Isim -I$(BUILD)/gen -MMD -MP
SIM_LIBS := -lelf -lfdt -lslirp -lm
SIM_SRC := $(wildcard sim/core/*.c sim/engine/*.c sim/fp/*.c sim/dev/*.c sim/gdb/*.c)
SIM_OBJ := $(patsubst sim/%.c,$(SIM_BUILD)/%.o,$(filter-out sim/core/main.c,$(SIM_SRC))) $(SIM_BUILD)/linx_forms.o
SIM_MAIN := $(SIM_BUILD)/core/main.o

.PHONY: sim
## make sim         build the simulator (build/bin/linx-sim)
sim: $(BIN)/linx-sim
all: sim

# Lane loops want the vectoriser; fused operations of the compiler's choosing would change results.
$(SIM_BUILD)/fp/%.o: SIM_EXTRA := -O3 -ffp-contract=off

# Computed gotos lose their separate branches to cross-jumping otherwise.
$(SIM_BUILD)/core/exec_%.o: SIM_EXTRA := -fno-gcse -fno-crossjumping

$(SIM_BUILD)/%.o: sim/%.c $(ISA_STAMP)
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(CCACHE) $(SIM_CC) $(SIM_CFLAGS) $(SIM_EXTRA) -c $< -o $@

$(SIM_BUILD)/linx_forms.o: toolchain/isa/linx_forms.c $(ISA_STAMP)
	@mkdir -p $(@D)
	@$(CCACHE) $(SIM_CC) $(SIM_CFLAGS) -c $< -o $@

# An archive drops weak stand-ins only when the real ones come first, so everything is one relocatable object list.
$(SIM_BUILD)/libsim.a: $(SIM_OBJ)
	@echo "  AR      $@"
	@rm -f $@
	@ar rcs $@ $^

$(BIN)/linx-sim: $(SIM_MAIN) $(SIM_OBJ)
	@mkdir -p $(@D)
	@echo "  LD      $@"
	@$(SIM_CC) -g $(SIM_OPT) -o $@ $^ $(SIM_LIBS)

-include $(SIM_OBJ:.o=.d) $(SIM_MAIN:.o=.d)
