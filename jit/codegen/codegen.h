// SPDX-License-Identifier: Apache-2.0

// LLVM's code generator: a module in, a relocatable object or assembly out.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Error.h>

#include <memory>
#include <string>

#include "jit/base/target.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
}  // namespace llvm

namespace jit {

// One request's code generator: LLVM's target machines are not thread-safe.
// Kind of failure: Internal.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTargetMachine(const Target& target);

// Makes LLVM's code generation heed the time limit of contained work (jit/base/containment.h).
void heedTimeLimitBetweenPasses(llvm::LLVMContext& context);

// Gives the module the machine's data layout; before any pass.
void setDataLayout(llvm::Module& module, const llvm::TargetMachine& machine);

// Gives each function of the module what the target prescribes besides features.
void setTargetAttributes(llvm::Module& module, const Target& target);

// An ELF object for x86-64. Uses the module up. Kind of failure: Internal.
llvm::Expected<llvm::SmallVector<char, 0>> generateObject(llvm::Module& module,
                                                          llvm::TargetMachine& machine);

// The same as text, for people; the module stays as it is. Kind of failure: Internal.
llvm::Expected<std::string> generateAssembly(const llvm::Module& module, const Target& target);

}  // namespace jit
