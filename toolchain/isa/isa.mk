# SPDX-License-Identifier: BSD-2-Clause
# The instruction table and what is generated from it. Users compile toolchain/isa/linx_forms.c with -I$(GEN).
GEN := $(BUILD)/gen
ISA_DIR := toolchain/isa
ISA_GENERATED := $(GEN)/linx_forms.h $(GEN)/linx_forms.inc $(GEN)/linx_syntax.inc \
                 $(GEN)/linx_form_list.inc $(GEN)/LinxInstrForms.td
ISA_STAMP := $(GEN)/.isa-stamp

.PHONY: gen
## make gen         generate the instruction tables (build/gen)
gen: $(ISA_STAMP)

$(ISA_STAMP): $(ISA_DIR)/linx.isa $(ISA_DIR)/gen.py
	@echo "  GEN     instruction tables"
	@python3 $(ISA_DIR)/gen.py $(GEN)
	@touch $@

# gen.py leaves files that did not change alone, so that their users need not be rebuilt.
$(ISA_GENERATED): $(ISA_STAMP) ;
