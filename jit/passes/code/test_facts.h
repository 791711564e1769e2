// SPDX-License-Identifier: Apache-2.0

// What tests that have been passed tell of numbers.
#pragma once

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Value.h>
#include <llvm/Support/KnownBits.h>

#include <optional>
#include <utility>
#include <vector>

namespace jit {

// Of scalars, along a path of blocks: what is learnt at one is forgotten where the path goes back.
class TestFacts {
 public:
  struct Fact {
    llvm::KnownBits bits;
    llvm::APInt most;  // without sign
  };

  bool empty() const { return known_.empty(); }
  // Null where nothing is known.
  const Fact* of(llvm::Value* value) const;

  // What follows from `condition`, which has turned out to be `holds`: of equality with constants
  // and upper limits, of parts of numbers, and of several at once.
  void learn(llvm::Value* condition, bool holds) { learn(condition, holds, kMaxDepth); }

  // Forgets what has been learnt since this mark was taken.
  size_t mark() const { return before_.size(); }
  void forget(size_t mark);

 private:
  static constexpr unsigned kMaxDepth = 8;  // of a condition

  void learn(llvm::Value* condition, bool holds, unsigned depth);
  void add(llvm::Value* value, const llvm::KnownBits& bits, unsigned depth);
  void isAtMost(llvm::Value* value, const llvm::APInt& limit, unsigned depth);
  Fact& change(llvm::Value* value);

  llvm::DenseMap<llvm::Value*, Fact> known_;
  std::vector<std::pair<llvm::Value*, std::optional<Fact>>> before_;
};

}  // namespace jit
