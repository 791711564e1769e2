// SPDX-License-Identifier: Apache-2.0

// Source: SPIR-V Specification, 3.52.24 "Non-Uniform Instructions", which gives each operation its
// identity and FMin and FMax their rules for NaN.
#include "jit/emit/group_arithmetic.h"

#include <llvm/IR/Intrinsics.h>

#include <string>

#include "jit/emit/leafwise.h"
#include "jit/simt/lane_function.h"
#include "jit/simt/lane_scan.h"

namespace jit::spirv {

namespace {

namespace Intrinsic = llvm::Intrinsic;

// Operations on integers and floats; the type of the operands tells which of the two.
enum class Operator : uint8_t { Add, Mul, SMin, UMin, SMax, UMax, And, Or, Xor };

Operator operatorOf(spv::Op op) {
  switch (op) {
    case spv::Op::OpGroupNonUniformIAdd:
    case spv::Op::OpGroupNonUniformFAdd:
      return Operator::Add;
    case spv::Op::OpGroupNonUniformIMul:
    case spv::Op::OpGroupNonUniformFMul:
      return Operator::Mul;
    case spv::Op::OpGroupNonUniformSMin:
    case spv::Op::OpGroupNonUniformFMin:
      return Operator::SMin;
    case spv::Op::OpGroupNonUniformUMin:
      return Operator::UMin;
    case spv::Op::OpGroupNonUniformSMax:
    case spv::Op::OpGroupNonUniformFMax:
      return Operator::SMax;
    case spv::Op::OpGroupNonUniformUMax:
      return Operator::UMax;
    case spv::Op::OpGroupNonUniformBitwiseAnd:
    case spv::Op::OpGroupNonUniformLogicalAnd:
      return Operator::And;
    case spv::Op::OpGroupNonUniformBitwiseOr:
    case spv::Op::OpGroupNonUniformLogicalOr:
      return Operator::Or;
    default:
      return Operator::Xor;
  }
}

bool isIdempotent(Operator op) {
  return op != Operator::Add && op != Operator::Mul && op != Operator::Xor;
}

llvm::Value* combine(llvm::IRBuilderBase& ir, Operator op, llvm::Value* a, llvm::Value* b) {
  const bool real = a->getType()->isFPOrFPVectorTy();
  switch (op) {
    case Operator::Add:
      return real ? ir.CreateFAdd(a, b) : ir.CreateAdd(a, b);
    case Operator::Mul:
      return real ? ir.CreateFMul(a, b) : ir.CreateMul(a, b);
    case Operator::SMin:
      return real ? ir.CreateMinNum(a, b) : ir.CreateBinaryIntrinsic(Intrinsic::smin, a, b);
    case Operator::UMin:
      return ir.CreateBinaryIntrinsic(Intrinsic::umin, a, b);
    case Operator::SMax:
      return real ? ir.CreateMaxNum(a, b) : ir.CreateBinaryIntrinsic(Intrinsic::smax, a, b);
    case Operator::UMax:
      return ir.CreateBinaryIntrinsic(Intrinsic::umax, a, b);
    case Operator::And:
      return ir.CreateAnd(a, b);
    case Operator::Or:
      return ir.CreateOr(a, b);
    case Operator::Xor:
      return ir.CreateXor(a, b);
  }
  llvm_unreachable("a group operation without an operator");
}

// The scalar that changes no value. Of an addition of floats that is -0.0.
llvm::Constant* neutral(Operator op, llvm::Type* type) {
  if (type->isFloatingPointTy()) {
    switch (op) {
      case Operator::Add:
        return llvm::ConstantFP::getNegativeZero(type);
      case Operator::Mul:
        return llvm::ConstantFP::get(type, 1.0);
      default:
        return llvm::ConstantFP::getInfinity(type, op == Operator::SMax);
    }
  }
  const unsigned bits = type->getIntegerBitWidth();
  switch (op) {
    case Operator::Mul:
      return llvm::ConstantInt::get(type, 1);
    case Operator::SMin:
      return llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(bits));
    case Operator::SMax:
      return llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
    case Operator::UMin:
    case Operator::And:
      return llvm::ConstantInt::get(type, llvm::APInt::getAllOnes(bits));
    default:
      return llvm::ConstantInt::get(type, 0);
  }
}

// What the first of an exclusive scan gets: for sums of floats 0.0, and not -0.0.
llvm::Constant* identity(Operator op, llvm::Type* type) {
  return op == Operator::Add ? llvm::Constant::getNullValue(type) : neutral(op, type);
}

// LLVM knows good ways to reduce vectors of integers.
llvm::Value* reduceIntegers(llvm::IRBuilderBase& ir, Operator op, llvm::Value* v) {
  switch (op) {
    case Operator::Add:
      return ir.CreateAddReduce(v);
    case Operator::Mul:
      return ir.CreateMulReduce(v);
    case Operator::SMin:
      return ir.CreateIntMinReduce(v, true);
    case Operator::UMin:
      return ir.CreateIntMinReduce(v, false);
    case Operator::SMax:
      return ir.CreateIntMaxReduce(v, true);
    case Operator::UMax:
      return ir.CreateIntMaxReduce(v, false);
    case Operator::And:
      return ir.CreateAndReduce(v);
    case Operator::Or:
      return ir.CreateOrReduce(v);
    case Operator::Xor:
      return ir.CreateXorReduce(v);
  }
  llvm_unreachable("a group operation without an operator");
}

// Booleans are bits of one integer, and only Or and Xor: an And of values is the complement of an
// Or of their complements.
llvm::Value* combineBits(Emission& e, const GroupCombination& c, bool exclusive_or,
                         llvm::Value* bits) {
  auto& ir = e.ir;
  auto join = [&](llvm::Value* a, llvm::Value* b) {
    return exclusive_or ? ir.CreateXor(a, b) : ir.CreateOr(a, b);
  };
  if (c.shape != GroupShape::Reduce) {
    if (c.shape == GroupShape::ExclusiveScan) bits = ir.CreateShl(bits, 1);
    if (!exclusive_or) return ir.CreateOr(bits, ir.CreateNeg(bits));  // the lowest, and all above
    for (uint32_t distance = 1; distance < e.width(); distance *= 2)
      bits = join(bits, ir.CreateShl(bits, distance));
    return bits;
  }
  if (c.cluster == e.width()) {
    if (!exclusive_or) return ir.CreateICmpNE(bits, integerLike(bits, 0));
    return ir.CreateTrunc(e.simt.call(Intrinsic::ctpop, {bits}), ir.getInt1Ty());
  }
  for (uint32_t half = c.cluster / 2; half > 0; half /= 2) {
    llvm::APInt lower =
        llvm::APInt::getSplat(e.width(), llvm::APInt::getLowBitsSet(2 * half, half));
    llvm::Value* mask = llvm::ConstantInt::get(bits->getType(), lower);
    llvm::Value* up = ir.CreateShl(ir.CreateAnd(bits, mask), half);
    llvm::Value* down = ir.CreateAnd(ir.CreateLShr(bits, half), mask);
    bits = join(bits, ir.CreateOr(up, down));
  }
  return bits;
}

llvm::Value* combineBooleans(Emission& e, const GroupCombination& c, Operator op,
                             llvm::Value* leaf) {
  auto& ir = e.ir;
  llvm::Value* lanes = e.simt.broadcast(leaf);
  if (op == Operator::And) lanes = ir.CreateNot(lanes);
  if (c.active != nullptr) lanes = ir.CreateAnd(c.active, lanes);
  llvm::Value* result = combineBits(e, c, op == Operator::Xor, e.simt.bits(lanes));
  if (!result->getType()->isIntegerTy(1)) result = e.simt.lanesOfBits(result);
  return op == Operator::And ? ir.CreateNot(result) : result;
}

// Of numbers, with the neutral one for those who take no part.
llvm::Value* combineNumbers(simt::SimtBuilder& simt, const GroupCombination& c, Operator op,
                            llvm::Value* v) {
  llvm::Type* type = simt.scalarOf(v);
  auto step = [&](llvm::Value* a, llvm::Value* b) { return combine(simt.ir, op, a, b); };
  if (c.shape != GroupShape::Reduce) {
    if (c.shape == GroupShape::ExclusiveScan)
      v = simt::shiftLanesUp(simt, v, 1, identity(op, type));
    return simt::scanLanes(simt, v, neutral(op, type), step);
  }
  if (c.cluster < simt.width) return simt::reduceClusters(simt, v, c.cluster, step);
  return type->isIntegerTy() ? reduceIntegers(simt.ir, op, v) : simt::reduceLanes(simt, v, step);
}

// What combineNumbers() does.
FunctionKey keyOf(Operator op, const GroupCombination& c) {
  constexpr const char* kOperators[] = {"add",  "mul", "smin", "umin", "smax",
                                        "umax", "and", "or",   "xor"};
  constexpr const char* kShapes[] = {"reduce", "inclusive", "exclusive"};
  FunctionKey key(FunctionKind::Lanes);
  key.add(uint64_t(op), kOperators[unsigned(op)])
      .add(uint64_t(c.shape), kShapes[unsigned(c.shape)]);
  if (c.shape == GroupShape::Reduce) key.add(c.cluster);
  return key;
}

}  // namespace

llvm::Value* combineLanes(Emission& e, const GroupCombination& c, llvm::Value* leaf) {
  auto& ir = e.ir;
  const Operator op = operatorOf(c.op);
  if (!e.simt.isVarying(leaf) && isIdempotent(op) && c.shape != GroupShape::ExclusiveScan)
    return leaf;
  llvm::Type* type = e.simt.scalarOf(leaf);
  if (type->isIntegerTy(1)) return combineBooleans(e, c, op, leaf);

  llvm::Constant* pad = neutral(op, type);
  llvm::Value* v = e.simt.broadcast(leaf);
  if (c.active != nullptr) v = ir.CreateSelect(c.active, v, e.simt.broadcast(pad));
  const bool all = c.shape == GroupShape::Reduce && c.cluster == e.width();
  return simt::callLaneFunction(e.simt, keyOf(op, c), v, all ? type : v->getType(),
                                [&](simt::SimtBuilder& simt, llvm::Value* lanes) {
                                  return combineNumbers(simt, c, op, lanes);
                                });
}

}  // namespace jit::spirv
