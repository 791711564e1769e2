// SPDX-License-Identifier: Apache-2.0

// Elementary functions of binary32 in LLVM IR, for a vector at a time. Each is an internal
// function of the module, made when it is first called with a width, so that a shader pays for it
// once however often it calls it. docs/numerics.md has the accuracy of each.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "jit/base/target.h"

namespace jit::math {

enum class Function : uint8_t {
#define UNARY(name) name,
#define BINARY(name) name,
#include "jit/math/functions.def"
};

// The function of floats, or vectors of floats, element by element. A vector that takes more
// registers than a function can return is cut into several calls.
llvm::Value* call(llvm::IRBuilderBase& builder, const Target& target, Function function,
                  llvm::ArrayRef<llvm::Value*> arguments);

// An instruction that calls one of them.
bool isCall(const llvm::Instruction& instruction);

}  // namespace jit::math
