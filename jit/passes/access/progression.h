// SPDX-License-Identifier: Apache-2.0

// Vectors that count up: element l is first + l * step.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <optional>

namespace jit::simt {

// Element l of a vector of integers is first + l * step. `first` is made at the builder's
// insertion point.
struct Progression {
  llvm::Value* first;
  int64_t step;
};

// Addresses base + first + l * step.
struct AddressProgression {
  llvm::Value* base;   // ptr
  llvm::Value* first;  // i64
  int64_t step;
};

// Sees progressions in the computation of a vector. What it needs of their first elements is made
// at the builder's insertion point, also when it finds none in the end.
class Decomposer {
 public:
  // `all_accessed`: of addresses, whether all are certainly accessed.
  explicit Decomposer(llvm::IRBuilder<>& ir, bool all_accessed = false)
      : ir_(ir), all_accessed_(all_accessed) {}

  std::optional<Progression> integers(llvm::Value* v, int depth = 0);
  std::optional<AddressProgression> addresses(llvm::Value* v, int depth = 0);

  // `constant` is a vector. The first element is a constant too.
  static std::optional<Progression> constants(llvm::Constant* constant);

 private:
  // `v` is `narrow` widened; `may_wrap`: narrow may wrap around from one element to the next.
  std::optional<Progression> extended(llvm::Value* v, llvm::Value* narrow, int depth,
                                      bool may_wrap = true);

  llvm::IRBuilder<>& ir_;
  const bool all_accessed_;
};

}  // namespace jit::simt
