// SPDX-License-Identifier: Apache-2.0

// Where an optimisation was declined, and why: LLVM's missed remarks, for people who write shaders.
// Passes emit them; reasons are found only where somebody listens.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "jit/remark.h"

namespace llvm {
class Instruction;
class LLVMContext;
}  // namespace llvm

namespace jit {

// Says that `pass` has left `where` as it is, which is counted in any case. `reason` is asked only
// where somebody listens.
void declined(llvm::StringRef pass, RemarkKind kind, const llvm::Instruction& where,
              llvm::function_ref<std::string()> reason);

// For people: a line each, `FILE:LINE:COLUMN: NAME: REASON [PASS]`, equal ones once with their
// number; the place is missing where the module does not say it.
std::string describeRemarks(std::span<const Remark> remarks);

// In LLVM's own format of optimization records, which its tools read.
std::string remarksAsYaml(std::span<const Remark> remarks);

}  // namespace jit
