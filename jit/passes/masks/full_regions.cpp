// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/masks/full_regions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
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
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include "jit/ir/marks.h"
#include "jit/ir/uses.h"
#include "jit/passes/access/lane_addresses.h"
#include "jit/passes/access/masked_access.h"
#include "jit/passes/access/progression.h"
#include "jit/passes/masks/block_copy.h"
#include "jit/passes/masks/mask_test.h"
#include "jit/passes/masks/rare_branches.h"

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

// Of a region, and of all together.
constexpr size_t kMaxInRegion = 512, kMaxCopied = 2048;
// Of regions inside of each other.
constexpr unsigned kMaxDepth = 3;
// Of a region that is short enough for its mask and the comparison to be a good part of the cost.
constexpr size_t kMaxShort = 96;

// The blocks behind a test, which are those that its other side does not lead to.
struct Region {
  BasicBlock* test;
  MaskTest mask;
  llvm::SmallVector<BasicBlock*, 16> blocks;
  // Of them those that get copies; the first one is where the region is entered. From a copy, paths
  // that are rarely taken lead to the others.
  llvm::SmallVector<BasicBlock*, 16> copied;
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
      for (BasicBlock* inside : region->copied) copied += inside->size();
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
    llvm::SmallSetVector<BasicBlock*, 16> copied;
    copied.insert(entry);
    size_t instructions = 0;
    bool is_dear = false;
    for (size_t k = 0; k < copied.size(); ++k) {
      BasicBlock* block = copied[k];
      instructions += block->size();
      if (instructions > kMaxInRegion) return std::nullopt;
      is_dear |=
          llvm::any_of(*block, [&](Instruction& i) { return isDearUnder(i, mask.mask, machine_); });
      for (BasicBlock* next : llvm::successors(block)) {
        // Loops inside are copied whole: a path into the middle of one would be a second entry.
        const bool stays = loops_.getLoopFor(next) == loop && isRarelyTaken(*block, *next);
        if (!stays && dominators_.dominates(entry, next)) copied.insert(next);
      }
    }
    const bool is_short =
        instructions <= kMaxShort && isTestedByScalars(mask.mask) &&
        llvm::any_of(copied, [&](BasicBlock* block) {
          return llvm::any_of(*block, [&](Instruction& i) {
            const auto access = matchMaskedAccess(i);
            return access && isOfLanes(access->mask, mask.mask) && !access->isApart();
          });
        });
    if (!is_dear && !is_short) return std::nullopt;
    Region region{&test, mask, {}, llvm::to_vector<16>(copied)};
    dominators_.getDescendants(entry, region.blocks);
    if (!llvm::all_of(region.blocks, [](BasicBlock* block) { return isForEachLane(*block); }))
      return std::nullopt;
    return region;
  }

  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  const llvm::TargetTransformInfo& machine_;
};

// Of the blocks behind a test, those that a copy of some of them, `copied`, leads to, too.
Blocks reachedFromCopy(const Blocks& inside, const Blocks& copied) {
  Blocks reached;
  llvm::SmallVector<BasicBlock*, 16> from(copied.begin(), copied.end());
  while (!from.empty()) {
    BasicBlock* block = from.pop_back_val();
    for (BasicBlock* next : llvm::successors(block))
      if (inside.contains(next) && (!copied.contains(next) || reached.contains(block)) &&
          reached.insert(next).second)
        from.push_back(next);
  }
  return reached;
}

// The uses of a value in `reached`, which see `copy` where they come from the block `copied`.
void joinValues(Value& value, BasicBlock& block, Value& copy, BasicBlock& copied,
                const Blocks& reached) {
  llvm::SmallVector<llvm::Use*, 8> uses;
  for (llvm::Use& use : value.uses())
    if (BasicBlock* at = blockOf(use); at != &block && reached.contains(at)) uses.push_back(&use);
  if (uses.empty()) return;
  llvm::SSAUpdater updater;
  updater.Initialize(value.getType(), value.getName());
  updater.AddAvailableValue(&block, &value);
  updater.AddAvailableValue(&copied, &copy);
  for (llvm::Use* use : uses) updater.RewriteUse(*use);
}

// What only `region` uses of what its test computes is computed in `some`; not for blocks that are
// `reached` from elsewhere, too.
void sinkMask(const Region& region, BasicBlock& some, const Blocks& reached) {
  auto is_there = [&](const llvm::Use& use) {
    BasicBlock* block = blockOf(use);
    return block == &some || (llvm::is_contained(region.blocks, block) && !reached.contains(block));
  };
  for (Instruction& i : llvm::make_early_inc_range(llvm::reverse(*region.test))) {
    if (llvm::isa<llvm::PHINode>(i) || i.isTerminator() || i.mayHaveSideEffects() ||
        i.mayReadFromMemory() || llvm::isa<llvm::AllocaInst>(i) || i.use_empty())
      continue;
    if (llvm::all_of(i.uses(), is_there)) i.moveBefore(some, some.getFirstInsertionPt());
  }
}

// Whether all are there, before whether somebody is.
void askFirst(const Region& region, const BlockCopy& copy, const Blocks& reached) {
  BasicBlock* test = region.test;
  BasicBlock* some = llvm::SplitBlock(test, test->getTerminator());
  some->setName("some");
  test->getTerminator()->eraseFromParent();
  llvm::IRBuilder<> ir(test);
  // Where the comparisons are poison, the test is.
  ir.CreateCondBr(areAllLive(ir, region.mask.mask), copy.blocks()[0], some,
                  llvm::MDBuilder(ir.getContext()).createLikelyBranchWeights());
  sinkMask(region, *some, reached);
}

// Whether all are there, where somebody is.
void askThen(const Region& region, const BlockCopy& copy) {
  BasicBlock* entry = region.copied[0];
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

// Of what is left under the mask a remark says that it is rare.
void markUnderMask(const Region& region) {
  const Value* mask = region.mask.mask;
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

// The blocks of the copy go to `copies`.
void write(Region& region, Blocks& copies) {
  // A loop's header is entered through a block of its own.
  if (BasicBlock* entry = region.copied[0]; entry->getSinglePredecessor() == nullptr) {
    BasicBlock* before = llvm::SplitEdge(region.test, entry);
    region.copied.insert(region.copied.begin(), before);
    region.blocks.push_back(before);
  }
  const BlockCopy copy(region.copied);
  // What comes behind gets values from the copies, too.
  const Blocks copied(region.copied.begin(), region.copied.end());
  for (BasicBlock* block : region.copied) {
    for (BasicBlock* next : llvm::successors(block)) {
      if (!copied.contains(next)) copy.arrive(*next, block, copy.of(block));
    }
  }
  // And nothing comes back to them.
  const Blocks inside(region.blocks.begin(), region.blocks.end());
  for (BasicBlock* block : copy.blocks())
    for (llvm::PHINode& phi : block->phis())
      phi.removeIncomingValueIf(
          [&](unsigned k) { return inside.contains(phi.getIncomingBlock(k)); },
          /*DeletePHIIfEmpty=*/false);
  Value* mask = region.mask.mask;
  markUnderMask(region);  // before masks are joined
  const Blocks reached = reachedFromCopy(inside, copied);
  if (!reached.empty()) {
    // Those of the blocks as they are: joining adds phis.
    llvm::SmallVector<Instruction*, 64> values;
    for (BasicBlock* block : region.copied)
      for (Instruction& i : *block) values.push_back(&i);
    for (Instruction* i : values)
      joinValues(*i, *i->getParent(), *copy.of(i), *copy.of(i->getParent()), reached);
    joinValues(*mask, *region.copied[0], *llvm::Constant::getAllOnesValue(mask->getType()),
               *copy.blocks()[0], reached);
  }
  assumeFull(copy.blocks(), mask);
  copies.insert(copy.blocks().begin(), copy.blocks().end());
  if (isTestedByScalars(mask))
    askFirst(region, copy, reached);
  else
    askThen(region, copy);
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
