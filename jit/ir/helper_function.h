// SPDX-License-Identifier: Apache-2.0

// Internal functions that the compiler adds to a module, one for each key, shared by all callers.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>

#include "jit/ir/function_kind.h"

namespace jit::ukernel {

// Where helper functions go, and the function whose target attributes they take.
struct HelperScope {
  llvm::Module& module;
  const llvm::Function& like;
};

// A new internal function of this key: it is not inlined, always returns and touches memory as
// `memory` says. Its entry block is empty.
llvm::Function* createHelperFunction(const HelperScope& scope, const FunctionKey& key,
                                     llvm::FunctionType* type, llvm::MemoryEffects memory);

// The one of this key, which returns nothing; `emit` fills it on first use and leaves the builder
// where it returns. Unless `memory` says otherwise it touches memory only through its arguments
// (and prefetches). Arguments of pointer type do not alias each other.
llvm::Function* helperFunction(
    const HelperScope& scope, const FunctionKey& key, llvm::ArrayRef<llvm::Type*> parameters,
    const std::function<void(llvm::IRBuilder<>&, llvm::Function&)>& emit,
    llvm::MemoryEffects memory = llvm::MemoryEffects::inaccessibleOrArgMemOnly());

// Whether a function was made by one of these, as its metadata says.
bool isHelperFunction(const llvm::Function& function);

// Emits `for (i = 0; i < count; i += step) body(i)`; `count` is i64 and runs at least once.
void emitLoop(llvm::IRBuilder<>& builder, llvm::Value* count, uint64_t step,
              const std::function<void(llvm::Value* i)>& body);

// Emits `if (condition) body()`; `condition` is i1.
void emitIf(llvm::IRBuilder<>& builder, llvm::Value* condition, llvm::function_ref<void()> body);

// How many of `count` lines, `together` of which make a piece, code that copies lines takes in an
// iteration of its loop: enough to hide the loop, few to compile. All where that does not divide
// them.
uint32_t linesPerIteration(uint32_t count, uint32_t together);

// Emits `count` iterations of a loop over values that begin as `start`; `body` gets them and
// returns what they are in the next one. Returns what they are in the end. A single iteration has
// no loop.
llvm::SmallVector<llvm::Value*> emitIterations(
    llvm::IRBuilder<>& builder, uint32_t count, llvm::ArrayRef<llvm::Value*> start,
    llvm::function_ref<llvm::SmallVector<llvm::Value*>(llvm::ArrayRef<llvm::Value*>)> body);

// Bytes that the processor's caches move at a time, on all targets.
inline constexpr uint32_t kCacheLine = 64;

// Prefetches the cache line of `address`, which may be anything, to the second-level cache.
void emitPrefetchToSecondLevel(llvm::IRBuilderBase& builder, llvm::Value* address);
// The same of the lines of `base` + `begin` up to `base` + `end`, in bytes.
void emitPrefetchesToSecondLevel(llvm::IRBuilderBase& builder, llvm::Value* base, int64_t begin,
                                 int64_t end);

// base + bytes.
llvm::Value* offsetBy(llvm::IRBuilderBase& builder, llvm::Value* base, llvm::Value* bytes);
llvm::Value* offsetBy(llvm::IRBuilderBase& builder, llvm::Value* base, uint64_t bytes);

}  // namespace jit::ukernel
