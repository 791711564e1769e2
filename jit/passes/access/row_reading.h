// SPDX-License-Identifier: Apache-2.0

// Gathers in loops whose lanes all move on by the same each iteration: which of them can be read a
// row of each lane at a time (jit/passes/access/rows_ahead.h).
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>
#include <vector>

#include "jit/passes/access/lane_addresses.h"
#include "jit/passes/access/loop_steps.h"
#include "jit/passes/access/masked_access.h"

namespace jit::simt {

inline constexpr uint32_t kRowWordBytes = 4;

// What of each lane is read together.
struct RowShape {
  uint32_t lanes, words;  // of each lane
  uint32_t bytes() const { return words * kRowWordBytes; }
};

// A lane's access is inside of its object, and done, where what is added to its address passes a
// comparison with a limit. Elsewhere it is 0.
struct RowBounds {
  llvm::CmpInst::Predicate predicate;  // less than the limit, or not greater
  llvm::Value *offsets, *limit;
};

struct ReadingOn {
  llvm::IntrinsicInst* gather;
  MaskedAccess access;  // its mask is that of all iterations, without `bounds`
  LaneAddresses addresses;
  int64_t step;  // bytes an iteration
  std::optional<RowBounds> bounds;

  uint64_t bytes() const {  // of an element
    return gather->getDataLayout().getTypeStoreSize(access.type()->getElementType());
  }
  RowShape shape(uint32_t vector_bytes) const;
};

// Gathers of one block, in its order, that lie within a row's step. Offsets are past the first
// one's addresses.
struct Row {
  std::vector<ReadingOn> members;
  int64_t first = 0;        // where the row begins
  uint32_t iterations = 0;  // that are read together
  uint32_t follow = 0;      // iterations that must follow, this one included

  int64_t offsetOf(const ReadingOn& member) const {
    return member.addresses.offset - members[0].addresses.offset;
  }
};

// The test whether another iteration follows, or whether it reads inside of bounds: that is so
// where `start` + t * `step`, in iteration t and in all lanes, has not come to `limit`.
struct IterationCondition {
  llvm::CmpInst::Predicate predicate;  // holds: another iteration
  llvm::Value *start, *limit;          // integers or vectors of them; known in front of the loop
  llvm::APInt added;                   // to `start`
  int64_t step;
  llvm::Value* live = nullptr;  // lanes of which it is asked; null: all
};

// What is known of a function, before any of its blocks is split.
struct RowReadingContext {
  const llvm::LoopInfo& loops;
  const llvm::DominatorTree& dominators;
  const llvm::PostDominatorTree& post_dominators;
  uint32_t vector_bytes;
  bool large_objects;
};

// Of one loop that has a preheader and one latch.
class RowReading {
 public:
  RowReading(llvm::Loop& loop, const RowReadingContext& context);

  // What can be read in rows. What cannot, and moves on all the same, gets to know why
  // (kReadsOn).
  std::vector<Row> find();

  // There, where anything is found: an iteration is certain where all of them say so.
  const std::vector<IterationCondition>& conditions() const { return conditions_; }

  // Whether find() has put anything in front of the loop.
  bool hasMoved() const { return moved_; }

 private:
  std::optional<ReadingOn> readingOn(llvm::Instruction& i);
  const char* objectionTo(const llvm::BasicBlock& block);
  bool isInEveryIteration(const llvm::BasicBlock& block);
  bool writes() const;
  bool hoist(llvm::Value* v, int depth);
  llvm::Value* atStart(llvm::Value* v, int depth);
  bool asksForBounds(const Row& row);
  std::optional<RowBounds> takeBounds(MaskedAccess& access) const;
  std::optional<std::pair<llvm::ICmpInst*, llvm::CmpInst::Predicate>> comparisonOf(
      llvm::Value& condition, const llvm::BasicBlock& when_true) const;
  std::optional<IterationCondition> findCondition();
  std::vector<Row> rowsOf(std::vector<ReadingOn> reading) const;
  std::optional<Row> rowOf(std::vector<ReadingOn> members) const;

  llvm::Loop& loop_;
  const RowReadingContext& context_;
  LoopSteps steps_;
  std::vector<IterationCondition> conditions_;  // the loop's own first, once it is found
  std::optional<bool> writes_;
  bool moved_ = false;
  llvm::DenseMap<llvm::Instruction*, llvm::Value*> at_start_;  // what has been asked for
};

}  // namespace jit::simt
