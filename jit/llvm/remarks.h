// SPDX-License-Identifier: Apache-2.0

// Where an optimisation was declined, and why: LLVM's missed remarks, for people who write shaders.
// Passes emit them; they cost nothing unless somebody listens.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "jit/compiler.h"

namespace llvm {
class Instruction;
class LLVMContext;
}  // namespace llvm

namespace jit {

enum class RemarkKind : uint8_t {
#define REMARK(id, name, what) id,
#include "jit/llvm/remarks.def"
#undef REMARK
};

// Says that `pass` has left `where` as it is. `reason` is asked only where somebody listens.
void declined(llvm::StringRef pass, RemarkKind kind, const llvm::Instruction& where,
              llvm::function_ref<std::string()> reason);

llvm::StringRef nameOf(RemarkKind kind);
bool isRemarkOfOurs(llvm::StringRef name);

// Whether anybody does.
bool anyoneListens(const llvm::LLVMContext& context);

// For people: a line each, `FILE:LINE:COLUMN: NAME: REASON [PASS]`, equal ones once with their
// number; the place is missing where the module does not say it.
std::string describeRemarks(std::span<const Remark> remarks);

// In LLVM's own format of optimization records, which its tools read.
std::string remarksAsYaml(std::span<const Remark> remarks);

}  // namespace jit
