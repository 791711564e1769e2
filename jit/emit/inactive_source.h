// SPDX-License-Identifier: Apache-2.0

// The emission of what follows values from invocations that are not active
// (spirv/inactive_sources.h). Internal to jit/emit.
#pragma once

#include "jit/emit/emission.h"

namespace jit::spirv {

// InternalOp::InactiveSource and InactiveUse.
llvm::Error emitInactiveSource(Emission& e, const Instruction& i);
llvm::Error emitInactiveUse(Emission& e, const Instruction& i);

}  // namespace jit::spirv
