# SPDX-License-Identifier: BSD-2-Clause
# build/lib/liblinx-builtins.a: what the compiler calls for operations without an instruction.
builtins_src := $(wildcard lib/builtins/*.c)
builtins_obj := $(builtins_src:lib/builtins/%.c=$(BUILD)/builtins/%.o)
# -fno-builtin: the loops of memcpy and its kin must not become calls of themselves.
BUILTINS_CFLAGS := -std=c17 -O2 -fno-builtin -ffp-contract=off -ffunction-sections -Wall -Wextra -Werror

toolchain-builtins: $(LINX_BUILTINS)

$(BUILD)/builtins/%.o: lib/builtins/%.c $(wildcard lib/builtins/*.h lib/builtins/*.inc) $(LINX_CC_DEPS)
	@mkdir -p $(@D)
	@$(BIN)/linx-cc $(BUILTINS_CFLAGS) -c $< -o $@

$(LINX_BUILTINS): $(builtins_obj) | $(BIN)/linx-ar
	@mkdir -p $(@D)
	@rm -f $@
	@$(BIN)/linx-ar rcs $@ $(builtins_obj)
	@echo "==> $@"
