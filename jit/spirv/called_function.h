// SPDX-License-Identifier: Apache-2.0

// Which instructions call a function of the module.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Error.h>

#include <unordered_map>

#include "jit/spirv/module.h"

namespace jit::spirv {

// The functions that an instruction calls, once or for elements of a matrix.
llvm::SmallVector<Id, 2> calledFunctions(const Instruction& instruction);

// Malformed where `function`, or what it calls, has a tangled instruction: one whose result depends
// on several invocations (SPIR-V Specification, 2.2.5). Functions that `by` calls for elements of a
// matrix have none (SPV_NV_cooperative_matrix2, SPV_EXT_cooperative_matrix_maintenance1, 2.16.1).
llvm::Error checkUntangled(const Module& module, const std::unordered_map<Id, Function>& functions,
                           Id function, const Instruction& by);

}  // namespace jit::spirv
