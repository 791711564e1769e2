// SPDX-License-Identifier: Apache-2.0

// Where an optimisation was declined, and why: LLVM's missed remarks, for people who write shaders.
// Passes emit them; reasons are found only where somebody listens.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

#include <string>

#include "jit/base/remark.h"

namespace llvm {
class Instruction;
class LLVMContext;
}  // namespace llvm

namespace jit {

// Says that `pass` has left `where` as it is, which is counted in any case. `reason` is asked only
// where somebody listens.
void declined(llvm::StringRef pass, RemarkKind kind, const llvm::Instruction& where,
              llvm::function_ref<std::string()> reason);

}  // namespace jit
