// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/shared_operands.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>

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

// Whether other workgroups may see what instructions do, or these may see them, in an order: by
// atomic operations, there or in functions that are called. Each of those is looked at once.
class Orders {
 public:
  bool areMadeBy(const llvm::Instruction& instruction) {
    if (instruction.isAtomic() || instruction.isVolatile()) return true;
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call && !call->getCalledFunction()) return true;
    const llvm::Function* callee = shaderFunction(instruction);
    return callee && areMadeBy(*callee);
  }

 private:
  bool areMadeBy(const llvm::Function& function) {
    auto [at, is_new] = known_.try_emplace(&function, false);
    if (!is_new) return at->second;
    const bool are_made =
        llvm::any_of(llvm::instructions(function),
                     [&](const llvm::Instruction& instruction) { return areMadeBy(instruction); });
    return known_[&function] = are_made;
  }

  llvm::DenseMap<const llvm::Function*, bool> known_;
};

bool isOfThisSubgroup(const llvm::Value& pointer) { return leadsOnlyTo(pointer, kSubgroupsOwn); }

// What instructions write that others than the subgroup may read. A function of the shader is
// looked at once, however often it is called.
class Writes {
 public:
  // Of an instruction of the kernel.
  bool areForOthers(const llvm::Instruction& instruction) {
    Pointers pointers;
    return !find(instruction, pointers) || !llvm::all_of(pointers, [](const llvm::Value* pointer) {
      return isOfThisSubgroup(*pointer);
    });
  }

 private:
  using Pointers = llvm::SmallVector<const llvm::Value*, 4>;
  // What a function writes besides the subgroup's own.
  struct Summary {
    bool is_known = false;
    llvm::SmallSetVector<unsigned, 4> arguments;  // through which it does
  };

  // Adds the pointers through which it writes; false where that is not known.
  bool find(const llvm::Instruction& instruction, Pointers& pointers) {
    if (!instruction.mayWriteToMemory()) return true;
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      pointers.push_back(store->getPointerOperand());
      return true;
    }
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || !call->getCalledFunction()) return false;
    if (ukernel::isHelperFunction(*call->getCalledFunction())) return true;
    if (const llvm::Function* callee = shaderFunction(instruction)) {
      const Summary& summary = summaryOf(*callee);
      for (unsigned argument : summary.arguments) pointers.push_back(call->getArgOperand(argument));
      return summary.is_known;
    }
    // Intrinsics write through pointers that they are given, if at all: those of tiles, of which
    // products scheduled before consist, have effects that LLVM does not know.
    if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
      if (intrinsic->isAssumeLikeIntrinsic()) return true;
    } else if (!call->onlyAccessesArgMemory()) {
      // Checks of what the shader does, and its coverage, write to nobody's memory.
      return call->onlyAccessesInaccessibleMemory();
    }
    for (const llvm::Use& use : call->args()) {
      if (use->getType()->isPtrOrPtrVectorTy() &&
          !call->onlyReadsMemory(call->getArgOperandNo(&use)))
        pointers.push_back(use);
    }
    return true;
  }

  // Not known of functions that call themselves.
  const Summary& summaryOf(const llvm::Function& function) {
    auto [at, is_new] = summaries_.try_emplace(&function);
    Summary& summary = at->second;
    if (!is_new) return summary;
    Pointers pointers;
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (!find(instruction, pointers)) return summary;
    for (const llvm::Value* pointer : pointers) {
      if (isOfThisSubgroup(*pointer)) continue;
      auto* argument = llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(pointer, 0));
      if (!argument) return summary;
      summary.arguments.insert(argument->getArgNo());
    }
    summary.is_known = true;
    return summary;
  }

  std::map<const llvm::Function*, Summary> summaries_;  // keeps addresses
};

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

WorkgroupReads::WorkgroupReads(const llvm::Function& function) {
  llvm::SmallVector<const llvm::BasicBlock*> work;
  Orders orders;
  Writes writes;
  for (const llvm::BasicBlock& block : function) {
    if (llvm::any_of(block, [&](const llvm::Instruction& instruction) {
          return orders.areMadeBy(instruction) || writes.areForOthers(instruction);
        }))
      work.push_back(&block);
  }
  for (const llvm::BasicBlock& block : function) blocks_.insert(&block);
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.pop_back_val();
    if (blocks_.erase(block)) work.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
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
    if (!isOfThisSubgroup(*base->getIncomingValue(i)) || !from->getSingleSuccessor())
      return std::nullopt;
    blocks.push_back(from);
  }
  return blocks;
}

}  // namespace jit::coopmat
