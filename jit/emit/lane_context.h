// SPDX-License-Identifier: Apache-2.0

// The lanes that an instruction is being emitted for, and how it sees its operands there. Nobody
// changes a width or a view but by a LaneScope. Internal to jit/emit.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>

#include "jit/emit/values.h"
#include "jit/simt/simt_builder.h"

namespace jit::spirv {

// What one subgroup of a wide stream has of an instruction's operands; constants are left out.
struct SubgroupOperands {
  std::unordered_map<Id, Value> values;
  std::unordered_map<Id, Pointer> pointers;
};

// One lane of those whose move is known: 0, or 2^bit.
struct LaneView {
  std::optional<unsigned> bit;
};

// The views:
//   the stream's     ids have the values that they have in the stream: for all of its lanes;
//   one subgroup's   of a wide stream: operands are what the subgroup has of them, and the width is
//                    its own;
//   one lane's       operands are scalars, as if all lanes had what this one has. The width stays.
struct LaneContext {
  uint32_t width;                              // lanes without an invocation among them
  llvm::Value* existing = nullptr;             // lanes with an invocation, <width x i1>; null: all
  const SubgroupOperands* subgroup = nullptr;  // null: another view
  std::optional<LaneView> lane;                // none: another view
  // Where the instruction's result goes; null: it becomes the value of the result's id.
  std::optional<Value>* result = nullptr;

  bool isOneSubgroup() const { return subgroup != nullptr; }

  static LaneContext ofStream(uint32_t width) { return {.width = width}; }
  static LaneContext ofSubgroup(uint32_t width, const SubgroupOperands& operands,
                                std::optional<Value>& result) {
    return {.width = width, .subgroup = &operands, .result = &result};
  }
  // As this one, but for where the result goes, and, with a view, of one lane.
  LaneContext givingTo(std::optional<Value>& result, std::optional<LaneView> view) const {
    LaneContext context = *this;
    context.lane = view;
    context.result = &result;
    return context;
  }
};

// As long as it lives, `current` is `context`, and the builder's width and mask are those of it:
// `mask` are its live lanes, null: all of them. Then all is as it was before.
class LaneScope {
 public:
  LaneScope(LaneContext& current, simt::SimtBuilder& simt, LaneContext context, llvm::Value* mask)
      : current_(current),
        simt_(simt),
        before_(std::exchange(current, std::move(context))),
        mask_before_(std::exchange(simt.mask, mask)) {
    simt.width = current.width;
  }
  ~LaneScope() {
    current_ = std::move(before_);
    simt_.width = current_.width;
    simt_.mask = mask_before_;
  }
  LaneScope(const LaneScope&) = delete;
  LaneScope& operator=(const LaneScope&) = delete;

 private:
  LaneContext& current_;
  simt::SimtBuilder& simt_;
  LaneContext before_;
  llvm::Value* mask_before_;
};

}  // namespace jit::spirv
