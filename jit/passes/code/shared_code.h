// SPDX-License-Identifier: Apache-2.0

// Code that an emitter writes several times, once as a function: what stands for an instruction of
// the shader's and is long.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>

namespace jit {

// Makes internal functions, FunctionKind::SharedCode, which are returned, of marked code that is
// there more than once. They take the arguments of `function`, and then scalars and pointers that
// the code finds computed; if it takes vectors or gives values, or has barriers or debug locations,
// it stays where it is. Variables that only the code uses become the new function's, unless they
// are larger than 1 MiB together. `function` is as it was emitted: valid SSA, variables in memory.
llvm::SmallVector<llvm::Function*> outlineSharedCode(llvm::Function& function);

// A parameter of an internal function that is the same constant at all calls becomes that constant.
// Where calls pass different ones, each set of constants has a function of its own. Functions that
// nobody calls are erased. Returns all that are left.
llvm::SmallVector<llvm::Function*> specializeByConstants(llvm::ArrayRef<llvm::Function*> functions);

// Removes the marks and does nothing else.
void keepSharedCodeInPlace(llvm::Function& function);

}  // namespace jit
