// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/component_loops.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "jit/coopmat/accumulator_web.h"
#include "jit/coopmat/matrix_variables.h"
#include "jit/ir/marks.h"
#include "jit/ir/matrix_ops.h"
#include "jit/ir/matrix_values.h"
#include "jit/passes/code/shared_code.h"

namespace jit::coopmat {
namespace {

using llvm::Loop;

// Of the loops over components themselves.
constexpr const char* kKeptLoop = "tessera.component_loop";

// Instructions that unrolled loops over components may come to in all, each on a vector with an
// element for each invocation: a function of some tens of them for each component of a few tiles.
constexpr uint64_t kMostUnrolled = 1024;

class ComponentLoops {
 public:
  ComponentLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)) {
    for (llvm::BasicBlock& block : function) {
      if (llvm::none_of(block, [](llvm::Instruction& i) { return matchMulAdd(&i).has_value(); }))
        continue;
      bool is_summed = false;
      for (Loop* loop = loops_.getLoopFor(&block); loop != nullptr; loop = loop->getParentLoop()) {
        with_products_.insert(loop);
        if (!is_summed) summing_.insert(loop);
        is_summed |= evolution_.getSmallConstantTripCount(loop) == 0;
      }
    }
  }

  // The loop that reaches another place of a variable in each iteration, if there is one. Loops
  // inside of it may reach the place often.
  void note(llvm::AllocaInst& variable, const VariableUses::Part& part) {
    Loop* loop = loops_.getLoopFor(part.instruction->getParent());
    while (loop != nullptr && !moves(*part.address, *loop)) loop = loop->getParentLoop();
    if (loop == nullptr || evolution_.getSmallConstantTripCount(loop) == 0) return;
    for (Loop* outer = loop; outer != nullptr; outer = outer->getParentLoop())
      if (summing_.contains(outer)) return;
    found_.insert(loop);
    variables_.insert(&variable);
  }

  // Instructions that they have when they and the loops around them are unrolled.
  uint64_t unrolledSize() {
    uint64_t sum = 0;
    for (Loop* loop : found_) {
      uint64_t size = 0;
      for (const llvm::BasicBlock* block : loop->blocks()) size += block->size();
      for (Loop* outer = loop; outer != nullptr; outer = outer->getParentLoop())
        size *= std::max(1u, evolution_.getSmallConstantTripCount(outer));
      sum += size;
    }
    return sum;
  }

  unsigned keep() {
    llvm::SmallSetVector<Loop*, 8> kept;
    for (Loop* loop : found_)
      for (Loop* at = loop; at != nullptr && !with_products_.contains(at); at = at->getParentLoop())
        kept.insert(at);
    for (llvm::AllocaInst* variable : variables_) markKeptInMemory(*variable);
    for (Loop* loop : found_) llvm::addStringMetadataToLoop(loop, kKeptLoop, 1);
    for (Loop* loop : kept) {
      llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
      for (llvm::BasicBlock* block : loop->blocks())
        for (llvm::Instruction& instruction : *block) markVariable(instruction, *loop);
    }
    return kept.size();
  }

 private:
  // Of an access that moves in a loop that stays.
  void markVariable(llvm::Instruction& access, const Loop& loop) {
    llvm::Value* address = llvm::getLoadStorePointerOperand(&access);
    if (address == nullptr || !moves(*address, loop)) return;
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(address)))
      markKeptInMemory(*variable);
  }

  // Vectors of addresses, where lanes' components are not side by side, have no evolution.
  bool moves(llvm::Value& address, const Loop& loop) {
    if (loop.isLoopInvariant(&address)) return false;
    return !evolution_.isSCEVable(address.getType()) ||
           !evolution_.isLoopInvariant(evolution_.getSCEV(&address), &loop);
  }

  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  llvm::SmallPtrSet<const Loop*, 8> with_products_;
  // Of those the inner ones, up to the first of unknown length: over K, say.
  llvm::SmallPtrSet<const Loop*, 8> summing_;
  llvm::SmallSetVector<Loop*, 8> found_;
  llvm::SmallSetVector<llvm::AllocaInst*, 8> variables_;
};

}  // namespace

unsigned keepComponentLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const MatrixValues matrices(function);
  auto is_whole = [&](const llvm::Instruction& access) { return matrices.isWhole(access); };
  std::optional<ComponentLoops> loops;
  for (llvm::Instruction& instruction : function.getEntryBlock()) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable == nullptr) continue;
    const VariableUses uses(*variable, is_whole);
    if (!uses.wholeAndInParts()) continue;
    if (!loops) loops.emplace(function, analyses);
    for (const VariableUses::Part& part : uses.parts()) loops->note(*variable, part);
  }
  if (!loops || loops->unrolledSize() <= kMostUnrolled) return 0;
  return loops->keep();
}

bool shareComponentLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto kept = [&] {
    auto loops = analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder();
    llvm::erase_if(loops, [](const Loop* loop) {
      return !llvm::getBooleanLoopAttribute(loop, kKeptLoop) ||
             loop->getUniqueExitBlock() == nullptr;
    });
    return loops;
  };
  if (kept().size() < 2) return false;
  simplifyLoops(function, analyses);
  for (const Loop* loop : kept()) {
    llvm::IRBuilder<> builder(loop->getLoopPreheader()->getTerminator());
    emitSharedCodeBegin(builder);
    llvm::BasicBlock* exit = loop->getUniqueExitBlock();
    builder.SetInsertPoint(exit, exit->getFirstInsertionPt());
    emitSharedCodeEnd(builder);
  }
  const bool is_shared = !outlineSharedCode(function).empty();
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  return is_shared;
}

}  // namespace jit::coopmat
