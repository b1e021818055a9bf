# SPDX-License-Identifier: BSD-2-Clause
# libLLVMLinx64.so: the Linx target, built against Debian's llvm-19-dev, and the programs over it.
LLVM_DIR    := toolchain/llvm
LLVM_CONFIG ?= llvm-config-19
LLVM_TBLGEN ?= llvm-tblgen-19
LLVM_OBJ    := $(BUILD)/llvm
LLVM_LIB    := $(BUILD)/lib/libLLVMLinx64.so
LLVM_CXX    ?= $(CCACHE) g++
LLVM_CC     ?= $(CCACHE) gcc
LLVM_OPT    ?= -O1
LLVM_INC    := $(shell $(LLVM_CONFIG) --includedir)
# NDEBUG as Debian builds LLVM: some of its classes have one more virtual function without.
LLVM_FLAGS   = $(LLVM_OPT) -DNDEBUG -g0 -fPIC -Wall -Wextra -Wno-unused-parameter -MMD -MP \
               -I$(GEN) -I$(ISA_DIR) -I$(LLVM_DIR)/MC -I$(LLVM_DIR)/CodeGen -isystem $(LLVM_INC)
LLVM_CXXFLAGS = -std=c++17 -fno-exceptions -D_GNU_SOURCE -D__STDC_CONSTANT_MACROS \
               -D__STDC_FORMAT_MACROS -D__STDC_LIMIT_MACROS $(LLVM_FLAGS)
LLVM_LDFLAGS := -L$(shell $(LLVM_CONFIG) --libdir) -lLLVM-19

# ---- TableGen
LLVM_TOP_TD ?= $(LLVM_DIR)/Linx.td
LLVM_TDS := $(wildcard $(LLVM_DIR)/*.td $(LLVM_DIR)/CodeGen/*.td) $(GEN)/LinxInstrForms.td
LLVM_GENERATED := $(addprefix $(GEN)/LinxGen,RegisterInfo.inc InstrInfo.inc SubtargetInfo.inc \
                  DAGISel.inc CallingConv.inc)
LLVM_GEN_RegisterInfo  := -gen-register-info
LLVM_GEN_InstrInfo     := -gen-instr-info
LLVM_GEN_SubtargetInfo := -gen-subtarget
LLVM_GEN_DAGISel       := -gen-dag-isel
LLVM_GEN_CallingConv   := -gen-callingconv

# A file that a change of the descriptions leaves alone keeps its time, and with it every object made from it.
$(GEN)/.LinxGen%.stamp: $(LLVM_TDS)
	@echo "  TBLGEN  LinxGen$*.inc"
	@$(LLVM_TBLGEN) $(LLVM_GEN_$*) -I $(LLVM_INC) -I $(LLVM_DIR) -I $(GEN) --write-if-changed $(LLVM_TOP_TD) \
	  -o $(GEN)/LinxGen$*.inc
	@touch $@
$(LLVM_GENERATED): $(GEN)/LinxGen%.inc: $(GEN)/.LinxGen%.stamp ;

# ---- the library
LLVM_SOURCES ?= $(wildcard $(LLVM_DIR)/MC/*.cpp $(LLVM_DIR)/CodeGen/*.cpp)
LLVM_OBJECTS := $(patsubst $(LLVM_DIR)/%.cpp,$(LLVM_OBJ)/%.o,$(LLVM_SOURCES)) $(LLVM_OBJ)/linx_forms.o

$(LLVM_OBJ)/%.o: $(LLVM_DIR)/%.cpp | $(LLVM_GENERATED) $(ISA_GENERATED)
	@mkdir -p $(@D)
	@echo "  CXX     $<"
	@$(LLVM_CXX) $(LLVM_CXXFLAGS) -c $< -o $@

$(LLVM_OBJ)/linx_forms.o: $(ISA_DIR)/linx_forms.c $(ISA_GENERATED)
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(LLVM_CC) -std=c17 $(LLVM_FLAGS) -c $< -o $@

# Results replace their predecessors in one step, so that a running one is not disturbed.
# Symbols are bound at load time, so that one that a source file lacks shows here and not in a user's run.
$(LLVM_LIB): $(LLVM_OBJECTS)
	@mkdir -p $(@D)
	@echo "  LINK    $@"
	@g++ -shared -Wl,-soname,$(@F) -Wl,-z,defs -Wl,-Bsymbolic-functions -o $@.$$$$ $^ $(LLVM_LDFLAGS) && mv $@.$$$$ $@

# ---- linx-as, linx-objdump
LLVM_TOOLS := $(BIN)/linx-as $(BIN)/linx-objdump
$(LLVM_TOOLS): $(BIN)/linx-%: $(LLVM_OBJ)/tools/%.o $(LLVM_LIB)
	@mkdir -p $(@D)
	@echo "  LINK    $@"
	@g++ -o $@.$$$$ $(filter %.o,$^) $(LLVM_LIB) -Wl,-rpath,'$$ORIGIN/../lib' $(LLVM_LDFLAGS) && mv $@.$$$$ $@

$(BIN)/linx-objdump: $(LLVM_OBJ)/tools/DebugLines.o

# ---- linx-cc
LINX_CC      := $(BIN)/linx-cc
LINX_CC_DEPS := $(LINX_CC)
LINX_CC_OBJECTS := $(patsubst $(LLVM_DIR)/%.cpp,$(LLVM_OBJ)/%.o,$(wildcard $(LLVM_DIR)/Driver/*.cpp))
CLANG_RESOURCE_DIR ?= $(shell $(LLVM_CONFIG) --libdir)/clang/19
$(LINX_CC_OBJECTS): LLVM_FLAGS += -DLINX_RESOURCE_DIR='"$(CLANG_RESOURCE_DIR)"'

$(LINX_CC): $(LINX_CC_OBJECTS) $(LLVM_LIB)
	@mkdir -p $(@D)
	@echo "  LINK    $@"
	@g++ -o $@.$$$$ $(LINX_CC_OBJECTS) -Wl,--no-as-needed $(LLVM_LIB) -Wl,-rpath,'$$ORIGIN/../lib' \
	  $(LLVM_LDFLAGS) -l:libclang-cpp.so.19.1 && mv $@.$$$$ $@
LLVM_TOOLS += $(LINX_CC)

.PHONY: llvm
## make llvm        the LLVM target, linx-as and linx-objdump
llvm: $(LLVM_LIB) $(LLVM_TOOLS)
toolchain-llvm: llvm

-include $(LLVM_OBJECTS:.o=.d) $(LINX_CC_OBJECTS:.o=.d) $(wildcard $(LLVM_OBJ)/tools/*.d)
