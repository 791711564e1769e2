// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/masks/full_regions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include "jit/ir/marks.h"
#include "jit/passes/access/lane_addresses.h"
#include "jit/passes/access/masked_access.h"
#include "jit/passes/access/progression.h"
#include "jit/passes/masks/block_copy.h"
#include "jit/passes/masks/mask_test.h"

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

// Of a region, and of all together.
constexpr size_t kMaxInRegion = 512, kMaxCopied = 1024;
// Of regions inside of each other.
constexpr unsigned kMaxDepth = 3;
// Of a region that is short enough for its mask and the comparison to be a good part of the cost.
constexpr size_t kMaxShort = 96;

// The blocks behind a test, which are those that its other side does not lead to.
struct Region {
  BasicBlock* test;
  MaskTest mask;
  llvm::SmallVector<BasicBlock*, 16> blocks;  // the first one is where it is entered
};

// Whether a mask is `mask`, or that of some of its lanes, as rows of a subgroup have it.
bool isOfLanes(const Value* part, const Value* mask) {
  return part == mask || match(part, m_Shuffle(m_Specific(mask), m_Poison()));
}

// Whether an access costs more under a mask. Of lanes that are anywhere it does not.
bool isDearUnder(Instruction& i, const Value* mask, const llvm::TargetTransformInfo& machine) {
  const auto access = matchMaskedAccess(i);
  if (!access || !isOfLanes(access->mask, mask) || i.hasMetadata(kBehindTest)) return false;
  if (!access->isApart()) return !access->isLegal(access->type(), machine);
  if (laneAddressesOf(access->pointers, i.getDataLayout(), /*in_objects=*/false).lanes != nullptr)
    return true;
  llvm::IRBuilder<> ir(&i);  // what it makes is not used
  return Decomposer(ir).addresses(access->pointers).has_value();
}

using Blocks = llvm::SmallPtrSet<BasicBlock*, 32>;

class FullRegions {
 public:
  FullRegions(llvm::Function& function, const llvm::TargetTransformInfo& machine)
      : dominators_(function), loops_(dominators_), machine_(machine) {}

  // From the outside in: what is in a region that has a copy stays as it is. In `among`, if that is
  // not null; `copied` counts what copies there are, in instructions.
  void find(const Blocks* among, size_t& copied) {
    Blocks taken;
    for (auto* node : llvm::depth_first(dominators_.getRootNode())) {
      BasicBlock* block = node->getBlock();
      if (taken.contains(block) || (among != nullptr && !among->contains(block))) continue;
      const auto mask = maskTest(*block);
      if (!mask) continue;
      auto region = regionBehind(*block, *mask);
      if (!region) continue;
      for (BasicBlock* inside : region->blocks) copied += inside->size();
      if (copied > kMaxCopied) break;
      taken.insert(region->blocks.begin(), region->blocks.end());
      regions.push_back(std::move(*region));
    }
  }

  std::vector<Region> regions;

 private:
  std::optional<Region> regionBehind(BasicBlock& test, const MaskTest& mask) {
    BasicBlock* entry = test.getTerminator()->getSuccessor(1 - mask.when_empty);
    BasicBlock* skip = test.getTerminator()->getSuccessor(mask.when_empty);
    if (llvm::isa<llvm::Constant>(mask.mask) || skip == entry) return std::nullopt;
    const llvm::Loop* loop = loops_.getLoopFor(&test);
    if (loop != nullptr && (!loop->contains(entry) || !loop->contains(skip))) return std::nullopt;
    // Other paths lead there from inside only: back to a loop's header.
    const bool is_entry = llvm::all_of(llvm::predecessors(entry), [&](BasicBlock* from) {
      return from == &test || dominators_.dominates(entry, from);
    });
    if (!is_entry) return std::nullopt;
    Region region{&test, mask, {}};
    size_t instructions = 0;
    bool is_dear = false;
    llvm::SmallVector<BasicBlock*> dominated;
    dominators_.getDescendants(entry, dominated);
    for (BasicBlock* block : dominated) {
      instructions += block->size();
      if (instructions > kMaxInRegion || !isForEachLane(*block)) return std::nullopt;
      is_dear |=
          llvm::any_of(*block, [&](Instruction& i) { return isDearUnder(i, mask.mask, machine_); });
      region.blocks.push_back(block);
    }
    const bool is_short =
        instructions <= kMaxShort && isTestedByScalars(mask.mask) &&
        llvm::any_of(region.blocks, [&](BasicBlock* block) {
          return llvm::any_of(*block, [&](Instruction& i) {
            const auto access = matchMaskedAccess(i);
            return access && isOfLanes(access->mask, mask.mask) && !access->isApart();
          });
        });
    if (!is_dear && !is_short) return std::nullopt;
    return region;
  }

  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  const llvm::TargetTransformInfo& machine_;
};

// What only `region` uses of what its test computes is computed in `some`.
void sinkMask(const Region& region, BasicBlock& some) {
  auto is_there = [&](const llvm::Use& use) {
    auto* user = llvm::cast<Instruction>(use.getUser());
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    const BasicBlock* block = phi == nullptr ? user->getParent() : phi->getIncomingBlock(use);
    return block == &some || llvm::is_contained(region.blocks, block);
  };
  for (Instruction& i : llvm::make_early_inc_range(llvm::reverse(*region.test))) {
    if (llvm::isa<llvm::PHINode>(i) || i.isTerminator() || i.mayHaveSideEffects() ||
        i.mayReadFromMemory() || llvm::isa<llvm::AllocaInst>(i) || i.use_empty())
      continue;
    if (llvm::all_of(i.uses(), is_there)) i.moveBefore(some, some.getFirstInsertionPt());
  }
}

// Whether all are there, before whether somebody is.
void askFirst(const Region& region, const BlockCopy& copy) {
  BasicBlock* test = region.test;
  BasicBlock* some = llvm::SplitBlock(test, test->getTerminator());
  some->setName("some");
  test->getTerminator()->eraseFromParent();
  llvm::IRBuilder<> ir(test);
  // Where the comparisons are poison, the test is.
  ir.CreateCondBr(areAllLive(ir, region.mask.mask), copy.blocks()[0], some,
                  llvm::MDBuilder(ir.getContext()).createLikelyBranchWeights());
  sinkMask(region, *some);
}

// Whether all are there, where somebody is.
void askThen(const Region& region, const BlockCopy& copy) {
  BasicBlock* entry = region.blocks[0];
  auto* asks = BasicBlock::Create(entry->getContext(), "all", entry->getParent(), copy.blocks()[0]);
  region.test->getTerminator()->replaceSuccessorWith(entry, asks);
  llvm::IRBuilder<> ir(asks);
  // The test before it branches on the same numbers: they are not poison.
  ir.CreateCondBr(areAllLive(ir, region.mask.mask), copy.blocks()[0], entry,
                  llvm::MDBuilder(ir.getContext()).createLikelyBranchWeights());
  for (llvm::PHINode& phi : entry->phis()) phi.replaceIncomingBlockWith(region.test, asks);
  for (llvm::PHINode& phi : copy.blocks()[0]->phis())
    phi.replaceIncomingBlockWith(region.test, asks);
}

// `mask` is full in `blocks`: what is made of it and others there is made of those.
void assumeFull(llvm::ArrayRef<BasicBlock*> blocks, Value* mask) {
  llvm::Constant* full = llvm::Constant::getAllOnesValue(mask->getType());
  for (BasicBlock* block : blocks) {
    for (Instruction& i : llvm::make_early_inc_range(*block)) {
      if (!llvm::is_contained(i.operands(), mask)) continue;
      i.replaceUsesOfWith(mask, full);
      if (Value* simpler = llvm::simplifyInstruction(&i, i.getDataLayout())) {
        i.replaceAllUsesWith(simpler);
        if (llvm::isInstructionTriviallyDead(&i)) i.eraseFromParent();
      }
    }
  }
}

// The blocks of the copy go to `copies`.
void write(Region& region, Blocks& copies) {
  // A loop's header is entered through a block of its own.
  if (BasicBlock* entry = region.blocks[0]; entry->getSinglePredecessor() == nullptr)
    region.blocks.insert(region.blocks.begin(), llvm::SplitEdge(region.test, entry));
  const BlockCopy copy(region.blocks);
  // What comes behind gets values from the copies, too.
  const llvm::SmallPtrSet<BasicBlock*, 16> inside(region.blocks.begin(), region.blocks.end());
  for (BasicBlock* block : region.blocks) {
    for (BasicBlock* next : llvm::successors(block)) {
      if (!inside.contains(next)) copy.arrive(*next, block, copy.of(block));
    }
  }
  Value* mask = region.mask.mask;
  assumeFull(copy.blocks(), mask);
  copies.insert(copy.blocks().begin(), copy.blocks().end());
  if (isTestedByScalars(mask))
    askFirst(region, copy);
  else
    askThen(region, copy);
  // Of what is left under the mask a remark says that it is rare.
  for (BasicBlock* block : region.blocks) {
    for (Instruction& i : *block) {
      const auto access = matchMaskedAccess(i);
      const bool is_under =
          access && (isOfLanes(access->mask, mask) ||
                     match(access->mask, m_c_LogicalAnd(m_Specific(mask), m_Value())));
      if (is_under && access->isApart()) markBehindTest(i);
    }
  }
}

}  // namespace

unsigned runFullRegions(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& machine = analyses.getResult<llvm::TargetIRAnalysis>(function);
  unsigned count = 0;
  size_t copied = 0;
  // Then what is inside of the copies, which is what mostly runs.
  Blocks among;
  for (unsigned depth = 0; depth < kMaxDepth && (depth == 0 || !among.empty()); ++depth) {
    FullRegions full(function, machine);
    full.find(depth == 0 ? nullptr : &among, copied);
    among.clear();
    for (Region& region : full.regions) write(region, among);
    count += static_cast<unsigned>(full.regions.size());
  }
  return count;
}

}  // namespace jit::simt
