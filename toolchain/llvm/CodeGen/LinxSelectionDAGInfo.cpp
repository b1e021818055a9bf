// SPDX-License-Identifier: BSD-2-Clause
#include "LinxSelectionDAGInfo.h"
#include "LinxISelLowering.h"

using namespace llvm;

// docs/target.md 2.8: at most 65535 bytes. The ranges of memcpy do not overlap.
static bool suits(SDValue Size, bool IsVolatile) {
  auto *C = dyn_cast<ConstantSDNode>(Size);
  return C && !IsVolatile && C->getZExtValue() > 0 && C->getZExtValue() <= 65535;
}

SDValue LinxSelectionDAGInfo::EmitTargetCodeForMemcpy(SelectionDAG &DAG, const SDLoc &DL,
                                                      SDValue Chain, SDValue Dst, SDValue Src,
                                                      SDValue Size, Align, bool IsVolatile, bool,
                                                      MachinePointerInfo,
                                                      MachinePointerInfo) const {
  if (!suits(Size, IsVolatile))
    return SDValue();
  return DAG.getNode(LinxISD::MCOPY, DL, MVT::Other, Chain, Dst, Src,
                     DAG.getZExtOrTrunc(Size, DL, MVT::i64));
}

SDValue LinxSelectionDAGInfo::EmitTargetCodeForMemset(SelectionDAG &DAG, const SDLoc &DL,
                                                      SDValue Chain, SDValue Dst, SDValue Val,
                                                      SDValue Size, Align, bool IsVolatile, bool,
                                                      MachinePointerInfo) const {
  if (!suits(Size, IsVolatile))
    return SDValue();
  return DAG.getNode(LinxISD::MSET, DL, MVT::Other, Chain, Dst,
                     DAG.getAnyExtOrTrunc(Val, DL, MVT::i64),
                     DAG.getZExtOrTrunc(Size, DL, MVT::i64));
}
