// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/workgroup/barrier_regions.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

#include "jit/base/error.h"
#include "jit/ir/function_kind.h"
#include "jit/ir/marks.h"
#include "jit/passes/workgroup/kept_values.h"
#include "jit/passes/workgroup/live_values.h"
#include "jit/passes/workgroup/workgroup_loops.h"
#include "runtime/kernel_abi.h"

namespace jit::simt {
namespace {

using llvm::AllocaInst;
using llvm::BasicBlock;
using llvm::Function;
using llvm::Instruction;

// What of a kernel's variables may be on the worker's stack; the rest moves to the frame.
constexpr uint64_t kStackBytes = 16 * 1024;

// Ends a block at each barrier. One subgroup waits for nobody.
llvm::SmallVector<Barrier> splitAtBarriers(Function& subgroup, unsigned subgroups) {
  llvm::SmallVector<Barrier> barriers;
  Function* barrier = findFunction(*subgroup.getParent(), FunctionKey(FunctionKind::Barrier));
  if (!barrier) return barriers;
  for (llvm::User* user : llvm::make_early_inc_range(barrier->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    if (subgroups > 1) {
      BasicBlock* resume =
          call->getParent()->splitBasicBlock(std::next(call->getIterator()), "resume");
      barriers.push_back({nullptr, resume});
    }
    call->eraseFromParent();
  }
  barrier->eraseFromParent();
  // Only now, since a block may have been split more than once.
  for (Barrier& split : barriers) split.arrival = split.resume->getSinglePredecessor();
  return barriers;
}

// Variables move out of the loops: to the stack, or to the frame when they are large or live
// across a barrier.
llvm::Error placeAllocas(const WorkgroupLoops& loops,
                         const llvm::SmallPtrSetImpl<AllocaInst*>& crossing, KernelFrame& frame) {
  const llvm::DataLayout& data_layout = loops.kernel->getDataLayout();
  llvm::SmallVector<AllocaInst*> allocas;
  for (BasicBlock& block : *loops.kernel) {
    if (&block == loops.entry) continue;
    for (Instruction& instruction : block) {
      if (auto* alloca = llvm::dyn_cast<AllocaInst>(&instruction)) allocas.push_back(alloca);
    }
  }
  const llvm::Align max_alignment(rt::kWorkgroupMemoryAlignment);
  uint64_t stack_bytes = 0;
  bool moved = false;
  for (AllocaInst* alloca : allocas) {
    std::optional<llvm::TypeSize> size = alloca->getAllocationSize(data_layout);
    if (!size || size->isScalable()) {
      return internal("a variable whose size is not constant in the kernel's code");
    }
    uint64_t bytes = size->getFixedValue();
    const bool is_of_kernel = alloca->hasMetadata(kOfKernel);
    if (is_of_kernel || (!crossing.contains(alloca) && stack_bytes + bytes <= kStackBytes)) {
      stack_bytes += bytes;
      alloca->moveBefore(*loops.entry, loops.entry->begin());
      continue;
    }
    llvm::Align alignment = std::min(max_alignment, alloca->getAlign());
    llvm::IRBuilder<> builder(loops.subgroup_start->getTerminator());
    llvm::Value* slot = builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), loops.frame, frame.allocate(bytes, alignment.value()));
    for (llvm::User* user : llvm::make_early_inc_range(alloca->users())) {
      auto* marker = llvm::cast<Instruction>(user);
      if (marker->isLifetimeStartOrEnd()) marker->eraseFromParent();
    }
    alloca->replaceAllUsesWith(slot);
    alloca->eraseFromParent();
    moved = true;
  }
  if (!moved) return llvm::Error::success();
  // The frame is aligned to a cache line and no more; wider vectors were promised more.
  for (BasicBlock& block : *loops.kernel) {
    for (Instruction& instruction : block) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        load->setAlignment(std::min(load->getAlign(), max_alignment));
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        store->setAlignment(std::min(store->getAlign(), max_alignment));
      }
    }
  }
  return llvm::Error::success();
}

}  // namespace

llvm::Expected<WorkgroupKernel> buildWorkgroupKernel(Function& subgroup, unsigned subgroups,
                                                     bool in_rows, KernelFrame frame,
                                                     std::string_view name) {
  llvm::EliminateUnreachableBlocks(subgroup);
  llvm::SmallVector<Barrier> barriers = splitAtBarriers(subgroup, subgroups);
  llvm::SmallVector<BasicBlock*> resumes;
  for (const Barrier& barrier : barriers) resumes.push_back(barrier.resume);
  std::vector<LiveValue> live = valuesLiveAcross(subgroup, resumes);
  llvm::SmallPtrSet<AllocaInst*, 16> crossing;
  for (AllocaInst* alloca : allocasLiveAcross(subgroup, resumes)) crossing.insert(alloca);

  WorkgroupLoops loops = wrapInLoops(subgroup, subgroups, in_rows, barriers, name);
  if (llvm::Error error = placeAllocas(loops, crossing, frame)) return error;
  if (llvm::Error error = keepValues(loops, barriers, live, frame)) return error;
  uint64_t frames = 1;
  if (loops.frame_offset) {
    frames = subgroups;
    auto* offset_type = loops.frame_offset->getType();
    loops.frame_offset->setOperand(1, llvm::ConstantInt::get(offset_type, frame.bytes()));
  }
  subgroup.eraseFromParent();
  return WorkgroupKernel{loops.kernel, frames * frame.bytes(),
                         static_cast<unsigned>(barriers.size())};
}

}  // namespace jit::simt
