// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/workgroup/kept_values.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "jit/base/error.h"
#include "jit/ir/uses.h"
#include "runtime/kernel_abi.h"

namespace jit::simt {
namespace {

using llvm::AllocaInst;
using llvm::Instruction;
using llvm::Value;

// Makes `use` read `variable`: before the user, or at the end of the incoming block of a phi.
void readFromVariable(llvm::Use& use, AllocaInst& variable) {
  auto* user = llvm::cast<Instruction>(use.getUser());
  auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
  llvm::IRBuilder<> builder(phi ? phi->getIncomingBlock(use)->getTerminator() : user);
  use.set(builder.CreateLoad(variable.getAllocatedType(), &variable));
}

// Stores `value` into `variable` right after its definition.
void writeToVariable(Instruction& value, AllocaInst& variable) {
  llvm::IRBuilder<> builder(value.getParent(), *value.getInsertionPointAfterDef());
  builder.CreateStore(&value, &variable);
}

// A slot in the frame, and the resume points at which it holds somebody's value.
struct Slot {
  uint64_t bytes;
  llvm::Align alignment;
  uint64_t offset;
  llvm::BitVector occupied;
};

class ValueKeeper {
 public:
  ValueKeeper(const WorkgroupLoops& loops, llvm::ArrayRef<Barrier> barriers,
              std::vector<LiveValue>& live, KernelFrame& layout)
      : loops_(loops),
        barriers_(barriers),
        live_(live),
        layout_(layout),
        data_layout_(loops.kernel->getDataLayout()),
        builder_(loops.kernel->getContext()),
        remade_(barriers.size()) {}

  llvm::Error run();

 private:
  Value* resumeValue(LiveValue& live, unsigned resume);
  uint64_t slotFor(llvm::Type& type, llvm::ArrayRef<unsigned> live_at);
  llvm::Align alignmentOf(llvm::Type& type) const {
    return std::min(llvm::Align(rt::kWorkgroupMemoryAlignment),
                    data_layout_.getABITypeAlign(&type));
  }
  void dropUnchangedSaves();

  const WorkgroupLoops& loops_;
  const llvm::ArrayRef<Barrier> barriers_;
  std::vector<LiveValue>& live_;
  KernelFrame& layout_;
  const llvm::DataLayout& data_layout_;
  llvm::IRBuilder<> builder_;
  std::vector<Slot> slots_;
  std::vector<llvm::DenseMap<Instruction*, Instruction*>> remade_;  // by resume point
  std::vector<llvm::StoreInst*> saves_;
  std::vector<llvm::WeakTrackingVH> restored_;  // reloads and remade values
};

uint64_t ValueKeeper::slotFor(llvm::Type& type, llvm::ArrayRef<unsigned> live_at) {
  uint64_t bytes = data_layout_.getTypeAllocSize(&type);
  llvm::Align alignment = alignmentOf(type);
  llvm::BitVector wanted(barriers_.size());
  for (unsigned resume : live_at) wanted.set(resume);
  for (Slot& slot : slots_) {
    if (slot.bytes != bytes || slot.alignment != alignment) continue;
    if (slot.occupied.anyCommon(wanted)) continue;
    slot.occupied |= wanted;
    return slot.offset;
  }
  slots_.push_back({bytes, alignment, layout_.allocate(bytes, alignment.value()), wanted});
  return slots_.back().offset;
}

// The value at a resume point: from its slot, or, without one, made anew.
Value* ValueKeeper::resumeValue(LiveValue& live, unsigned resume) {
  builder_.SetInsertPoint(barriers_[resume].restore->getTerminator());
  if (live.slot) {
    llvm::Type* type = live.value->getType();
    auto* load = builder_.CreateAlignedLoad(type, live.slot, alignmentOf(*type));
    restored_.push_back(load);
    return load;
  }
  llvm::DenseMap<Instruction*, Instruction*>& remade = remade_[resume];
  for (Instruction* step : live.recipe) {
    Instruction*& copy = remade[step];
    if (copy) continue;
    copy = step->clone();
    copy->setDebugLoc({});
    builder_.Insert(copy);
    for (llvm::Use& operand : copy->operands()) {
      auto* source = llvm::dyn_cast<Instruction>(operand);
      auto known = source ? remade.find(source) : remade.end();
      if (known != remade.end()) operand.set(known->second);
    }
    restored_.push_back(copy);
  }
  return remade.lookup(live.value);
}

// Each value that lives across a barrier becomes a variable that its definition and the resume
// points write and the arrivals save; promotion then makes phis of the variables.
llvm::Error ValueKeeper::run() {
  llvm::SmallVector<AllocaInst*> variables;
  for (LiveValue& live : live_) {
    llvm::Type* type = live.value->getType();
    builder_.SetInsertPoint(&*loops_.entry->begin());
    AllocaInst* variable = builder_.CreateAlloca(type);
    variables.push_back(variable);
    if (live.recipe.empty()) {
      if (type->isTokenTy() || type->isX86_AMXTy()) {
        return internal("a value that cannot be stored lives across a barrier");
      }
      builder_.SetInsertPoint(loops_.subgroup_start->getTerminator());
      uint64_t offset = slotFor(*type, live.resumes);
      live.slot = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), loops_.frame, offset);
    }
    for (unsigned resume : live.resumes) {
      Value* restored = resumeValue(live, resume);
      builder_.CreateStore(restored, variable);
      if (!live.slot) continue;
      builder_.SetInsertPoint(barriers_[resume].arrival->getTerminator());
      Value* current = builder_.CreateLoad(type, variable);
      saves_.push_back(builder_.CreateAlignedStore(current, live.slot, alignmentOf(*type)));
    }
  }
  for (auto [live, variable] : llvm::zip(live_, variables)) {
    for (llvm::Use& use : llvm::make_early_inc_range(live.value->uses())) {
      if (blockOf(use) != live.value->getParent()) readFromVariable(use, *variable);
    }
    writeToVariable(*live.value, *variable);
  }
  llvm::DominatorTree dominators(*loops_.kernel);
  llvm::PromoteMemToReg(variables, dominators);
  dropUnchangedSaves();
  for (llvm::WeakTrackingVH& restored : restored_) {
    if (restored) llvm::RecursivelyDeleteTriviallyDeadInstructions(restored);
  }
  return llvm::Error::success();
}

// What was restored and not changed since is still in its slot.
void ValueKeeper::dropUnchangedSaves() {
  for (llvm::StoreInst* save : saves_) {
    llvm::SmallPtrSet<Value*, 8> sources{save->getValueOperand()};
    llvm::SmallVector<Value*> work{save->getValueOperand()};
    bool unchanged = true;
    while (unchanged && !work.empty()) {
      Value* source = work.pop_back_val();
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(source)) {
        for (Value* incoming : phi->incoming_values()) {
          if (sources.insert(incoming).second) work.push_back(incoming);
        }
        continue;
      }
      auto* load = llvm::dyn_cast<llvm::LoadInst>(source);
      unchanged = load && load->getPointerOperand() == save->getPointerOperand();
    }
    if (unchanged) save->eraseFromParent();
  }
}

}  // namespace

llvm::Error keepValues(const WorkgroupLoops& loops, llvm::ArrayRef<Barrier> barriers,
                       std::vector<LiveValue>& live, KernelFrame& frame) {
  if (live.empty()) return llvm::Error::success();
  return ValueKeeper(loops, barriers, live, frame).run();
}

}  // namespace jit::simt
