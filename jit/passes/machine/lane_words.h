// SPDX-License-Identifier: Apache-2.0

// Values of which each lane has a word of what it has read side by side, `vector.xy` say, and the
// same computation on all of these words at once, as they lie.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>

#include <optional>
#include <utility>

namespace jit {

// What lanes have read, the lanes one behind the other: a vector, or two halves of one; of one, the
// second is null.
using LaneBase = std::pair<llvm::Value*, llvm::Value*>;

// 32 bits of each lane's: word `index` of the `count` (a power of two, 2 or more) that `base` has
// for each lane.
struct LaneWord {
  LaneBase base;
  unsigned count;
  unsigned index;
};

// The word that `value`, a vector of 32-bit elements, is, however shifts, masks and shuffles say
// it.
std::optional<LaneWord> laneWordOf(llvm::Value* value);

// The first such word that `value` is computed from, element by element.
std::optional<LaneWord> firstLaneWordOf(llvm::Value* value);

// Whether value k is what an operation on elements, the same one for all, makes of word k of one
// base.
bool areOfAllWords(llvm::ArrayRef<llvm::Value*> values);

// Such values as one vector: element k of each lane's `values.size()` is its element of value k.
llvm::Value* emitOnAllWords(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> values);

}  // namespace jit
