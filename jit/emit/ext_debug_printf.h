// SPDX-License-Identifier: Apache-2.0

// The extended instruction set NonSemantic.DebugPrintf.
#pragma once

#include "jit/emit/emission.h"

namespace jit::spirv {

inline constexpr char kDebugPrintfSet[] = "NonSemantic.DebugPrintf";

llvm::Error emitDebugPrintf(Emission& e, const Instruction& i);

}  // namespace jit::spirv
