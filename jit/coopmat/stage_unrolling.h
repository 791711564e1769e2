// SPDX-License-Identifier: Apache-2.0

// Loops over the K steps of a stage of shared memory, unrolled where that lets K-loop scheduling
// multiply the steps where they lie.
#pragma once

#include <llvm/IR/PassManager.h>

#include "jit/base/target.h"

namespace jit::coopmat {

// Fully unrolls the innermost loops of a constant number of iterations, inside of others, whose
// multiply-adds read their operands in place (in_place.h) once the iterations stand side by side,
// but not one by one. Returns whether it changed anything. Matrices are in SSA.
bool unrollStages(llvm::Function& function, const Target& target,
                  llvm::FunctionAnalysisManager& analyses);

}  // namespace jit::coopmat
