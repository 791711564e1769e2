// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/workgroup/live_values.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

#include "jit/ir/uses.h"

namespace jit::simt {
namespace {

// A store and a load of a vector cost about as much as this many simple instructions.
constexpr size_t kRecipeInstructions = 8;

using BlockNumbers = llvm::DenseMap<const llvm::BasicBlock*, unsigned>;

BlockNumbers numberBlocks(const llvm::Function& function) {
  BlockNumbers numbers;
  numbers.reserve(function.size());
  for (const llvm::BasicBlock& block : function) numbers.try_emplace(&block, numbers.size());
  return numbers;
}

// Calls `enter` for blocks at whose start the value is live, until it says false for one that it
// has seen. A phi's use is one at the end of the incoming block.
void walkLiveBlocks(const llvm::Instruction& value,
                    llvm::function_ref<bool(const llvm::BasicBlock*)> enter) {
  const llvm::BasicBlock* home = value.getParent();
  llvm::SmallVector<const llvm::BasicBlock*, 16> work;
  auto liveIn = [&](const llvm::BasicBlock* block) {
    if (block != home && enter(block)) work.push_back(block);
  };
  for (const llvm::Use& use : value.uses()) liveIn(blockOf(use));
  while (!work.empty()) {
    for (const llvm::BasicBlock* predecessor : llvm::predecessors(work.pop_back_val())) {
      liveIn(predecessor);
    }
  }
}

bool isInvariantLoad(const llvm::LoadInst& load) {
  if (!load.isSimple()) return false;
  if (load.hasMetadata(llvm::LLVMContext::MD_invariant_load)) return true;
  // DispatchArgs do not change while a kernel runs.
  const auto* base =
      llvm::dyn_cast<llvm::Argument>(load.getPointerOperand()->stripInBoundsConstantOffsets());
  return base && base->getArgNo() == 0;
}

// Whether running it again gives the same bits; it has run before, so it cannot trap.
bool isRepeatable(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    return isInvariantLoad(*load);
  }
  return llvm::isa<llvm::UnaryOperator, llvm::BinaryOperator, llvm::CastInst,
                   llvm::GetElementPtrInst, llvm::CmpInst, llvm::SelectInst,
                   llvm::InsertElementInst, llvm::ExtractElementInst, llvm::ShuffleVectorInst,
                   llvm::InsertValueInst, llvm::ExtractValueInst>(instruction);
}

bool isSlow(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
    case llvm::Instruction::FDiv:
    case llvm::Instruction::FRem:
      return true;
    default:
      return false;
  }
}

// Appends what computes `value`; `visited` bounds how far it looks.
bool appendRecipe(llvm::Instruction& value, llvm::SmallVectorImpl<llvm::Instruction*>& steps,
                  size_t& visited) {
  if (llvm::is_contained(steps, &value)) return true;
  if (++visited > kRecipeInstructions || !isRepeatable(value) || isSlow(value)) return false;
  for (llvm::Value* operand : value.operands()) {
    auto* step = llvm::dyn_cast<llvm::Instruction>(operand);
    if (!step || llvm::isa<llvm::AllocaInst>(step)) continue;
    if (!appendRecipe(*step, steps, visited)) return false;
  }
  steps.push_back(&value);
  return true;
}

llvm::SmallVector<llvm::Instruction*> recipeOf(llvm::Instruction& value) {
  llvm::SmallVector<llvm::Instruction*> steps;
  size_t visited = 0;
  if (!appendRecipe(value, steps, visited)) steps.clear();
  return steps;
}

// Blocks that use the alloca's memory; nothing when its address gets out of sight.
std::optional<llvm::SmallVector<const llvm::BasicBlock*>> accessingBlocks(
    const llvm::AllocaInst& alloca) {
  llvm::SmallVector<const llvm::BasicBlock*> blocks;
  llvm::SmallVector<const llvm::Value*> work{&alloca};
  llvm::SmallPtrSet<const llvm::Value*, 16> seen{&alloca};
  while (!work.empty()) {
    const llvm::Value* pointer = work.pop_back_val();
    for (const llvm::User* user : pointer->users()) {
      const auto* instruction = llvm::cast<llvm::Instruction>(user);
      if (instruction->isLifetimeStartOrEnd()) continue;
      blocks.push_back(instruction->getParent());
      if (llvm::isa<llvm::LoadInst, llvm::MemIntrinsic, llvm::CmpInst>(instruction)) continue;
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction)) {
        if (store->getValueOperand() == pointer) return std::nullopt;
        continue;
      }
      if (!llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::PHINode, llvm::SelectInst>(
              instruction) ||
          llvm::isa<llvm::PtrToIntInst>(instruction)) {
        return std::nullopt;
      }
      if (seen.insert(instruction).second) work.push_back(instruction);
    }
  }
  return blocks;
}

template <typename Next>
llvm::BitVector reach(const llvm::BasicBlock* from, const BlockNumbers& numbers, Next next) {
  llvm::BitVector reached(numbers.size());
  llvm::SmallVector<const llvm::BasicBlock*> work{from};
  reached.set(numbers.lookup(from));
  while (!work.empty()) {
    for (const llvm::BasicBlock* block : next(work.pop_back_val())) {
      unsigned number = numbers.lookup(block);
      if (reached.test(number)) continue;
      reached.set(number);
      work.push_back(block);
    }
  }
  return reached;
}

}  // namespace

std::vector<LiveValue> valuesLiveAcross(llvm::Function& function, ResumePoints resumes) {
  BlockNumbers numbers = numberBlocks(function);
  std::vector<int> resume_of_block(function.size(), -1);
  for (auto [index, block] : llvm::enumerate(resumes)) {
    resume_of_block[numbers.lookup(block)] = static_cast<int>(index);
  }
  std::vector<LiveValue> result;
  std::vector<unsigned> stamps(function.size(), 0);  // the last value found live in the block
  unsigned stamp = 0;
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& value : block) {
      if (llvm::isa<llvm::AllocaInst>(value) || !value.isUsedOutsideOfBlock(&block)) continue;
      ++stamp;
      llvm::SmallVector<unsigned, 4> live_at;
      walkLiveBlocks(value, [&](const llvm::BasicBlock* entered) {
        unsigned number = numbers.lookup(entered);
        if (stamps[number] == stamp) return false;
        stamps[number] = stamp;
        if (resume_of_block[number] >= 0) live_at.push_back(resume_of_block[number]);
        return true;
      });
      if (live_at.empty()) continue;
      llvm::sort(live_at);
      result.push_back({&value, std::move(live_at), recipeOf(value)});
    }
  }
  return result;
}

llvm::SmallVector<llvm::AllocaInst*> allocasLiveAcross(llvm::Function& function,
                                                       ResumePoints resumes) {
  llvm::SmallVector<llvm::AllocaInst*> result;
  BlockNumbers numbers = numberBlocks(function);
  llvm::SmallVector<std::pair<llvm::BitVector, llvm::BitVector>> before_and_after;
  for (const llvm::BasicBlock* resume : resumes) {
    before_and_after.emplace_back(
        reach(resume, numbers, [](const llvm::BasicBlock* b) { return llvm::predecessors(b); }),
        reach(resume, numbers, [](const llvm::BasicBlock* b) { return llvm::successors(b); }));
    // The walk back begins at the resume point itself, which is after the barrier unless a loop
    // leads back to it.
    unsigned number = numbers.lookup(resume);
    bool in_cycle = llvm::any_of(llvm::predecessors(resume), [&](const llvm::BasicBlock* b) {
      return before_and_after.back().second.test(numbers.lookup(b));
    });
    if (!in_cycle) before_and_after.back().first.reset(number);
  }
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : block) {
      auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (!alloca) continue;
      auto blocks = accessingBlocks(*alloca);
      bool crosses = !blocks || llvm::any_of(before_and_after, [&](const auto& sides) {
        auto in = [&](const llvm::BitVector& side) {
          return llvm::any_of(
              *blocks, [&](const llvm::BasicBlock* b) { return side.test(numbers.lookup(b)); });
        };
        return in(sides.first) && in(sides.second);
      });
      if (crosses) result.push_back(alloca);
    }
  }
  return result;
}

}  // namespace jit::simt
