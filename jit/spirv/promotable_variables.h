// SPDX-License-Identifier: Apache-2.0

// Which variables can become values, and what leads to them. Internal to promote_variables.cpp.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>

#include "jit/spirv/module.h"

namespace jit::spirv {

// The Function and Private variables of an entry point that are only loaded and stored, as a whole
// or by constant indices, or component by component where the variable is a short vector.
class PromotableVariables {
 public:
  struct Candidate {
    const Variable* variable;
    uint32_t number = 0;  // of those that do not stay
    bool stays = false;
  };
  // A pointer to a variable, or to the part of it that the indices name.
  struct AccessPath {
    uint32_t variable;  // in candidates()
    llvm::SmallVector<uint32_t, 2> indices;
    const Type* type;
    Id component = 0;  // of a vector variable, chosen by this value; 0: not so
    bool isWhole() const { return indices.empty() && component == 0; }
  };

  // `order`: the numbers of all blocks, those that dominate others before them. `by_value`: whether
  // values may choose components of vectors.
  PromotableVariables(const Module& module, llvm::ArrayRef<size_t> order, bool by_value);

  llvm::ArrayRef<Candidate> candidates() const { return candidates_; }
  uint32_t count() const { return count_; }  // of those that do not stay
  const Type* typeOf(const AccessPath& path) const {
    return candidates_[path.variable].variable->type->element;
  }
  uint32_t numberOf(const AccessPath& path) const { return candidates_[path.variable].number; }
  // The path that an instruction loads, stores, makes undefined or goes on from, where that is all
  // that it does with it; null: none.
  const AccessPath* accessedBy(const Instruction& i) const;
  bool contains(Id variable) const { return paths_.contains(variable); }

 private:
  void declare(const Variable& v);
  void findPaths(llvm::ArrayRef<size_t> order);
  bool follow(const Instruction& chain, AccessPath& path) const;
  Id accessed(const Instruction& i) const;
  const Type* typeAt(Id pointer) const;
  void keepWhatIsUsedOtherwise();

  const Module& module_;
  const bool by_value_;
  std::vector<Candidate> candidates_;
  uint32_t count_ = 0;
  std::unordered_map<Id, AccessPath> paths_;
};

}  // namespace jit::spirv
