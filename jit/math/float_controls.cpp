// SPDX-License-Identifier: Apache-2.0

#include "jit/math/float_controls.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "jit/math/functions.h"
#include "jit/math/rounding.h"

namespace jit::math {
namespace {

constexpr llvm::StringLiteral kFixedRounding = "tessera.fixed_rounding";

llvm::Intrinsic::ID intrinsicOf(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic;
}

// An operation of SPIR-V that may give a denormal number.
bool mayGiveDenormal(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
    case llvm::Instruction::FMul:
    case llvm::Instruction::FDiv:
    case llvm::Instruction::FRem:
    case llvm::Instruction::FNeg:
    case llvm::Instruction::FPTrunc:
      return true;
    case llvm::Instruction::Call:
      break;
    default:
      return false;
  }
  switch (intrinsicOf(instruction)) {
    case llvm::Intrinsic::fabs:
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::canonicalize:
      return true;
    default:
      return isCall(instruction);
  }
}

// The result of the instruction rounded towards zero; null where it needs no rounding.
llvm::Value* roundedTowardsZero(llvm::IRBuilderBase& builder, llvm::Instruction& instruction) {
  auto operand = [&](unsigned n) { return Term(builder, instruction.getOperand(n)); };
  llvm::Type* scalar = instruction.getType()->getScalarType();
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FAdd:
      return addTowardsZero(operand(0), operand(1));
    case llvm::Instruction::FSub:
      return addTowardsZero(operand(0), -operand(1));
    case llvm::Instruction::FMul:
      return multiplyTowardsZero(operand(0), operand(1));
    case llvm::Instruction::FDiv:
      return divideTowardsZero(operand(0), operand(1));
    case llvm::Instruction::FPTrunc:
      return narrowTowardsZero(operand(0), scalar);
    case llvm::Instruction::SIToFP:
      return integerTowardsZero(operand(0), true, scalar);
    case llvm::Instruction::UIToFP:
      return integerTowardsZero(operand(0), false, scalar);
    default:
      break;
  }
  switch (intrinsicOf(instruction)) {
    case llvm::Intrinsic::sqrt:
      return sqrtTowardsZero(operand(0));
    case llvm::Intrinsic::fma:
      return fmaTowardsZero(operand(0), operand(1), operand(2));
    default:
      return nullptr;
  }
}

void apply(llvm::Instruction& instruction, const FloatMode& mode) {
  llvm::SmallVector<llvm::Use*> uses;
  for (llvm::Use& use : instruction.uses()) uses.push_back(&use);
  llvm::IRBuilder<> builder(instruction.getParent(), std::next(instruction.getIterator()));
  builder.SetCurrentDebugLocation(instruction.getDebugLoc());
  llvm::Value* result = nullptr;
  if (mode.rounds_towards_zero) result = roundedTowardsZero(builder, instruction);
  if (intrinsicOf(instruction) == llvm::Intrinsic::canonicalize) result = instruction.getOperand(0);
  if (mode.flushes_denormals && mayGiveDenormal(instruction))
    result = flushDenormals(Term(builder, result ? result : &instruction));
  if (!result) return;
  for (llvm::Use* use : uses) use->set(result);
  if (instruction.use_empty()) instruction.eraseFromParent();
}

}  // namespace

bool FloatControls::flushes() const {
  return half.flushes_denormals || single.flushes_denormals || wide.flushes_denormals;
}

bool FloatControls::isDefault() const {
  return !flushes() && !half.rounds_towards_zero && !single.rounds_towards_zero &&
         !wide.rounds_towards_zero;
}

const FloatMode* FloatControls::of(const llvm::Type* type) const {
  switch (type->getScalarType()->getTypeID()) {
    case llvm::Type::HalfTyID:
      return &half;
    case llvm::Type::FloatTyID:
      return &single;
    case llvm::Type::DoubleTyID:
      return &wide;
    default:
      return nullptr;
  }
}

void applyFloatControls(llvm::Function& function, const FloatControls& controls) {
  if (controls.isDefault()) return;
  llvm::SmallVector<llvm::Instruction*> instructions;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (controls.of(instruction.getType()) && !instruction.hasMetadata(kFixedRounding))
      instructions.push_back(&instruction);
  }
  for (llvm::Instruction* instruction : instructions)
    apply(*instruction, *controls.of(instruction->getType()));
}

FixedRounding::FixedRounding(llvm::IRBuilderBase& builder)
    : block_(*builder.GetInsertBlock()), last_(block_.empty() ? nullptr : &block_.back()) {}

FixedRounding::~FixedRounding() {
  llvm::MDNode* mark = llvm::MDNode::get(block_.getContext(), {});
  auto begin = last_ ? std::next(last_->getIterator()) : block_.begin();
  for (auto i = begin; i != block_.end(); ++i) i->setMetadata(kFixedRounding, mark);
}

}  // namespace jit::math
