// SPDX-License-Identifier: Apache-2.0

// Rearranging small tiles in vector registers.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

namespace jit::ukernel {

// The transpose of `lines`, vectors of equal type: result i holds element i of every line.
// Works on registers of `vector_bytes`.
llvm::SmallVector<llvm::Value*> transpose(llvm::IRBuilderBase& builder,
                                          llvm::ArrayRef<llvm::Value*> lines,
                                          uint32_t vector_bytes);

// One vector with element 0 of each line, then element 1 of each, and so on.
llvm::Value* interleave(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> lines);

// All elements of `vectors`, which have equal types, in order.
llvm::Value* concatenate(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> vectors);

// Elements first .. first + count - 1.
llvm::Value* slice(llvm::IRBuilderBase& builder, llvm::Value* vector, uint32_t first,
                   uint32_t count);

// `vector` made `count` elements long with zeros.
llvm::Value* padWithZeros(llvm::IRBuilderBase& builder, llvm::Value* vector, uint32_t count);

}  // namespace jit::ukernel
