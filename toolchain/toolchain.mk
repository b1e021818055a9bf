# SPDX-License-Identifier: BSD-2-Clause
# The toolchain's build rules; each part keeps its own.
-include toolchain/isa/isa.mk
-include toolchain/llvm/llvm.mk
