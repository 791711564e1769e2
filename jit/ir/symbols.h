// SPDX-License-Identifier: Apache-2.0

// C functions that generated code may call.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/Support/ModRef.h>

#include <string_view>

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace jit {

// Address of a function in jit/ir/symbols.def; null when it is not there.
const void* findSymbol(std::string_view name);

// Whether a function is declared only, and stands for one of these.
bool isRuntimeFunction(const llvm::Function& function);

// The function of the runtime that symbols.def has by this name, declared in `module`. It returns,
// throws nothing, and has no other effects than those given.
llvm::FunctionCallee runtimeFunction(llvm::Module& module, llvm::StringRef name, llvm::Type* result,
                                     llvm::ArrayRef<llvm::Type*> parameters,
                                     llvm::MemoryEffects effects);

}  // namespace jit
