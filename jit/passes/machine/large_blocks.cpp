// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/large_blocks.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <utility>

#include "jit/passes/machine/machine_cost.h"

namespace jit {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

constexpr size_t kMostCases = 64;

using Case = std::pair<llvm::ConstantInt*, BasicBlock*>;

// Writes the choice between `cases`, ascending, at the builder's insertion point, which is in a new
// block or in the one that held the switch. `leaf` is called for each block that ends in a switch.
void choose(llvm::IRBuilder<>& ir, llvm::Value* value, BasicBlock* otherwise,
            llvm::ArrayRef<Case> cases, llvm::function_ref<void(BasicBlock*)> leaf) {
  if (cases.size() <= kMostCases) {
    auto* choice = ir.CreateSwitch(value, otherwise, unsigned(cases.size()));
    for (auto [number, target] : cases) choice->addCase(number, target);
    leaf(ir.GetInsertBlock());
    return;
  }
  const size_t half = cases.size() / 2;
  BasicBlock* from = ir.GetInsertBlock();
  auto block = [&] {
    return BasicBlock::Create(ir.getContext(), "cases", from->getParent(), from->getNextNode());
  };
  BasicBlock* upper = block();
  BasicBlock* lower = block();
  ir.CreateCondBr(ir.CreateICmpULT(value, cases[half].first), lower, upper);
  ir.SetInsertPoint(lower);
  choose(ir, value, otherwise, cases.take_front(half), leaf);
  ir.SetInsertPoint(upper);
  choose(ir, value, otherwise, cases.drop_front(half), leaf);
}

void split(llvm::SwitchInst& choice) {
  BasicBlock* home = choice.getParent();
  llvm::SmallVector<Case> cases;
  for (auto one : choice.cases()) cases.push_back({one.getCaseValue(), one.getCaseSuccessor()});
  llvm::sort(cases, [](const Case& a, const Case& b) {
    return a.first->getValue().ult(b.first->getValue());
  });
  llvm::Value* value = choice.getCondition();
  BasicBlock* otherwise = choice.getDefaultDest();
  // A phi has a value for each edge; the edges now come from several blocks.
  llvm::SmallVector<std::pair<llvm::PHINode*, llvm::Value*>> phis;
  llvm::SmallPtrSet<BasicBlock*, 16> targets;
  for (BasicBlock* target : llvm::successors(home)) {
    if (!targets.insert(target).second) continue;
    for (llvm::PHINode& phi : target->phis()) {
      phis.push_back({&phi, phi.getIncomingValueForBlock(home)});
      phi.removeIncomingValueIf([&](unsigned k) { return phi.getIncomingBlock(k) == home; },
                                /*DeletePHIIfEmpty=*/false);
    }
  }
  llvm::IRBuilder<> ir(&choice);
  choice.removeFromParent();
  ir.SetInsertPoint(home);
  ir.SetCurrentDebugLocation(choice.getDebugLoc());
  llvm::SmallVector<BasicBlock*> leaves;
  choose(ir, value, otherwise, cases, [&](BasicBlock* block) { leaves.push_back(block); });
  choice.deleteValue();
  llvm::DenseMap<BasicBlock*, llvm::SmallVector<BasicBlock*>> edges;  // to each target, from
  for (BasicBlock* leaf : leaves)
    for (BasicBlock* target : llvm::successors(leaf)) edges[target].push_back(leaf);
  for (auto [phi, incoming] : phis)
    for (BasicBlock* from : edges[phi->getParent()]) phi->addIncoming(incoming, from);
}

}  // namespace

void cutBlock(BasicBlock& block, uint32_t vector_bytes, uint64_t most) {
  const llvm::DataLayout& layout = block.getDataLayout();
  llvm::SmallVector<Instruction*> cuts;
  uint64_t sum = 0;
  for (Instruction& instruction : block) {
    if (llvm::isa<llvm::AllocaInst>(instruction)) {  // no cut before it
      cuts.clear();
      sum = 0;
      continue;
    }
    const uint64_t own = machineCost(instruction, layout, vector_bytes);
    if (sum + own > most && sum != 0 && !llvm::isa<llvm::PHINode>(instruction) &&
        &instruction != block.getTerminator()) {
      cuts.push_back(&instruction);
      sum = 0;
    }
    sum += own;
  }
  // From the end on, so that each instruction changes its block once. A switch without cases is a
  // jump as well, and LLVM's CodeGenPrepare, which merges blocks that only a branch connects as
  // soon as it has changed anything, leaves it alone.
  for (Instruction* cut : llvm::reverse(cuts)) {
    BasicBlock* after = block.splitBasicBlock(cut->getIterator(), "cut");
    Instruction* branch = block.getTerminator();
    llvm::IRBuilder<> ir(branch);
    ir.CreateSwitch(ir.getFalse(), after, 0);
    branch->eraseFromParent();
  }
}

void cutLargeBlocks(llvm::Function& function, uint32_t vector_bytes) {
  llvm::SmallVector<BasicBlock*> blocks;
  for (BasicBlock& block : function) blocks.push_back(&block);
  for (BasicBlock* block : blocks) cutBlock(*block, vector_bytes, kMostBlockCost);
}

void splitLargeSwitches(llvm::Function& function) {
  llvm::SmallVector<llvm::SwitchInst*> large;
  for (BasicBlock& block : function)
    if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator()))
      if (choice->getNumCases() > kMostCases) large.push_back(choice);
  for (llvm::SwitchInst* choice : large) split(*choice);
}

}  // namespace jit
