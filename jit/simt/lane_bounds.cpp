// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/lane_bounds.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "jit/simt/progression.h"

namespace jit::simt {

namespace {

// Larger steps could wrap around on the way.
constexpr int64_t kMaxStep = 1 << 24;

// Numbers of lanes, and their count, are bytes, or, in wide streams, of 16 bits.
constexpr unsigned kMaxByteLanes = 127, kMaxLanes = 1 << 14;

// The least l >= 0 with l * step >= distance, and `lanes` where that is more.
llvm::Value* lanesBefore(llvm::IRBuilder<>& ir, llvm::Value* distance, int64_t step,
                         unsigned lanes) {
  llvm::Type* type = distance->getType();
  auto constant = [&](int64_t value) { return llvm::ConstantInt::getSigned(type, value); };
  distance = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, distance, constant(0));
  distance = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, distance,
                                      constant(step * static_cast<int64_t>(lanes)));
  return ir.CreateUDiv(ir.CreateAdd(distance, constant(step - 1)), constant(step));
}

// first + l * step < limit, unsigned, for a limit that has no sign bit. Where `first` has one (it
// is an offset before the start), lanes are inside from the start on.
bool simplify(llvm::ICmpInst& compare) {
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(compare.getOperand(0)->getType());
  if (compare.getPredicate() != llvm::CmpInst::ICMP_ULT || type == nullptr ||
      !type->getElementType()->isIntegerTy(64) || type->getNumElements() > kMaxLanes)
    return false;
  llvm::Value* limit = llvm::getSplatValue(compare.getOperand(1));
  if (limit == nullptr || !llvm::isKnownNonNegative(limit, compare.getDataLayout())) return false;
  llvm::IRBuilder<> ir(&compare);
  std::optional<Progression> offsets = Decomposer(ir).integers(compare.getOperand(0));
  if (!offsets || offsets->step <= 0 || offsets->step > kMaxStep) return false;
  const unsigned lanes = type->getNumElements();
  auto* zero = ir.getInt64(0);
  auto difference = [&](llvm::Value* a, llvm::Value* b) {
    return ir.CreateBinaryIntrinsic(llvm::Intrinsic::ssub_sat, a, b);
  };
  llvm::Value* begin = lanesBefore(ir, difference(zero, offsets->first), offsets->step, lanes);
  llvm::Value* end = lanesBefore(ir, difference(limit, offsets->first), offsets->step, lanes);
  llvm::Type* narrow = lanes > kMaxByteLanes ? ir.getInt16Ty() : ir.getInt8Ty();
  llvm::SmallVector<llvm::Constant*, 64> numbers;
  for (unsigned l = 0; l < lanes; ++l) numbers.push_back(llvm::ConstantInt::get(narrow, l));
  llvm::Value* first = ir.CreateTrunc(begin, narrow);
  llvm::Value* count = ir.CreateTrunc(ir.CreateSub(end, begin), narrow);
  llvm::Value* from_first =
      ir.CreateSub(llvm::ConstantVector::get(numbers), ir.CreateVectorSplat(lanes, first));
  llvm::Value* inside = ir.CreateICmpULT(from_first, ir.CreateVectorSplat(lanes, count));
  compare.replaceAllUsesWith(inside);
  compare.eraseFromParent();
  return true;
}

}  // namespace

bool simplifyLaneBounds(llvm::Function& function) {
  bool changed = false;
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(function)))
    if (auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&i)) changed |= simplify(*compare);
  return changed;
}

}  // namespace jit::simt
