// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_DRIVER_COMPILE_H
#define LINX_DRIVER_COMPILE_H

#include "llvm/ADT/ArrayRef.h"

namespace linx {
// Runs one front-end job in this process. Args are those of "clang -cc1", without the program and
// "-cc1". Returns the exit status: 0, or 1 after diagnostics.
int compile(llvm::ArrayRef<const char *> Args, const char *Program);
} // namespace linx

#endif
