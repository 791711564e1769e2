// SPDX-License-Identifier: Apache-2.0

// Instructions on vectors that treat each element by itself.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>

namespace jit {

// Whether each element of the instruction's result, a vector of fixed length, depends on no more
// than the elements of its operands at the same index, and on scalars.
bool isElementwise(const llvm::Instruction& instruction);

// Makes what an element-wise instruction does of the `elements` elements that `operands` have of
// each of its vectors.
llvm::Value* emitElementwise(llvm::IRBuilderBase& builder, const llvm::Instruction& instruction,
                             llvm::ArrayRef<llvm::Value*> operands, unsigned elements);

}  // namespace jit
