// SPDX-License-Identifier: Apache-2.0

// Shaders that end by themselves: OpAbortKHR (SPV_KHR_abort), and the extended instruction set
// NonSemantic.DebugBreak, which does something where it is checked.
#pragma once

#include "jit/emit/emission.h"

namespace jit::spirv {

inline constexpr char kDebugBreakSet[] = "NonSemantic.DebugBreak";

llvm::Error emitAbort(Emission& e, const Instruction& i);
llvm::Error emitDebugBreak(Emission& e, const Instruction& i);

}  // namespace jit::spirv
