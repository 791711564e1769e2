#include "jit/spirv/coopmat_types.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "jit/spirv/leafwise.h"

namespace jit::spirv {

llvm::Value* componentElements(Emission& e, const Type& matrix, llvm::Value* index) {
  auto& ir = e.ir;
  const coopmat::MappedMatrix m = mapped(e, matrix);
  const coopmat::Mapping mapping = e.request.component_layout;
  // A leaf may hold a matrix for each subgroup.
  const uint32_t elements = matrix.rows * matrix.columns, copies = e.copiesOf(matrix);
  const uint32_t past_end = elements * copies;
  auto holder = [&](uint32_t l) { return copies > 1 ? l % m.invocations : l; };
  auto first = [&](uint32_t l) { return copies > 1 ? l / m.invocations * elements : 0; };
  // A table of numbers, one for each invocation.
  auto table = [&](auto number) -> llvm::Constant* {
    llvm::SmallVector<llvm::Constant*, 64> lanes;
    for (uint32_t l = 0; l < e.width; ++l) lanes.push_back(ir.getInt64(number(l)));
    return llvm::ConstantVector::get(lanes);
  };
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index)) {
    const uint64_t last = coopmat::length(mapping, m) - 1;
    const auto component = static_cast<uint32_t>(std::min(constant->getZExtValue(), last));
    return table([&](uint32_t l) {
      if (holder(l) >= m.invocations) return past_end;
      const auto element = coopmat::element(mapping, m, holder(l), component);
      return element ? first(l) + *element : past_end;
    });
  }
  const coopmat::Placement placement = coopmat::placementOf(mapping, m);
  llvm::Value* rest = ir.CreateZExtOrTrunc(index, shapedLike(index, ir.getInt64Ty()));
  auto like = [&](uint32_t number) { return llvm::ConstantInt::get(rest->getType(), number); };
  llvm::Value* offset = like(0);
  uint32_t left = coopmat::length(mapping, m);
  for (const coopmat::Digit& digit : placement.component) {
    if (digit.radix == 1) continue;
    left /= digit.radix;  // 1: there are no more digits
    llvm::Value* value = left == 1 ? rest : ir.CreateURem(rest, like(digit.radix));
    offset = ir.CreateAdd(offset, ir.CreateMul(value, like(digit.weight)));
    if (left == 1) break;
    rest = ir.CreateUDiv(rest, like(digit.radix));
  }
  // Lanes without an invocation access nothing; counting on keeps addresses contiguous.
  llvm::Value* element = ir.CreateAdd(
      e.simt.broadcast(offset), table([&](uint32_t l) {
        return holder(l) < m.invocations ? coopmat::weigh(placement.invocation, holder(l)) : l;
      }));
  if (copies == 1) return element;
  llvm::Value* inside = ir.CreateICmpULT(element, integerLike(element, elements));
  return ir.CreateSelect(inside, ir.CreateAdd(element, table(first)),
                         integerLike(element, past_end));
}

llvm::Value* accessibleBytes(Emission& e, const Pointer& pointer) {
  if (pointer.size == nullptr) return e.ir.getInt64(~uint64_t{0});
  return e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, e.simt.uniform(pointer.size),
                                    e.simt.uniform(pointer.offset));
}

}  // namespace jit::spirv
