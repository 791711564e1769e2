#include "jit/spirv/coopmat_types.h"

#include <llvm/IR/Constants.h>

#include "jit/spirv/leafwise.h"

namespace jit::spirv {

coopmat::MappedMatrix mapped(const Type& matrix, uint32_t width) {
  return {componentOf(*matrix.element).value_or(coopmat::Component::F32), matrix.rows,
          matrix.columns, useOf(matrix), width};
}

llvm::Value* componentElements(Emission& e, const Type& matrix, llvm::Value* index) {
  auto& ir = e.ir;
  const coopmat::MappedMatrix m = mapped(matrix, e.width);
  const uint32_t length = coopmat::length(coopmat::Mapping::Native, m);
  const uint32_t past_end = matrix.rows * matrix.columns;
  // A table of element numbers, component by component, for all invocations.
  auto elements = [&](uint32_t component) -> llvm::Constant* {
    llvm::SmallVector<llvm::Constant*, 64> lanes;
    for (uint32_t l = 0; l < e.width; ++l)
      lanes.push_back(ir.getInt64(
          coopmat::element(coopmat::Mapping::Native, m, l, component).value_or(past_end)));
    return llvm::ConstantVector::get(lanes);
  };
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index))
    return elements(
        static_cast<uint32_t>(std::min<uint64_t>(constant->getZExtValue(), length - 1)));
  // Contiguous mappings number the elements component * width + invocation.
  bool regular = true;
  for (uint32_t c = 0; c < length; ++c)
    regular &= coopmat::firstContiguous(coopmat::Mapping::Native, m, c) == c * e.width;
  llvm::Type* i64 = ir.getInt64Ty();
  llvm::Value* wide = ir.CreateZExtOrTrunc(index, shapedLike(index, i64));
  if (regular) {
    llvm::Value* first = ir.CreateMul(wide, llvm::ConstantInt::get(wide->getType(), e.width));
    return ir.CreateAdd(e.simt.broadcast(first), e.simt.laneIndices(i64));
  }
  llvm::Value* chosen = elements(length - 1);
  for (uint32_t c = length - 1; c-- > 0;) {
    llvm::Value* is = ir.CreateICmpEQ(wide, llvm::ConstantInt::get(wide->getType(), c));
    chosen = ir.CreateSelect(e.simt.broadcast(is), elements(c), chosen);
  }
  return chosen;
}

}  // namespace jit::spirv
