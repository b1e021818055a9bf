# SPDX-License-Identifier: BSD-2-Clause
# The toolchain: instruction table -> LLVM target (linx-as, linx-objdump, linx-cc), linker and
# binary tools, run-time support library. Whole logs: build/log/.
-include toolchain/isa/isa.mk
-include toolchain/llvm/llvm.mk

LOG := $(BUILD)/log
LINX_LD       := $(BIN)/linx-ld
LINX_BUILTINS := $(BUILD)/lib/liblinx-builtins.a
# Machine-independent tools are LLVM's, under our names.
toolchain_wrappers := $(addprefix $(BIN)/linx-,ar ranlib nm objcopy strip size)

## make toolchain   build assembler, disassembler, C compiler, linker and binary tools (build/bin)
.PHONY: toolchain toolchain-parts toolchain-llvm toolchain-linker toolchain-builtins
all: toolchain-parts
# A second make, because the first read its variables before the packages were there.
toolchain: setup
	@start=$$(date +%s); $(MAKE) --no-print-directory $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(JOBS)) toolchain-parts && \
	 echo "==> toolchain ready after $$(($$(date +%s) - start)) s: $(BIN)/linx-{cc,as,ld,objdump,readelf,ar,ranlib,nm,objcopy,strip,size}"
toolchain-parts: toolchain-llvm toolchain-linker toolchain-builtins

# llvm.mk adds its results to toolchain-llvm.
toolchain-llvm:

toolchain-linker: $(LINX_LD) $(BIN)/linx-readelf $(toolchain_wrappers)

$(LINX_LD): $(shell find toolchain/binutils -type f) toolchain/isa/linx_relocs.def toolchain/isa/linx.isa
	+@toolchain/binutils/build.sh $(BUILD) $(LOG) $(JOBS)
$(BIN)/linx-readelf: $(LINX_LD)

$(toolchain_wrappers): $(BIN)/linx-%: toolchain/toolchain.mk
	@mkdir -p $(@D)
	@printf '#!/bin/sh\n# SPDX-License-Identifier: BSD-2-Clause\nexec llvm-%s-19 "$$@"\n' $* >$@
	@chmod +x $@

-include lib/builtins/builtins.mk
-include tests/torture/torture.mk
