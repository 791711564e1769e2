// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/accumulator_web.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "jit/ukernel/ukernel.h"

namespace jit::coopmat {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

using ValueSet = llvm::SmallSetVector<Instruction*, 16>;

constexpr unsigned kAddend = 2;  // among a multiply-add's operands

constexpr llvm::StringLiteral kNotAdded = "no multiply-add adds to it";
constexpr llvm::StringLiteral kAssigned =
    "the loop is left with something else than what multiply-adds add up to";
constexpr llvm::StringLiteral kTwoVersions =
    "two versions of the accumulator are needed at one point, as where one is kept or swapped";

bool isIn(const ValueSet& values, Value* value) {
  auto* instruction = llvm::dyn_cast<Instruction>(value);
  return instruction && values.contains(instruction);
}

PHINode* phiOf(const llvm::Loop& loop, Value* value) {
  auto* phi = llvm::dyn_cast<PHINode>(value);
  return phi && loop.contains(phi) ? phi : nullptr;
}

using PhiSet = llvm::SmallPtrSet<const PHINode*, 16>;

// Phis of a loop that lead, through phis, to what a multiply-add adds to. Others only look at
// accumulators.
PhiSet phisAddedTo(const llvm::Loop& loop) {
  PhiSet added_to;
  llvm::SmallVector<PHINode*> work;
  auto add = [&](Value* value) {
    PHINode* phi = phiOf(loop, value);
    if (phi && added_to.insert(phi).second) work.push_back(phi);
  };
  for (BasicBlock* block : loop.blocks()) {
    for (Instruction& instruction : *block)
      if (std::optional<MulAddCall> mul_add = matchMulAdd(&instruction)) add(mul_add->c);
  }
  while (!work.empty()) {
    for (Value* incoming : work.pop_back_val()->incoming_values()) add(incoming);
  }
  return added_to;
}

// Finds the values of a web from its root on.
class Members {
 public:
  // `added_to`: phisAddedTo(loop).
  Members(AccumulatorWeb& web, const llvm::Loop& loop, const PhiSet& added_to)
      : web_(web), loop_(loop), added_to_(added_to) {
    if (added_to_.contains(web.root)) values_.insert(web.root);
    for (size_t next = 0; next < values_.size(); ++next) {
      addSources(*values_[next]);
      addUsers(*values_[next]);
    }
  }

  const ValueSet& values() const { return values_; }

  // Notes who else uses the values, and what else they are made of. Says why not where they are no
  // web; empty: all is well.
  llvm::StringRef finish() {
    if (!op_) return kNotAdded;
    web_.op = *op_;
    for (Instruction* value : values_) {
      for (llvm::Use& use : value->uses()) noteUse(use);
      noteSources(*value);
    }
    const bool leaves_with_it = llvm::all_of(web_.exit_phis, [&](PHINode* phi) {
      return llvm::all_of(phi->incoming_values(),
                          [&](Value* value) { return isIn(values_, value); });
    });
    return leaves_with_it ? llvm::StringRef() : llvm::StringRef(kAssigned);
  }

 private:
  void addIfMember(Value* value) {
    if (PHINode* phi = phiOf(loop_, value)) {
      if (added_to_.contains(phi)) values_.insert(phi);
    } else if (std::optional<MulAddCall> mul_add = matchMulAdd(value);
               mul_add && loop_.contains(mul_add->call)) {
      // Of another operation it is somebody who reads the accumulator, and makes the next version.
      if (!op_ && mul_add->c->getType() == mul_add->call->getType()) op_ = mul_add->op;
      if (op_ == mul_add->op) values_.insert(mul_add->call);
    }
  }

  void addSources(Instruction& value) {
    if (auto* phi = llvm::dyn_cast<PHINode>(&value)) {
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        if (loop_.contains(phi->getIncomingBlock(i))) addIfMember(phi->getIncomingValue(i));
    } else {
      addIfMember(matchMulAdd(&value)->c);
    }
  }

  void addUsers(Instruction& value) {
    for (llvm::User* user : value.users()) {
      std::optional<MulAddCall> mul_add = matchMulAdd(user);
      if (mul_add ? mul_add->c == &value : llvm::isa<PHINode>(user)) addIfMember(user);
    }
  }

  void noteUse(llvm::Use& use) {
    auto* user = llvm::cast<Instruction>(use.getUser());
    if (!loop_.contains(user)) {
      auto* phi = llvm::cast<PHINode>(user);
      if (!llvm::is_contained(web_.exit_phis, phi)) web_.exit_phis.push_back(phi);
      return;
    }
    std::optional<MulAddCall> mul_add = matchMulAdd(user);
    const bool is_operand = mul_add && use.getOperandNo() != kAddend;
    if (!values_.contains(user) || is_operand) web_.reads.push_back(&use);
  }

  void noteSources(Instruction& value) {
    if (auto* phi = llvm::dyn_cast<PHINode>(&value)) {
      for (llvm::Use& use : phi->incoming_values()) {
        const bool enters = phi == web_.root && !loop_.contains(phi->getIncomingBlock(use));
        if (!enters && !isIn(values_, use.get())) web_.writes.push_back(&use);
      }
    } else if (MulAddCall mul_add = *matchMulAdd(&value); !isIn(values_, mul_add.c)) {
      web_.writes.push_back(&mul_add.call->getOperandUse(kAddend));
    }
  }

  AccumulatorWeb& web_;
  const llvm::Loop& loop_;
  const PhiSet& added_to_;
  ValueSet values_;
  std::optional<MulAdd> op_;
};

// Walks the loop with the one version that is needed and checks that every use means it.
class VersionCheck {
 public:
  VersionCheck(AccumulatorWeb& web, const llvm::Loop& loop, const ValueSet& values)
      : web_(web), loop_(loop), values_(values) {
    for (llvm::Use* use : web.reads) reads_[use->getUser()].push_back(use->get());
  }

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
  bool isOwn(Value* value) const { return isIn(values_, value); }

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
      if (llvm::isa<PHINode>(instruction)) continue;
      for (Value* read : reads_.lookup(&instruction))
        if (read != version) return false;
      if (!values_.contains(&instruction)) continue;
      MulAddCall step = *matchMulAdd(&instruction);
      // What is none of its own is written before the group.
      if (step.c != version && (isOwn(step.c) || !group.steps.empty())) return false;
      version = &instruction;
      group.steps.push_back(step);
    }
    at_end_[block] = version;
    if (!group.steps.empty()) web_.groups.push_back(std::move(group));
    return true;
  }

  // Every edge into the block brings the version that the block starts with, or a new one, and phis
  // that look at one get the one that is there.
  bool agrees(BasicBlock* block) const {
    PHINode* phi = webPhi(block);
    for (BasicBlock* from : llvm::predecessors(block)) {
      if (!loop_.contains(from)) continue;
      Value* brought = phi ? phi->getIncomingValueForBlock(from) : at_start_.lookup(block);
      if ((!phi || isOwn(brought)) && brought != at_end_.lookup(from)) return false;
    }
    return llvm::all_of(block->phis(), [&](PHINode& reader) {
      if (values_.contains(&reader)) return true;
      return llvm::all_of(reader.incoming_values(), [&](llvm::Use& use) {
        return !isOwn(use.get()) || at_end_.lookup(reader.getIncomingBlock(use)) == use.get();
      });
    });
  }

  AccumulatorWeb& web_;
  const llvm::Loop& loop_;
  const ValueSet& values_;
  llvm::DenseMap<const llvm::User*, llvm::SmallVector<Value*, 2>> reads_;
  llvm::DenseMap<BasicBlock*, Value*> at_start_, at_end_;
};

bool hasTwoPhisInOneBlock(const ValueSet& values) {
  llvm::SmallPtrSet<BasicBlock*, 8> blocks;
  return llvm::any_of(values, [&](Instruction* value) {
    return llvm::isa<PHINode>(value) && !blocks.insert(value->getParent()).second;
  });
}

std::optional<AccumulatorWeb> findWeb(PHINode* root, const llvm::Loop& loop,
                                      llvm::ArrayRef<BasicBlock*> order, const PhiSet& added_to,
                                      llvm::StringRef* why) {
  auto no = [&](llvm::StringRef reason) -> std::optional<AccumulatorWeb> {
    if (why != nullptr) *why = reason;
    return std::nullopt;
  };
  AccumulatorWeb web{};
  web.root = root;
  web.initial = root->getIncomingValueForBlock(loop.getLoopPreheader());
  Members members(web, loop, added_to);
  const ValueSet& values = members.values();
  if (llvm::StringRef reason = members.finish(); !reason.empty()) return no(reason);
  if (hasTwoPhisInOneBlock(values)) return no(kTwoVersions);
  if (!VersionCheck(web, loop, values).run(order)) return no(kTwoVersions);
  web.values.assign(values.begin(), values.end());
  return web;
}

}  // namespace

std::optional<AccumulatorWeb> findAccumulatorWeb(PHINode* root, const llvm::Loop& loop,
                                                 llvm::ArrayRef<BasicBlock*> order,
                                                 llvm::StringRef* why) {
  return findWeb(root, loop, order, phisAddedTo(loop), why);
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
  const PhiSet added_to = phisAddedTo(loop);
  for (llvm::PHINode& phi : loop.getHeader()->phis()) {
    if (!phi.getType()->isVectorTy()) continue;
    std::optional<AccumulatorWeb> web = findWeb(&phi, loop, order, added_to, nullptr);
    if (web && ukernel::select(web->op, target)) webs.push_back(std::move(*web));
  }
  return webs;
}

std::vector<AccumulatorWeb> findChains(llvm::BasicBlock& block, const Target& target) {
  std::vector<AccumulatorWeb> chains;
  llvm::DenseMap<Value*, size_t> at_end;  // of chains, by their last multiply-add
  for (Instruction& instruction : block) {
    std::optional<MulAddCall> step = matchMulAdd(&instruction);
    if (!step) continue;
    auto before = at_end.find(step->c);
    size_t index = chains.size();
    if (before != at_end.end() && step->c->hasOneUse() && chains[before->second].op == step->op) {
      index = before->second;
      at_end.erase(before);
    } else {
      if (step->c->getType() != instruction.getType() || !ukernel::select(step->op, target))
        continue;
      AccumulatorWeb& chain = chains.emplace_back();
      chain.initial = step->c;
      chain.op = step->op;
      chain.groups.push_back({&block, {}});
      chain.writes.push_back(&instruction.getOperandUse(kAddend));
    }
    at_end[&instruction] = index;
    chains[index].values.push_back(&instruction);
    chains[index].groups.front().steps.push_back(*step);
  }
  for (AccumulatorWeb& chain : chains)
    for (llvm::Use& use : chain.values.back()->uses()) chain.reads.push_back(&use);
  return chains;
}

void eraseWeb(const AccumulatorWeb& web) {
  llvm::SmallPtrSet<Instruction*, 16> loads;
  for (Instruction* value : web.values) {
    if (std::optional<MulAddCall> step = matchMulAdd(value)) {
      for (Value* operand : {step->a, step->b})
        if (std::optional<LoadCall> load = matchLoad(operand)) loads.insert(load->call);
    }
  }
  for (Instruction* value : web.values) {
    value->replaceAllUsesWith(llvm::PoisonValue::get(value->getType()));
    value->eraseFromParent();
  }
  for (Instruction* load : loads)
    if (load->use_empty()) load->eraseFromParent();
}

}  // namespace jit::coopmat
