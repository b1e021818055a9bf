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
# SSE4.1 (every x86-64 since 2009) has the 32-bit multiply, minimum and maximum of the integer lanes.
$(SIM_BUILD)/engine/%.o: SIM_EXTRA := -O3 $(if $(filter x86_64,$(shell uname -m)),-march=x86-64-v2)

# Computed gotos lose their separate branches to cross-jumping otherwise.
$(SIM_BUILD)/core/exec_%.o: SIM_EXTRA := -fno-gcse -fno-crossjumping -fno-var-tracking

$(SIM_BUILD)/%.o: sim/%.c | $(ISA_STAMP)
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(CCACHE) $(SIM_CC) $(SIM_CFLAGS) $(SIM_EXTRA) -c $< -o $@

$(SIM_BUILD)/linx_forms.o: toolchain/isa/linx_forms.c | $(ISA_STAMP)
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

# ---- host tests: programs of tests/sim linked with the simulator's objects, plain or under ASan and UBSan
SIM_TEST_PROGRAMS := $(patsubst tests/sim/%.c,%,$(filter-out tests/sim/harness.c,$(wildcard tests/sim/*.c)))
SIM_TESTS := $(addprefix $(BUILD)/tests/sim/,$(SIM_TEST_PROGRAMS))
SIM_SAN := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-sanitize=alignment
SIM_SAN_OBJ := $(patsubst $(SIM_BUILD)/%,$(SIM_BUILD)-san/%,$(SIM_OBJ))

.PHONY: sim-tests sim-san
sim-tests: $(SIM_TESTS)
$(SIM_TESTS): $(BUILD)/tests/sim/%: tests/sim/%.c tests/sim/harness.c tests/sim/harness.h $(SIM_OBJ)
	@mkdir -p $(@D)
	@echo "  TEST    $@"
	@$(SIM_CC) $(filter-out -MMD -MP,$(SIM_CFLAGS)) -Itests/sim $< tests/sim/harness.c $(SIM_OBJ) $(SIM_LIBS) -o $@

sim-san: $(BUILD)/tests/sim/fuzz-san
# At -O1 the loops take minutes under the sanitizers.
$(SIM_BUILD)-san/core/exec_%.o: SIM_EXTRA := -O0 -fno-var-tracking
$(SIM_BUILD)-san/%.o: sim/%.c | $(ISA_STAMP)
	@mkdir -p $(@D)
	@echo "  CC-SAN  $<"
	@$(CCACHE) $(SIM_CC) $(filter-out -O2,$(SIM_CFLAGS)) -O1 $(SIM_SAN) $(SIM_EXTRA) -c $< -o $@
$(SIM_BUILD)-san/linx_forms.o: toolchain/isa/linx_forms.c | $(ISA_STAMP)
	@mkdir -p $(@D)
	@$(CCACHE) $(SIM_CC) $(SIM_CFLAGS) $(SIM_SAN) -c $< -o $@
$(BUILD)/tests/sim/fuzz-san: tests/sim/fuzz.c tests/sim/harness.c $(SIM_SAN_OBJ)
	@mkdir -p $(@D)
	@echo "  TEST    $@"
	@$(SIM_CC) $(filter-out -MMD -MP -O2,$(SIM_CFLAGS)) -O1 $(SIM_SAN) -Itests/sim $^ $(SIM_LIBS) -o $@
-include $(SIM_SAN_OBJ:.o=.d)

.PHONY: fuzz
## make fuzz        10^7 random words and 25,000 mutated images through the simulator under ASan and UBSan
fuzz: $(BUILD)/tests/sim/fuzz-san
	$< 100000

.PHONY: bench-sim
## make bench-sim   guest MIPS of the simulator (needs linx-cc), beside QEMU's when it is installed
bench-sim: sim llvm
	@bench/sim/run.py $(BUILD)
