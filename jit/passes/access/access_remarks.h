// SPDX-License-Identifier: Apache-2.0

// What is left of a kernel's memory accesses that is slow, and why it could not be made fast, as
// remarks (jit/ir/remarks.h).
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace llvm {
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace jit::simt {

// Remarks on each gather and scatter, and on each local array that is in memory.
void remarkOnAccesses(llvm::Function& function);

// Why the lanes' addresses, a vector of pointers, are not those of elements of `bytes` bytes side
// by side: in the terms of a shader's author, as the end of a sentence.
std::string whyNotContiguous(const llvm::Value& addresses, int64_t bytes);

}  // namespace jit::simt
