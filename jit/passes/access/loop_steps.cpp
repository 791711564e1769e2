// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/loop_steps.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::Instruction;
using llvm::Value;

constexpr int kMostStepDepth = 32;
// Steps beyond it are nobody's; those below, times a factor of 32 bits, fit 64 bits.
constexpr int64_t kMostStep = int64_t{1} << 31;
constexpr unsigned kIndexBits = 32;

std::optional<LoopStep> sum(const std::optional<LoopStep>& a, const std::optional<LoopStep>& b,
                            int64_t factor = 1) {
  if (!a || !b) return std::nullopt;
  const int64_t step = a->step + factor * b->step;
  if (step > kMostStep || step < -kMostStep) return std::nullopt;
  return LoopStep{step, a->is_widened || b->is_widened};
}

std::optional<LoopStep> product(const std::optional<LoopStep>& a, const llvm::APInt& factor) {
  if (!a || factor.getSignificantBits() > 32) return std::nullopt;
  return sum(LoopStep{0, a->is_widened}, LoopStep{a->step, false}, factor.getSExtValue());
}

}  // namespace

std::optional<LoopStep> LoopSteps::of(Value& v, int depth) {
  if (loop_.isLoopInvariant(&v)) return LoopStep{};
  if (depth > kMostStepDepth) return std::nullopt;
  if (const auto known = known_.find(&v); known != known_.end()) return known->second;
  const std::optional<LoopStep> step = find(v, depth);
  known_[&v] = step;
  return step;
}

std::optional<LoopStep> LoopSteps::find(Value& v, int depth) {
  llvm::Type* type = v.getType()->getScalarType();
  auto& i = llvm::cast<Instruction>(v);
  if (type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)) {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&i)) return ofPhi(*phi);
    if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&i))
      return ofAddress(*address, depth);
    if (const std::optional<LoopStep> step = ofOperation(i, depth)) return step;
  }
  // Of what stays, by arithmetic or from memory that does not change.
  if (llvm::isa<llvm::PHINode>(i) || i.mayHaveSideEffects() || i.getNumOperands() == 0 ||
      (i.mayReadFromMemory() && !i.hasMetadata(llvm::LLVMContext::MD_invariant_load)))
    return std::nullopt;
  for (Value* operand : i.operands()) {
    const std::optional<LoopStep> step = of(*operand, depth + 1);
    if (!step || step->step != 0) return std::nullopt;
  }
  return LoopStep{};
}

std::optional<LoopStep> LoopSteps::ofPhi(llvm::PHINode& phi) {
  llvm::BasicBlock* latch = loop_.getLoopLatch();
  if (latch == nullptr || phi.getParent() != loop_.getHeader()) return std::nullopt;
  Value* next = phi.getIncomingValueForBlock(latch);
  if (next == &phi) return LoopStep{};
  const llvm::APInt* added = nullptr;
  if (match(next, m_AddLike(m_Specific(&phi), m_APInt(added))) && added->getSignificantBits() <= 32)
    return LoopStep{added->getSExtValue(), false};
  auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(next);
  llvm::APInt offset(64, 0);
  if (address != nullptr && !address->getType()->isVectorTy() &&
      address->getPointerOperand() == &phi &&
      address->accumulateConstantOffset(address->getDataLayout(), offset) &&
      offset.getSignificantBits() <= 32)
    return LoopStep{offset.getSExtValue(), false};
  return std::nullopt;
}

std::optional<LoopStep> LoopSteps::ofAddress(llvm::GetElementPtrInst& address, int depth) {
  std::optional<LoopStep> all = of(*address.getPointerOperand(), depth + 1);
  for (auto index = llvm::gep_type_begin(address); all && index != llvm::gep_type_end(address);
       ++index) {
    if (index.getStructTypeOrNull() != nullptr) continue;
    // Others are extended first.
    if (index.getOperand()->getType()->getScalarSizeInBits() != 64) return std::nullopt;
    const llvm::TypeSize size = index.getSequentialElementStride(address.getDataLayout());
    all = sum(all,
              product(of(*index.getOperand(), depth + 1), llvm::APInt(64, size.getFixedValue())));
  }
  return all;
}

std::optional<LoopStep> LoopSteps::ofOperation(Instruction& i, int depth) {
  auto operand = [&](unsigned k) { return of(*i.getOperand(k), depth + 1); };
  const llvm::APInt* factor = nullptr;
  switch (i.getOpcode()) {
    case Instruction::Add:
      return sum(operand(0), operand(1));
    case Instruction::Sub:
      return sum(operand(0), operand(1), -1);
    case Instruction::Or:
      if (!llvm::cast<llvm::PossiblyDisjointInst>(i).isDisjoint()) return std::nullopt;
      return sum(operand(0), operand(1));
    case Instruction::Mul:
      if (!match(i.getOperand(1), m_APInt(factor))) return std::nullopt;
      return product(operand(0), *factor);
    case Instruction::Shl:
      if (!match(i.getOperand(1), m_APInt(factor)) || factor->uge(31)) return std::nullopt;
      return product(operand(0), llvm::APInt(64, uint64_t{1} << factor->getZExtValue()));
    case Instruction::ZExt:
    case Instruction::SExt: {
      std::optional<LoopStep> step = operand(0);
      if (!step || step->step == 0) return step;
      if (i.getOperand(0)->getType()->getScalarSizeInBits() != kIndexBits) return std::nullopt;
      step->is_widened = true;
      return step;
    }
    case Instruction::Trunc: {
      std::optional<LoopStep> step = operand(0);
      const unsigned bits = i.getType()->getScalarSizeInBits();
      if (!step || !llvm::isIntN(bits, step->step)) return std::nullopt;
      return step;
    }
    case Instruction::Freeze:
      return operand(0);
    // One value for all lanes, or lanes that all move by the same.
    case Instruction::InsertElement:
      if (llvm::isa<llvm::UndefValue>(i.getOperand(0))) return operand(1);
      break;
    case Instruction::ShuffleVector:
      if (llvm::isa<llvm::UndefValue>(i.getOperand(1))) return operand(0);
      break;
    default:
      return std::nullopt;
  }
  const std::optional<LoopStep> a = operand(0), b = a ? operand(1) : std::nullopt;
  if (!b || a->step != b->step) return std::nullopt;
  return LoopStep{a->step, a->is_widened || b->is_widened};
}

}  // namespace jit::simt
