// SPDX-License-Identifier: Apache-2.0

// Dot products of four bytes each, for all lanes, as one operation of the module: a call of a
// declared function (FunctionKind::ByteDot), which jit/passes/machine/byte_dots.h makes
// instructions of.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <optional>

namespace rt {
struct CpuFeatures;
}

namespace jit {

// Whether there are instructions for such products of this many lanes.
bool hasByteDots(const rt::CpuFeatures& features, unsigned lanes);

struct ByteDot {
  // Vectors of 32-bit elements, four bytes each.
  llvm::Value* a;
  llvm::Value* b;
  // Whether their bytes are signed.
  bool a_signed;
  bool b_signed;
};

// The sums of a[k] * b[k], k < 4, in 32 bits, for each element.
llvm::Value* emitByteDot(llvm::IRBuilderBase& builder, const ByteDot& dot);

// What `value` is the sums of, if it is such a call.
std::optional<ByteDot> byteDotOf(llvm::Value* value);

}  // namespace jit
