// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/full_regions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "jit/simt/access_place.h"
#include "jit/simt/access_remarks.h"
#include "jit/simt/block_copy.h"
#include "jit/simt/mask_test.h"
#include "jit/simt/masked_access.h"
#include "jit/simt/progression.h"

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

// Of a region, and of all together.
constexpr size_t kMaxInRegion = 512, kMaxCopied = 1024;

// The blocks behind a test, which are those that its other side does not lead to.
struct Region {
  BasicBlock* test;
  MaskTest mask;
  llvm::SmallVector<BasicBlock*, 16> blocks;  // the first one is where it is entered
};

// Whether an access costs more under a mask. Of lanes that are anywhere it does not.
bool isDearUnder(Instruction& i, const Value* mask, const llvm::TargetTransformInfo& machine) {
  const auto access = matchMaskedAccess(i);
  if (!access || access->mask != mask || i.hasMetadata(kBehindTest)) return false;
  if (!access->isApart()) return !access->isLegal(access->type(), machine);
  if (placeOf(access->pointers, i.getDataLayout(), /*in_objects=*/false).lanes != nullptr)
    return true;
  llvm::IRBuilder<> ir(&i);  // what it makes is not used
  return Decomposer(ir).addresses(access->pointers).has_value();
}

class FullRegions {
 public:
  FullRegions(llvm::FunctionAnalysisManager& analyses, llvm::Function& function)
      : loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        machine_(analyses.getResult<llvm::TargetIRAnalysis>(function)) {}

  // From the outside in: what is in a region that has a copy stays as it is.
  void find() {
    size_t copied = 0;
    llvm::SmallPtrSet<BasicBlock*, 32> taken;
    for (auto* node : llvm::depth_first(dominators_.getRootNode())) {
      BasicBlock* block = node->getBlock();
      if (taken.contains(block)) continue;
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
    // Other ways lead there from inside only: back to a loop's header.
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
    if (!is_dear) return std::nullopt;
    return region;
  }

  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  const llvm::TargetTransformInfo& machine_;
};

void write(Region& region) {
  llvm::Function& function = *region.test->getParent();
  llvm::LLVMContext& context = function.getContext();
  // A loop's header is entered by way of a block of its own.
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
  llvm::Constant* full = llvm::Constant::getAllOnesValue(mask->getType());
  for (BasicBlock* block : copy.blocks())
    for (Instruction& i : *block) i.replaceUsesOfWith(mask, full);
  // Whether all are there is asked where somebody is.
  BasicBlock* entry = region.blocks[0];
  BasicBlock* asks = BasicBlock::Create(context, "all", &function, copy.blocks()[0]);
  region.test->getTerminator()->replaceSuccessorWith(entry, asks);
  llvm::IRBuilder<> ir(asks);
  // The test before it branches on the same numbers: they are not poison.
  Value* all = areAllLive(ir, mask);
  ir.CreateCondBr(all, copy.blocks()[0], entry,
                  llvm::MDBuilder(context).createLikelyBranchWeights());
  for (llvm::PHINode& phi : entry->phis()) phi.replaceIncomingBlockWith(region.test, asks);
  for (llvm::PHINode& phi : copy.blocks()[0]->phis())
    phi.replaceIncomingBlockWith(region.test, asks);
  // Of what is left under the mask a remark says that it is rare.
  for (BasicBlock* block : region.blocks) {
    for (Instruction& i : *block) {
      const auto access = matchMaskedAccess(i);
      const bool is_under =
          access && (access->mask == mask ||
                     match(access->mask, m_c_LogicalAnd(m_Specific(mask), m_Value())));
      if (is_under && access->isApart()) markBehindTest(i);
    }
  }
}

}  // namespace

unsigned runFullRegions(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  FullRegions full(analyses, function);
  full.find();
  for (Region& region : full.regions) write(region);
  return static_cast<unsigned>(full.regions.size());
}

}  // namespace jit::simt
