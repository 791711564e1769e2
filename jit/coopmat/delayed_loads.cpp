// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/delayed_loads.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Local.h>

#include "jit/coopmat/accumulator_accesses.h"
#include "jit/coopmat/shared_operands.h"
#include "jit/ir/memories.h"

namespace jit::coopmat {
namespace {

using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

// A matrix value as the loads that it may come from.
class LoadedThroughPhis {
 public:
  // Nothing if it may come from elsewhere, or from memory that others write.
  bool collect(Value* value) {
    if (std::optional<LoadCall> load = matchLoad(value)) {
      if (!leadsOnlyTo(*load->base, kClient)) return false;
      if (!first_) first_ = load;
      return load->type == first_->type && load->layout == first_->layout;
    }
    if (llvm::isa<llvm::UndefValue>(value)) return true;
    auto* phi = llvm::dyn_cast<PHINode>(value);
    if (!phi) return false;
    if (!phis_.try_emplace(phi).second) return true;
    return llvm::all_of(phi->incoming_values(), [&](Value* incoming) { return collect(incoming); });
  }

  // Loads it where `builder` stands, from addresses that take the way of the values.
  Value* emit(llvm::IRBuilder<>& builder, Value* value) {
    for (auto& [phi, source] : phis_) {
      llvm::IRBuilder<> at(phi);
      auto create = [&](Value* like) {
        return at.CreatePHI(like->getType(), phi->getNumIncomingValues());
      };
      source = {create(first_->base), create(first_->stride_bytes), create(first_->limit_bytes)};
    }
    for (auto& [phi, source] : phis_) {
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        const Source incoming = sourceOf(phi->getIncomingValue(i));
        for (auto [to, from] : llvm::zip_equal(source, incoming))
          llvm::cast<PHINode>(to)->addIncoming(from, phi->getIncomingBlock(i));
      }
    }
    const auto [base, stride, limit] = simplified(sourceOf(value));
    return createLoad(builder, first_->type, base, stride, limit, first_->layout);
  }

  bool isLoad() const { return first_.has_value(); }

 private:
  using Source = std::array<Value*, 3>;  // base, stride and limit

  Source sourceOf(Value* value) const {
    if (std::optional<LoadCall> load = matchLoad(value))
      return {load->base, load->stride_bytes, load->limit_bytes};
    if (auto* phi = llvm::dyn_cast<PHINode>(value)) return phis_.lookup(phi);
    // What is undefined reads zeros.
    return {llvm::Constant::getNullValue(first_->base->getType()),
            llvm::Constant::getNullValue(first_->stride_bytes->getType()),
            llvm::Constant::getNullValue(first_->limit_bytes->getType())};
  }

  // Strides and limits that are the same on all ways are no phis.
  Source simplified(Source source) const {
    for (Value*& value : source) {
      llvm::SmallPtrSet<Value*, 4> seen;
      llvm::SmallVector<Value*> work{value};
      Value* only = nullptr;
      bool is_one = true;
      while (!work.empty()) {
        Value* next = work.pop_back_val();
        auto* phi = llvm::dyn_cast<PHINode>(next);
        const bool is_ours = phi && llvm::any_of(phis_, [&](const auto& entry) {
                               return llvm::is_contained(entry.second, phi);
                             });
        if (is_ours) {
          if (seen.insert(phi).second) llvm::append_range(work, phi->incoming_values());
        } else {
          is_one = is_one && (only == nullptr || only == next);
          only = next;
        }
      }
      if (is_one && (llvm::isa<llvm::Constant, llvm::Argument>(only))) value = only;
    }
    return source;
  }

  std::optional<LoadCall> first_;
  llvm::MapVector<PHINode*, Source> phis_;
};

}  // namespace

bool delayLoads(llvm::Function& function, const WorkgroupReads& reads) {
  struct Operand {
    llvm::CallInst* product;
    unsigned number;
  };
  // Those of a block that are the same value share their load.
  llvm::MapVector<std::pair<llvm::BasicBlock*, Value*>, llvm::SmallVector<Operand, 4>> operands;
  for (Instruction& instruction : llvm::instructions(function)) {
    std::optional<MulAddCall> product = matchMulAdd(&instruction);
    if (!product || !reads.areTheSameIn(*instruction.getParent())) continue;
    for (unsigned number : {0u, 1u}) {
      auto* value = llvm::dyn_cast<Instruction>(product->call->getArgOperand(number));
      if (!value || (matchLoad(value) && value->getParent() == instruction.getParent())) continue;
      operands[{instruction.getParent(), value}].push_back({product->call, number});
    }
  }
  bool changed = false;
  llvm::SmallVector<llvm::WeakTrackingVH> replaced;
  for (auto& [place, uses] : operands) {
    Value* value = place.second;
    LoadedThroughPhis loaded;
    if (!loaded.collect(value) || !loaded.isLoad()) continue;
    llvm::IRBuilder<> builder(startOfRow(uses.front().product));
    Value* load = loaded.emit(builder, value);
    for (const Operand& operand : uses) operand.product->setArgOperand(operand.number, load);
    replaced.emplace_back(value);
    changed = true;
  }
  for (llvm::WeakTrackingVH& value : replaced) {
    if (auto* phi = llvm::dyn_cast_or_null<PHINode>(static_cast<Value*>(value)))
      llvm::RecursivelyDeleteDeadPHINode(phi);
    else if (value)
      llvm::RecursivelyDeleteTriviallyDeadInstructions(value);
  }
  return changed;
}

}  // namespace jit::coopmat
