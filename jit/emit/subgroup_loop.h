// SPDX-License-Identifier: Apache-2.0

// What a wide stream's code needs to be emitted in part for one subgroup, in loops over the
// subgroups (emit_regions.cpp). Internal to jit/emit.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "jit/analysis/subgroup_regions.h"
#include "jit/emit/emit_lanes.h"
#include "jit/emit/lane_context.h"
#include "jit/emit/stream.h"

namespace jit::spirv {

// How what a subgroup makes is kept.
enum class Kept : uint8_t {
  Shared,   // all of the workgroup have the same
  Own,      // as the subgroup's live invocations have it
  Blended,  // those that are not live keep what they had
};

// A leaf of which each subgroup has its part.
struct DividedLeaf {
  llvm::Value* same = nullptr;  // what all subgroups have, and needs no memory
  // By its type: a vector of the wide stream's lanes; an array with one number for each subgroup;
  // or one number for all of them.
  llvm::AllocaInst* slot = nullptr;
  // How lanes follow from lane 0 (without numbers), where that is known; what lane 0 of each
  // subgroup has, and what bits add that is known at run time. If that is all there is to say,
  // there is no `slot`.
  std::optional<LaneForm> form;
  llvm::AllocaInst* first = nullptr;
  llvm::SmallVector<std::pair<unsigned, llvm::AllocaInst*>, 1> runtime;
};

struct DividedValue {
  const Type* type = nullptr;
  llvm::SmallVector<DividedLeaf, 4> leaves;
};

struct DividedPointer {
  Pointer pointer;  // but for these
  DividedLeaf base, offset, size, range, within;
};

// By id.
struct DividedValues {
  std::unordered_map<Id, DividedValue> values;
  std::unordered_map<Id, DividedPointer> pointers;
  // All slots of which a subgroup has a part.
  llvm::DenseSet<const llvm::AllocaInst*> slots;
};

// A loop over the subgroups while its body is emitted.
struct SubgroupLoop {
  Stream wide;  // the stream outside of it
  llvm::PHINode* subgroup = nullptr;
  llvm::BasicBlock *body = nullptr, *latch = nullptr;
  std::optional<LaneScope> scope;
  const simt::SubgroupRegion* region = nullptr;  // that is its body; null: some other code
  std::unordered_set<Id> results;                // of the region
  std::unordered_set<Id> defined;  // ids that have a subgroup's value, or its pointer, now
  // Pointers to the region's variables outside of it.
  std::unordered_map<Id, Pointer> variables;
};

}  // namespace jit::spirv
