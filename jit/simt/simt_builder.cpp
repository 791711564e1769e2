#include "jit/simt/simt_builder.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

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

llvm::Value* SimtBuilder::any(llvm::Value* lanes) {
  return ir.CreateICmpNE(bits(lanes), ir.getIntN(width, 0));
}

llvm::Value* SimtBuilder::firstLive() {
  if (mask == nullptr) return ir.getInt32(0);
  llvm::Value* first = call(llvm::Intrinsic::cttz, {bits(mask), ir.getTrue()});
  return ir.CreateZExtOrTrunc(first, ir.getInt32Ty());
}

llvm::Value* SimtBuilder::uniform(llvm::Value* v) {
  return isVarying(v) ? ir.CreateExtractElement(v, firstLive()) : v;
}

llvm::Value* SimtBuilder::call(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value*> arguments) {
  return ir.CreateIntrinsic(id, {arguments[0]->getType()}, arguments);
}

}  // namespace jit::simt
