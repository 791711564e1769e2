// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/shared_operands.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "jit/ir/helper_function.h"
#include "jit/ir/memories.h"

namespace jit::coopmat {
namespace {

// The function of the shader that an instruction calls, or null.
const llvm::Function* shaderFunction(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || callee->isDeclaration() || ukernel::isHelperFunction(*callee)) return nullptr;
  return callee;
}

// Whether other workgroups may see what it does, or it may see them, in an order: by atomic
// operations, there or in functions that it calls. Each is looked at once: `seen`.
bool mayOrderWorkgroups(const llvm::Function& function,
                        llvm::SmallPtrSet<const llvm::Function*, 4>& seen) {
  if (!seen.insert(&function).second) return false;
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    if (instruction.isAtomic() || instruction.isVolatile()) return true;
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call && !call->getCalledFunction()) return true;
    const llvm::Function* callee = shaderFunction(instruction);
    return callee && mayOrderWorkgroups(*callee, seen);
  });
}

// In a function that `call` runs, or in the kernel if that is null.
bool isOfThisSubgroup(const llvm::Value* pointer, const llvm::CallBase* call) {
  if (leadsOnlyTo(*pointer, kSubgroupsOwn)) return true;
  auto* argument =
      call ? llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(pointer, 0)) : nullptr;
  return argument && leadsOnlyTo(*call->getArgOperand(argument->getArgNo()), kSubgroupsOwn);
}

// Functions in functions that are looked into.
constexpr unsigned kMostCalls = 4;

// What others than the subgroup may read; in a function that `call` runs, or in the kernel.
bool writesForOthers(const llvm::Instruction& instruction, const llvm::CallBase* call = nullptr,
                     unsigned depth = 0) {
  if (!instruction.mayWriteToMemory()) return false;
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return !isOfThisSubgroup(store->getPointerOperand(), call);
  auto* inner = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!inner || !inner->getCalledFunction()) return true;
  if (ukernel::isHelperFunction(*inner->getCalledFunction())) return false;
  if (const llvm::Function* callee = shaderFunction(instruction)) {
    return depth == kMostCalls ||
           llvm::any_of(llvm::instructions(*callee), [&](const llvm::Instruction& i) {
             return writesForOthers(i, inner, depth + 1);
           });
  }
  // Intrinsics write through pointers that they are given, if at all: those of tiles, of which
  // products scheduled before consist, have effects that LLVM does not know.
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    if (intrinsic->isAssumeLikeIntrinsic()) return false;
  } else if (!inner->onlyAccessesArgMemory()) {
    return true;
  }
  return llvm::any_of(inner->args(), [&](const llvm::Use& use) {
    return use->getType()->isPtrOrPtrVectorTy() &&
           !inner->onlyReadsMemory(inner->getArgOperandNo(&use)) && !isOfThisSubgroup(use, call);
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
  llvm::SmallPtrSet<const llvm::Function*, 4> functions;
  if (mayOrderWorkgroups(function, functions)) return false;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
  llvm::SmallVector<const llvm::BasicBlock*> work{loop.getHeader()};
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.pop_back_val();
    if (!seen.insert(block).second) continue;
    if (llvm::any_of(*block, [](auto& instruction) { return writesForOthers(instruction); }))
      return false;
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
    if (!leadsOnlyTo(*base->getIncomingValue(i), kSubgroupsOwn) || !from->getSingleSuccessor())
      return std::nullopt;
    blocks.push_back(from);
  }
  return blocks;
}

}  // namespace jit::coopmat
