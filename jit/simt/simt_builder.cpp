// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/simt_builder.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include <bit>

namespace jit::simt {

llvm::Value* SimtBuilder::broadcast(llvm::Value* v) {
  return isVarying(v) ? v : ir.CreateVectorSplat(width, v);
}

void SimtBuilder::unify(llvm::Value*& a, llvm::Value*& b) {
  if (isVarying(a) == isVarying(b)) return;
  a = broadcast(a);
  b = broadcast(b);
}

llvm::Constant* SimtBuilder::laneIndices(llvm::Type* scalar) const {
  llvm::SmallVector<llvm::Constant*, 64> lanes;
  for (uint32_t l = 0; l < width; ++l) lanes.push_back(llvm::ConstantInt::get(scalar, l));
  return llvm::ConstantVector::get(lanes);
}

llvm::Value* SimtBuilder::fullMask() const {
  if (mask != nullptr) return mask;
  return llvm::Constant::getAllOnesValue(vectorOf(llvm::Type::getInt1Ty(ir.getContext())));
}

llvm::Value* SimtBuilder::bits(llvm::Value* lanes) {
  return ir.CreateBitCast(lanes, ir.getIntNTy(width));
}

llvm::Value* SimtBuilder::lanesOfBits(llvm::Value* bits) {
  return ir.CreateBitCast(bits, vectorOf(ir.getInt1Ty()));
}

llvm::Value* SimtBuilder::settled(llvm::Value* v) {
  return mask == nullptr || !isVarying(v) ? v : ir.CreateFreeze(v);
}

llvm::Value* SimtBuilder::any(llvm::Value* lanes) {
  // Masks of many words stay in mask registers, or vectors, for as long as they can.
  if (width > kMaskWordBits) return ir.CreateOrReduce(lanes);
  return ir.CreateICmpNE(bits(lanes), ir.getIntN(width, 0));
}

llvm::Value* SimtBuilder::amongLive(llvm::Value* predicate) {
  llvm::Value* lanes = broadcast(predicate);
  return mask == nullptr ? lanes : ir.CreateAnd(mask, lanes);
}

llvm::Value* SimtBuilder::firstLive() {
  if (mask == nullptr) return ir.getInt32(0);
  llvm::Value* first = call(llvm::Intrinsic::cttz, {bits(mask), ir.getTrue()});
  return ir.CreateZExtOrTrunc(first, ir.getInt32Ty());
}

llvm::Value* SimtBuilder::lane(llvm::Value* v, llvm::Value* index) {
  if (!isVarying(v)) return v;
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index))
    return ir.CreateExtractElement(v, constant->getZExtValue() % width);
  auto inRange = [&](llvm::Value* number) {
    return std::has_single_bit(width) ? ir.CreateAnd(number, width - 1) : number;
  };
  const bool is_bool = scalarOf(v)->isIntegerTy(1);
  if (is_bool && width <= kMaskWordBits) {
    llvm::Value* all = bits(v);
    llvm::Value* amount = inRange(ir.CreateZExtOrTrunc(index, all->getType()));
    return ir.CreateTrunc(ir.CreateLShr(all, amount), ir.getInt1Ty());
  }
  llvm::Value* number = inRange(ir.CreateZExtOrTrunc(index, ir.getInt32Ty()));
  if (!is_bool) return ir.CreateExtractElement(v, number);
  llvm::Value* bytes = ir.CreateZExt(v, vectorOf(ir.getInt8Ty()));
  return ir.CreateTrunc(ir.CreateExtractElement(bytes, number), ir.getInt1Ty());
}

llvm::Value* SimtBuilder::uniform(llvm::Value* v) {
  return isVarying(v) ? lane(v, firstLive()) : v;
}

llvm::Value* SimtBuilder::call(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value*> arguments) {
  return ir.CreateIntrinsic(id, {arguments[0]->getType()}, arguments);
}

}  // namespace jit::simt
