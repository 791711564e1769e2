// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/accumulator_web.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "jit/ir/marks.h"
#include "jit/ukernel/ukernel.h"

namespace jit::coopmat {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

using ValueSet = llvm::SmallSetVector<Instruction*, 16>;

constexpr llvm::StringLiteral kSeenInLoop =
    "the loop does something else with the accumulator than to add products to it";
constexpr llvm::StringLiteral kPrintedInLoop =
    "the loop prints the accumulator, so that it is needed in each round";
constexpr llvm::StringLiteral kOperationsDiffer =
    "multiply-adds of different types, shapes or signs add to one accumulator";
constexpr llvm::StringLiteral kNotAdded = "no multiply-add adds to it";
constexpr llvm::StringLiteral kAssigned = "the loop assigns to the accumulator";
constexpr llvm::StringLiteral kTwoVersions =
    "two versions of the accumulator are needed at one point, as where one is kept or swapped";

// Follows uses from the root. Says why not when something in the loop other than a multiply-add's C
// or a phi sees a value, or operations differ; empty: all is well.
llvm::StringRef collect(AccumulatorWeb& web, const llvm::Loop& loop, ValueSet& values) {
  values.insert(web.root);
  bool has_op = false;
  for (size_t next = 0; next < values.size(); ++next) {
    Instruction* value = values[next];
    for (llvm::User* user : value->users()) {
      auto* instruction = llvm::cast<Instruction>(user);
      if (auto* phi = llvm::dyn_cast<PHINode>(instruction)) {
        if (loop.contains(phi)) {
          values.insert(phi);
        } else if (!llvm::is_contained(web.exit_phis, phi)) {
          web.exit_phis.push_back(phi);
        }
        continue;
      }
      std::optional<MulAddCall> mul_add = matchMulAdd(instruction);
      if (!loop.contains(instruction) || !mul_add)
        return instruction->hasMetadata(kPrinted) ? kPrintedInLoop : kSeenInLoop;
      if (mul_add->c != value || mul_add->a == value || mul_add->b == value) return kSeenInLoop;
      if (has_op && !(mul_add->op == web.op)) return kOperationsDiffer;
      has_op = true;
      web.op = mul_add->op;
      values.insert(instruction);
    }
  }
  return has_op ? llvm::StringRef() : llvm::StringRef(kNotAdded);
}

// Whether all that flows into the web's phis is in the web.
bool isClosed(const AccumulatorWeb& web, const llvm::Loop& loop, const ValueSet& values) {
  auto inside = [&](Value* value) {
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    return instruction && values.contains(instruction);
  };
  for (Instruction* value : values) {
    auto* phi = llvm::dyn_cast<PHINode>(value);
    if (!phi) continue;
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      bool enters = phi == web.root && !loop.contains(phi->getIncomingBlock(i));
      if (!enters && !inside(phi->getIncomingValue(i))) return false;
    }
  }
  return llvm::all_of(web.exit_phis,
                      [&](PHINode* phi) { return llvm::all_of(phi->incoming_values(), inside); });
}

// Walks the loop with the one version that is alive and checks that every use means it.
class VersionCheck {
 public:
  VersionCheck(AccumulatorWeb& web, const llvm::Loop& loop, const ValueSet& values)
      : web_(web), loop_(loop), values_(values) {}

  bool run(llvm::ArrayRef<BasicBlock*> order) {
    for (BasicBlock* block : order) {
      if (!enter(block) || !walk(block)) return false;
    }
    return llvm::all_of(order, [&](BasicBlock* block) { return agrees(block); }) &&
           llvm::all_of(web_.exit_phis, [&](PHINode* phi) {
             return llvm::all_of(phi->blocks(), [&](BasicBlock* from) {
               return at_end_.lookup(from) == phi->getIncomingValueForBlock(from);
             });
           });
  }

 private:
  PHINode* webPhi(BasicBlock* block) const {
    for (PHINode& phi : block->phis()) {
      if (values_.contains(&phi)) return &phi;
    }
    return nullptr;
  }

  // The version at the start of the block, from a phi or a predecessor that has been walked.
  bool enter(BasicBlock* block) {
    Value* version = webPhi(block);
    for (BasicBlock* from : llvm::predecessors(block)) {
      if (!version) version = at_end_.lookup(from);
    }
    at_start_[block] = version;
    return version != nullptr;
  }

  bool walk(BasicBlock* block) {
    Value* version = at_start_[block];
    MulAddGroup group{block, {}};
    for (Instruction& instruction : *block) {
      if (llvm::isa<PHINode>(instruction) || !values_.contains(&instruction)) continue;
      MulAddCall step = *matchMulAdd(&instruction);
      if (step.c != version) return false;
      version = &instruction;
      group.steps.push_back(step);
    }
    at_end_[block] = version;
    if (!group.steps.empty()) web_.groups.push_back(std::move(group));
    return true;
  }

  // Every edge into the block brings the version that the block starts with.
  bool agrees(BasicBlock* block) const {
    PHINode* phi = webPhi(block);
    for (BasicBlock* from : llvm::predecessors(block)) {
      if (!loop_.contains(from)) continue;
      Value* brought = phi ? phi->getIncomingValueForBlock(from) : at_start_.lookup(block);
      if (brought != at_end_.lookup(from)) return false;
    }
    return true;
  }

  AccumulatorWeb& web_;
  const llvm::Loop& loop_;
  const ValueSet& values_;
  llvm::DenseMap<BasicBlock*, Value*> at_start_, at_end_;
};

bool hasTwoPhisInOneBlock(const ValueSet& values) {
  llvm::SmallPtrSet<BasicBlock*, 8> blocks;
  return llvm::any_of(values, [&](Instruction* value) {
    return llvm::isa<PHINode>(value) && !blocks.insert(value->getParent()).second;
  });
}

}  // namespace

std::optional<AccumulatorWeb> findAccumulatorWeb(PHINode* root, const llvm::Loop& loop,
                                                 llvm::ArrayRef<BasicBlock*> order,
                                                 llvm::StringRef* why) {
  auto no = [&](llvm::StringRef reason) -> std::optional<AccumulatorWeb> {
    if (why != nullptr) *why = reason;
    return std::nullopt;
  };
  AccumulatorWeb web{};
  web.root = root;
  web.initial = root->getIncomingValueForBlock(loop.getLoopPreheader());
  ValueSet values;
  if (llvm::StringRef reason = collect(web, loop, values); !reason.empty()) return no(reason);
  if (!isClosed(web, loop, values)) return no(kAssigned);
  if (hasTwoPhisInOneBlock(values)) return no(kTwoVersions);
  if (!VersionCheck(web, loop, values).run(order)) return no(kTwoVersions);
  web.values.assign(values.begin(), values.end());
  return web;
}

void simplifyLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  for (const auto& preserved : {llvm::LoopSimplifyPass().run(function, analyses),
                                llvm::LCSSAPass().run(function, analyses)}) {
    analyses.invalidate(function, preserved);
  }
}

llvm::SmallVector<BasicBlock*> blocksInOrder(const llvm::Loop& loop) {
  llvm::SmallVector<BasicBlock*> order;
  for (BasicBlock* block :
       llvm::ReversePostOrderTraversal<llvm::Function*>(loop.getHeader()->getParent())) {
    if (loop.contains(block)) order.push_back(block);
  }
  return order;
}

std::vector<AccumulatorWeb> findAccumulatorWebs(const llvm::Loop& loop,
                                                llvm::ArrayRef<llvm::BasicBlock*> order,
                                                const Target& target) {
  std::vector<AccumulatorWeb> webs;
  if (!loop.isLoopSimplifyForm()) return webs;
  for (llvm::PHINode& phi : loop.getHeader()->phis()) {
    if (!phi.getType()->isVectorTy()) continue;
    std::optional<AccumulatorWeb> web = findAccumulatorWeb(&phi, loop, order);
    if (web && ukernel::select(web->op, target)) webs.push_back(std::move(*web));
  }
  return webs;
}

}  // namespace jit::coopmat
