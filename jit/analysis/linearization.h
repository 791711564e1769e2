// SPDX-License-Identifier: Apache-2.0

// How divergent control flow becomes one instruction stream: the order of emission, which blocks
// are reached by real branches and which by falling through with a mask, and which blocks run
// with the same invocations.
//
// A subgroup runs the blocks of a function in structured order. A branch that all live
// invocations take together is a real branch ("direct"). Otherwise the branch is deferred: the
// invocations that take it are added to the target's mask, and the stream goes on with the next
// block in order whose mask may be non-empty. As a merge block comes after everything in its
// construct, invocations wait there for each other: that is maximal reconvergence.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/BitVector.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "jit/spirv/structure.h"

namespace jit::simt {

inline constexpr uint32_t kNoNode = ~0u;

// How a node gets control and which invocations it has.
enum class Arrival : uint8_t {
  Direct,      // real branches only; the invocations of `mask_class`
  Rejoin,      // falling through, always; the invocations of `mask_class` are together again
  Accumulate,  // falling through; the invocations that branched here, perhaps none
};

// One entry of the order: a block, or the latch of a loop, which all back edges go to.
struct Node {
  uint32_t block = 0;  // index in Function::blocks; of a latch: the loop's header
  bool latch = false;
  uint32_t loop = kNoNode;          // node of the innermost loop's header that contains this one (a
                                    // header and its latch belong to their own loop)
  uint32_t header_latch = kNoNode;  // of a loop header: its latch
  uint32_t outer_loop = kNoNode;    // of a loop header: the header of the loop around it
  uint32_t dominator = kNoNode;     // immediate dominator
  std::vector<uint32_t> successors;    // nodes, parallel to Block::successors(); back edges go to
                                       // latches; a latch has none listed
  std::vector<uint32_t> predecessors;  // nodes, each once

  Arrival arrival = Arrival::Direct;
  // A loop header (always Direct) that invocations leave at different times: it has its own mask.
  bool dynamic_header = false;
  // Nodes of one class run with the same invocations. The class is named by a node that
  // introduces the mask: 0 is the whole subgroup.
  uint32_t mask_class = 0;
  // Where the stream goes on after a deferred branch or a return (`next`), and when an Accumulate
  // node finds nobody (`skip`): kNoNode is the end of the function. `check` is false when
  // somebody must be there.
  uint32_t next = kNoNode;
  uint32_t skip = kNoNode;
  bool check = false;
};

class Linearization {
 public:
  Linearization(const spirv::Function& function, const spirv::Structure& structure);

  // Decides arrivals and classes given which nodes end in a branch that may vary between live
  // invocations. May be called again when more nodes turn out to vary.
  void solve(const std::function<bool(uint32_t node)>& varies);

  const std::vector<Node>& nodes() const { return nodes_; }
  uint32_t nodeOf(spirv::Id label) const { return node_of_label_.at(label); }
  bool dominates(uint32_t a, uint32_t b) const;
  bool inLoop(uint32_t node, uint32_t header) const;  // header: node of a loop header
  // The innermost loop with a dynamic header around `node`, kNoNode when there is none.
  uint32_t dynamicLoop(uint32_t node) const;
  // Whether a path from `from` to `to` leaves a loop that invocations leave at different times.
  bool leavesDynamicLoop(uint32_t from, uint32_t to) const {
    const uint32_t loop = dynamicLoop(from);
    return loop != kNoNode && !inLoop(to, loop);
  }
  // Whether invocations can come to `node` from several blocks at one time, or one after the other
  // out of a loop, so that what they bring has to be put together. They cannot where each of its
  // predecessors has all of them or none.
  bool gathers(uint32_t node) const { return gathers_[node]; }

 private:
  struct Construct {
    uint32_t header, merge;  // nodes; merge kNoNode: unreachable
    uint32_t continue_target = kNoNode;
    bool loop = false;
    bool closed = false;  // every exit leads to the merge block
    uint32_t end = 0;     // nodes [header, end) are its own
  };
  void computeDominators();
  void classify(const std::function<bool(uint32_t)>& varies);
  bool uniformExits(const Construct& loop, const std::function<bool(uint32_t)>& varies) const;
  bool findPending(const std::function<bool(uint32_t)>& varies);
  void findGathering(const std::function<bool(uint32_t)>& varies);
  void findMeetings(llvm::ArrayRef<uint32_t> targets, llvm::BitVector& meetings) const;

  const spirv::Function& function_;
  std::vector<Node> nodes_;
  std::unordered_map<spirv::Id, uint32_t> node_of_label_;
  std::vector<Construct> constructs_;
  std::vector<uint32_t> merge_construct_;     // by node: index in constructs_ it is the merge of
  std::vector<uint32_t> continue_construct_;  // by node: index of the loop it is continue of
  std::vector<bool> forced_;                  // by node: must accumulate
  std::vector<bool> dynamic_;                 // by node: header with its own mask
  std::vector<uint32_t> entry_class_;         // by node: class before a dynamic header's own
  llvm::BitVector gathers_;                   // by node
};

}  // namespace jit::simt
