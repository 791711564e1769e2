// SPDX-License-Identifier: Apache-2.0

// The rules of what is the driver's own in the IR, as LLVM's verifier has those of the IR itself.
//
// - Code calls LLVM's intrinsics, functions of the module, C functions of symbols.def, and
//   operations and marks; nothing else.
// - A matrix operation (matrix_ops.h) has metadata of the form that is written there, and its
//   function has the types that this says.
// - A value is a matrix of one size: a load of 16x32 is no operand for 32x16, whatever both have in
//   elements.
// - A barrier (emitted_kernel.h) gets the Workgroup memory, and is there only where a workgroup has
//   several streams.
// - A matrix that an operation reads or writes at a constant offset in the frame (kernel_frame.h)
//   is inside of it.
// - A mark (marks.h) is on what it speaks of: an access by lanes, a variable of the entry block.
#pragma once

#include <llvm/IR/Module.h>

#include <string>

#include "jit/ir/kernel_facts.h"

namespace jit {

// What in the module, valid for LLVM, breaks them, a line for each with the function and the
// instruction; empty where nothing does. The frame, lanes and streams are those of `facts`, of
// which nothing counts that is 0.
std::string brokenRules(llvm::Module& module, const KernelFacts& facts);

}  // namespace jit
