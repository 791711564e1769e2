// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/lane_element.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace jit::simt {

using llvm::Value;

Value* chosenBy(const Value* mask, Value* vector) {
  auto* choice = llvm::dyn_cast<llvm::SelectInst>(vector);
  return choice != nullptr && choice->getCondition() == mask ? choice->getTrueValue() : vector;
}

Value* LaneElement::of(Value* v) {
  constexpr unsigned kMostDepth = 16;  // of an expression
  v = chosenBy(mask_, v);
  if (!v->getType()->isVectorTy()) return v;
  if (Value* same = llvm::getSplatValue(v)) return same;
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(v))
    return constant->getAggregateElement(lane_);
  if (Value* known = known_.lookup(v)) return known;
  ++depth_;
  Value* element = depth_ <= kMostDepth ? ofOperation(v) : nullptr;
  --depth_;
  if (element == nullptr) element = ir_.CreateExtractElement(v, lane_);
  return known_[v] = element;
}

Value* LaneElement::ofOperation(Value* v) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(v);
  if (instruction == nullptr) return nullptr;
  auto operand = [&](unsigned k) { return of(instruction->getOperand(k)); };
  if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(v)) {
    if (address->getNumIndices() != 1) return nullptr;
    Value* base = operand(0);
    return ir_.CreateGEP(address->getSourceElementType(), base, operand(1));
  }
  if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(v)) {
    Value* a = operand(0);
    return ir_.CreateBinOp(operation->getOpcode(), a, operand(1));
  }
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst>(v))
    return ir_.CreateCast(llvm::cast<llvm::CastInst>(v)->getOpcode(), operand(0),
                          v->getType()->getScalarType());
  return nullptr;
}

}  // namespace jit::simt
