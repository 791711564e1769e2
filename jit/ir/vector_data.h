// SPDX-License-Identifier: Apache-2.0

// Constants in memory.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

namespace jit {

// A constant of the module with the elements of `vector`, of fixed length, not a constant
// expression and without undefined elements that matter, one after the other; those of bits as
// bits. It starts at a multiple of 64 bytes.
llvm::GlobalVariable* makeVectorData(llvm::Module& module, const llvm::Constant& vector);

// The module's constant of these contents, aligned so or better; null where there is none.
llvm::GlobalVariable* findConstantData(llvm::Module& module, const llvm::Constant& contents,
                                       llvm::Align alignment);

}  // namespace jit
