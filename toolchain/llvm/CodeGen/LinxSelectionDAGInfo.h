// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_CODEGEN_LINXSELECTIONDAGINFO_H
#define LINX_CODEGEN_LINXSELECTIONDAGINFO_H

#include "llvm/CodeGen/SelectionDAGTargetInfo.h"

namespace llvm {
// Block copies and fills of a constant size become the template blocks MCOPY and MSET.
class LinxSelectionDAGInfo final : public SelectionDAGTargetInfo {
public:
  SDValue EmitTargetCodeForMemcpy(SelectionDAG &DAG, const SDLoc &DL, SDValue Chain, SDValue Dst,
                                  SDValue Src, SDValue Size, Align Alignment, bool IsVolatile,
                                  bool AlwaysInline, MachinePointerInfo DstInfo,
                                  MachinePointerInfo SrcInfo) const override;
  SDValue EmitTargetCodeForMemset(SelectionDAG &DAG, const SDLoc &DL, SDValue Chain, SDValue Dst,
                                  SDValue Val, SDValue Size, Align Alignment, bool IsVolatile,
                                  bool AlwaysInline, MachinePointerInfo DstInfo) const override;
};
} // namespace llvm

#endif
