// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/advance.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/ir/memories.h"

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::Instruction;
using llvm::Value;

llvm::Constant* none(Value* value) {
  llvm::Type* type = value->getType();
  return llvm::Constant::getNullValue(
      type->isPtrOrPtrVectorTy() ? llvm::Type::getInt64Ty(type->getContext()) : type);
}

// Whether it is made of its operands and of nothing else that changes while the kernel runs.
bool isPure(const Instruction& instruction) {
  if (instruction.mayHaveSideEffects() || instruction.isTerminator()) return false;
  if (!instruction.mayReadFromMemory()) return true;
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load != nullptr && (load->hasMetadata(llvm::LLVMContext::MD_invariant_load) ||
                             leadsOnlyTo(*load->getPointerOperand(), kDispatch));
}

// Of nothing that is made in more steps by how much it grows is told.
constexpr unsigned kMostDepth = 100;

bool isZero(Value* value) { return match(value, m_Zero()); }

}  // namespace

Value* Advance::of(Value* value) {
  if (value == counter_) return llvm::ConstantInt::get(value->getType(), 1);
  auto* instruction = llvm::dyn_cast<Instruction>(value);
  if (instruction == nullptr || (loop_ != nullptr && !loop_->contains(instruction)))
    return none(value);
  // Of vectors only that they stay is told.
  // Values that depend on themselves are counters of loops inside; see there.
  auto [known, is_new] = known_.try_emplace(instruction, none(value));
  if (!is_new) return known->second;
  ++depth_;
  Value* amount = depth_ > kMostDepth ? nullptr : find(*instruction);
  --depth_;
  if (amount != nullptr && value->getType()->isVectorTy() && !isZero(amount)) amount = nullptr;
  known_[instruction] = amount;
  return amount;
}

Value* Advance::find(Instruction& instruction) {
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return ofPhi(*phi);
  if (!isPure(instruction)) return nullptr;
  if (llvm::all_of(instruction.operands(), [&](Value* operand) { return stays(operand); }))
    return none(&instruction);
  if (instruction.getType()->isVectorTy()) return nullptr;
  llvm::IRBuilder<> ir(&instruction);
  return ofOperation(instruction, ir);
}

Value* Advance::ofOperation(Instruction& instruction, llvm::IRBuilder<>& ir) {
  Value *a = nullptr, *b = nullptr;
  if (match(&instruction, m_AddLike(m_Value(a), m_Value(b)))) return sum(ir, of(a), of(b));
  if (match(&instruction, m_Sub(m_Value(a), m_Value(b)))) {
    Value* less = of(b);
    return less ? sum(ir, of(a), isZero(less) ? less : ir.CreateNeg(less)) : nullptr;
  }
  if (match(&instruction, m_c_Mul(m_Value(a), m_Value(b))))
    return stays(b) ? product(ir, of(a), b) : stays(a) ? product(ir, of(b), a) : nullptr;
  if (match(&instruction, m_Shift(m_Value(a), m_Value(b))) && stays(b)) {
    Value* amount = of(a);
    if (!amount || isZero(amount)) return amount;
    const bool grows = instruction.getOpcode() == Instruction::Shl;
    return grows ? ir.CreateShl(amount, b) : ir.CreateAShr(amount, b);
  }
  if (match(&instruction, m_UDiv(m_Value(a), m_Value(b))) && stays(b)) {
    Value* amount = of(a);
    return amount ? ir.CreateUDiv(amount, b) : nullptr;
  }
  if (match(&instruction, m_ZExtOrSExt(m_Value(a))) || match(&instruction, m_Trunc(m_Value(a)))) {
    Value* amount = of(a);
    return amount ? ir.CreateSExtOrTrunc(amount, instruction.getType()) : nullptr;
  }
  if (match(&instruction, m_Freeze(m_Value(a)))) return of(a);
  // A multiple of a power of two.
  if (match(&instruction, m_And(m_Value(a), m_NegatedPower2()))) return of(a);
  // An index that may wrap around, on its two sides.
  if (match(&instruction, m_Select(m_Value(), m_Value(a), m_Value(b)))) {
    Value* amount = of(b);
    return of(a) ? amount : nullptr;
  }
  if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return ofAddress(*address, ir);
  return nullptr;
}

Value* Advance::ofAddress(llvm::GetElementPtrInst& address, llvm::IRBuilder<>& ir) {
  if (address.getNumIndices() != 1) return nullptr;
  Value* index = address.getOperand(1);
  Value* steps = index->getType()->isIntegerTy(64) ? of(index) : nullptr;
  const llvm::TypeSize size =
      address.getDataLayout().getTypeAllocSize(address.getSourceElementType());
  return sum(ir, of(address.getPointerOperand()),
             product(ir, steps, ir.getInt64(size.getFixedValue())));
}

Value* Advance::ofPhi(llvm::PHINode& phi) {
  if (loop_ != nullptr && phi.getParent() == loop_->getHeader()) {
    llvm::BasicBlock* latch = loop_->getLoopLatch();
    Value* amount = nullptr;
    const bool counts = latch && match(phi.getIncomingValueForBlock(latch),
                                       m_c_Add(m_Specific(&phi), m_Value(amount)));
    return counts && loop_->isLoopInvariant(amount) ? amount : nullptr;
  }
  if (loops_ != nullptr && loops_->isLoopHeader(phi.getParent()))
    if (Value* amount = ofCounter(phi, *loops_->getLoopFor(phi.getParent()))) return amount;
  // The counter of a loop inside runs as it did when it starts and steps alike.
  const bool alike = llvm::all_of(phi.incoming_values(), [&](Value* v) { return stays(v); });
  return alike ? none(&phi) : nullptr;
}

// Of a counter of another loop, which steps by what stays: it has grown as its start has.
Value* Advance::ofCounter(llvm::PHINode& phi, const llvm::Loop& loop) {
  llvm::BasicBlock *latch = loop.getLoopLatch(), *before = loop.getLoopPredecessor();
  Value* step = nullptr;
  if (latch == nullptr || before == nullptr || phi.getType()->isVectorTy() ||
      !match(phi.getIncomingValueForBlock(latch), m_c_Add(m_Specific(&phi), m_Value(step))) ||
      !stays(step))
    return nullptr;
  return of(phi.getIncomingValueForBlock(before));
}

bool Advance::stays(Value* value) {
  Value* amount = of(value);
  return amount != nullptr && isZero(amount);
}

Value* Advance::sum(llvm::IRBuilder<>& ir, Value* a, Value* b) {
  if (!a || !b) return nullptr;
  return isZero(a) ? b : isZero(b) ? a : ir.CreateAdd(a, b);
}

Value* Advance::product(llvm::IRBuilder<>& ir, Value* a, Value* b) {
  return !a || isZero(a) ? a : ir.CreateMul(a, b);
}

}  // namespace jit::simt
