// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/shared_operands.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "jit/ir/helper_function.h"
#include "jit/ir/memories.h"

namespace jit::coopmat {
namespace {

// Other workgroups may see it, or it may see them, in an order: atomic operations, and functions
// of the shader, into which this does not look.
bool mayOrderWorkgroups(const llvm::Instruction& instruction) {
  if (instruction.isAtomic() || instruction.isVolatile()) return true;
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call) return false;
  const llvm::Function* callee = call->getCalledFunction();
  return !callee || (!callee->isDeclaration() && !ukernel::isHelperFunction(*callee));
}

bool isOfThisSubgroup(const llvm::Value* pointer) { return leadsOnlyTo(*pointer, kSubgroupsOwn); }

// What others than the subgroup may read.
bool writesForOthers(const llvm::Instruction& instruction) {
  if (!instruction.mayWriteToMemory()) return false;
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return !isOfThisSubgroup(store->getPointerOperand());
  if (auto* memory = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&instruction))
    return !isOfThisSubgroup(memory->getRawDest());
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return !intrinsic->isAssumeLikeIntrinsic();
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || !call->getCalledFunction()) return true;
  if (ukernel::isHelperFunction(*call->getCalledFunction())) return false;
  return !call->onlyAccessesArgMemory() || llvm::any_of(call->args(), [&](const llvm::Use& use) {
    return use->getType()->isPointerTy() && !call->onlyReadsMemory(call->getArgOperandNo(&use)) &&
           !isOfThisSubgroup(use);
  });
}

}  // namespace

bool isPure(llvm::ArrayRef<llvm::BasicBlock*> blocks) {
  return llvm::none_of(blocks, [](llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](auto& instruction) { return instruction.mayWriteToMemory(); });
  });
}

bool isUnwrittenBetween(const llvm::Instruction& first, const llvm::Instruction& last) {
  return llvm::none_of(llvm::make_range(first.getIterator(), last.getIterator()),
                       [](auto& instruction) { return instruction.mayWriteToMemory(); });
}

bool readsTheSameInAllWorkgroups(const llvm::Function& function, const llvm::Loop& loop) {
  if (llvm::any_of(llvm::instructions(function), mayOrderWorkgroups)) return false;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
  llvm::SmallVector<const llvm::BasicBlock*> work{loop.getHeader()};
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.pop_back_val();
    if (!seen.insert(block).second) continue;
    if (llvm::any_of(*block, writesForOthers)) return false;
    work.append(llvm::pred_begin(block), llvm::pred_end(block));
  }
  return true;
}

std::optional<CopyingBlocks> copyingBlocks(const LoadCall& load) {
  if (leadsOnlyTo(*load.base, kClient)) return CopyingBlocks{};
  llvm::BasicBlock* block = load.call->getParent();
  auto* base = llvm::dyn_cast<llvm::PHINode>(load.base);
  if (!base || base->getParent() != block) return std::nullopt;
  for (const llvm::Value* value : {load.stride_bytes, load.limit_bytes}) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction && instruction->getParent() == block && !llvm::isa<llvm::PHINode>(instruction))
      return std::nullopt;
  }
  if (!isUnwrittenBetween(block->front(), *load.call)) return std::nullopt;
  CopyingBlocks blocks;
  for (unsigned i = 0; i < base->getNumIncomingValues(); ++i) {
    llvm::BasicBlock* from = base->getIncomingBlock(i);
    if (leadsOnlyTo(*base->getIncomingValue(i), kClient)) continue;
    if (!isOfThisSubgroup(base->getIncomingValue(i)) || !from->getSingleSuccessor())
      return std::nullopt;
    blocks.push_back(from);
  }
  return blocks;
}

}  // namespace jit::coopmat
