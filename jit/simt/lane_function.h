// SPDX-License-Identifier: Apache-2.0

// Long code that computes something of the lanes of a vector, as a function that all who want the
// same may call.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Module.h>

#include "jit/ir/function_kind.h"
#include "jit/simt/simt_builder.h"

namespace jit::simt {

// What `emit` computes of `v`, a vector of numbers, by a call of a helper function: something of
// type `result`. `what`, a key of FunctionKind::Lanes, has all that the code depends on besides the
// type of `v` and the builder's fast-math flags; `emit` writes it on first use, into one block, of
// its arguments alone.
llvm::Value* callLaneFunction(
    SimtBuilder& simt, const FunctionKey& what, llvm::Value* v, llvm::Type* result,
    llvm::function_ref<llvm::Value*(SimtBuilder& simt, llvm::Value* v)> emit);

// Functions made by callLaneFunction that have a few calls are inlined there: what a call costs
// shows in loops. The others stay, so that compiling does not take longer with each call.
void inlineLaneFunctions(llvm::Module& module);

}  // namespace jit::simt
