// SPDX-License-Identifier: Apache-2.0

// Which values of variables a debugger can come to see: it stops where a line begins, and shows
// what is declared around that. A parameter that is set at the end of its function, and a variable
// that is set twice in a line, need no store. Internal to jit/emit.
#pragma once

#include <llvm/ADT/DenseSet.h>

#include "jit/analysis/linearization.h"
#include "jit/spirv/module.h"

namespace jit::spirv {

// Whether a debugger that has stopped at a place, or goes up from there to who called it, sees the
// variable. Both in code of the client's own (ofClient).
bool isDeclaredAt(const Module& module, const DebugVariable& variable, const Location& place);

// Instructions InternalOp::DebugValue that say what no debugger sees.
llvm::DenseSet<const Instruction*> unseenValues(const Module& module,
                                                const simt::Linearization& linearization);

}  // namespace jit::spirv
