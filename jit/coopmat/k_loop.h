// SPDX-License-Identifier: Apache-2.0

// K-loop scheduling: multiply-adds whose accumulators live through a loop are deferred. Where an
// operand is read it is packed into a buffer in the frame, the K block; when the K block is full,
// and where the loop ends, blocked microkernels run over the whole K block with the accumulators in
// registers.
//
// Operands are copied at their point in the program, so any address pattern, barrier or store in
// the loop is right without an analysis of memory. Those that in_place.h finds are not copied but
// multiplied there, before anybody writes them.
#pragma once

#include <llvm/IR/PassManager.h>

#include "jit/base/target.h"
#include "jit/ir/kernel_frame.h"

namespace jit::coopmat {

// Schedules every loop of `function` that qualifies and returns whether it changed anything.
//
// Wants: matrices in SSA (sroa, mem2reg), constant-trip loops around matrix operations fully
// unrolled, equal operand loads merged (early-cse). Loops are put into simplified and LCSSA form
// here. The function's third argument is its subgroup's frame, in which `frame` allocates.
//
// A loop (outermost first) qualifies for an accumulator when a matrix phi of its header reaches
// its latches only through multiply-adds without saturation and phis, exactly one version of it is
// alive at each point, and nothing else inside the loop sees it. Accumulators whose multiply-adds
// stand side by side share packed operands and blocks.
bool runKLoopScheduling(llvm::Function& function, const Target& target, KernelFrame& frame,
                        llvm::FunctionAnalysisManager& analyses);

}  // namespace jit::coopmat
