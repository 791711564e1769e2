// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/coverage_flags.h"

#include <algorithm>
#include <map>

#include "jit/base/coverage.h"

namespace jit::spirv {

namespace {

constexpr uint32_t kNoFlag = ~0u;

class CoverageNumbering {
 public:
  explicit CoverageNumbering(Module& module)
      : module_(module), blocks_(module.entry.blocks), predecessors_(blocks_.size()) {
    for (uint32_t b = 0; b < blocks_.size(); ++b) number_of_.emplace(blocks_[b].label, b);
    for (uint32_t b = 0; b < blocks_.size(); ++b)
      for (const uint32_t next : successorsOf(b)) predecessors_[next].push_back(b);
    module_.coverage.assign(blocks_.size(), {.flag = kNoFlag});
  }

  uint32_t run() {
    for (uint32_t b = 0; b < blocks_.size(); ++b) numberBlock(b);
    for (uint32_t b = 0; b < blocks_.size(); ++b) numberBranches(b);
    return std::min(next_, kMostCoverageFlags);
  }

 private:
  std::vector<uint32_t> successorsOf(uint32_t b) const {
    std::vector<uint32_t> numbers;
    for (const Id label : blocks_[b].successors()) numbers.push_back(number_of_.at(label));
    return numbers;
  }

  // The block that comes before this one whenever this one begins to be reached, and always goes
  // on to it; kNoFlag: there is none.
  uint32_t leaderOf(uint32_t b) const {
    std::vector<uint32_t> from = predecessors_[b];
    // What branches back to a loop's header has come from there.
    if (blocks_[b].merge_kind == MergeKind::Loop)
      std::erase_if(from, [b](uint32_t predecessor) { return predecessor >= b; });
    const bool is_led =
        from.size() == 1 && from[0] < b && blocks_[from[0]].terminator.op == spv::Op::OpBranch;
    return is_led ? from[0] : kNoFlag;
  }

  uint32_t newFlag() { return std::min(next_++, kMostCoverageFlags - 1); }

  void numberBlock(uint32_t b) {
    const uint32_t leader = leaderOf(b);
    CoveredBlock& covered = module_.coverage[b];
    covered.sets_flag = leader == kNoFlag;
    covered.flag = covered.sets_flag ? newFlag() : module_.coverage[leader].flag;
  }

  void numberBranches(uint32_t b) {
    const spv::Op op = blocks_[b].terminator.op;
    if (op != spv::Op::OpBranchConditional && op != spv::Op::OpSwitch) return;
    for (const uint32_t target : successorsOf(b)) {
      // Who comes to a block that is reached from nowhere else has taken the branch.
      const bool tells = predecessors_[target].size() == 1;
      module_.coverage[b].branches.push_back(
          {.flag = tells ? module_.coverage[target].flag : newFlag(), .sets_flag = !tells});
    }
  }

  Module& module_;
  const std::vector<Block>& blocks_;
  std::map<Id, uint32_t> number_of_;
  std::vector<std::vector<uint32_t>> predecessors_;
  uint32_t next_ = 1;
};

}  // namespace

uint32_t numberCoverage(Module& module) { return CoverageNumbering(module).run(); }

}  // namespace jit::spirv
