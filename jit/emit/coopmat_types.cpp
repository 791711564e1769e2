// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/coopmat_types.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "jit/emit/leafwise.h"
#include "jit/emit/memory_check.h"

namespace jit::spirv {

llvm::Value* componentElements(Emission& e, const Type& matrix, llvm::Value* index) {
  auto& ir = e.ir;
  const coopmat::MappedMatrix m = mapped(e, matrix);
  const coopmat::Mapping mapping = e.request.component_layout;
  // Of a matrix that each subgroup has, the invocation's number in its subgroup counts.
  const bool each_subgroup = e.copiesOf(matrix) > 1;
  auto holder = [&](uint32_t l) { return each_subgroup ? l % m.invocations : l; };
  const uint32_t past_end = matrix.rows * matrix.columns;
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index)) {
    const uint64_t last = coopmat::length(mapping, m) - 1;
    const auto component = static_cast<uint32_t>(std::min(constant->getZExtValue(), last));
    return e.laneTable(matrix, past_end, [&](uint32_t l) -> uint64_t {
      if (holder(l) >= m.invocations) return past_end;
      return coopmat::element(mapping, m, holder(l), component).value_or(past_end);
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
  return ir.CreateAdd(
      e.simt.broadcast(offset), e.laneTable(matrix, ~uint64_t{0}, [&](uint32_t l) -> uint64_t {
        return holder(l) < m.invocations ? coopmat::weigh(placement.invocation, holder(l)) : l;
      }));
}

llvm::Value* elementsInLeaf(Emission& e, const Type& matrix, llvm::Value* elements) {
  const uint32_t copies = e.copiesOf(matrix), count = matrix.rows * matrix.columns;
  if (copies == 1) return elements;
  elements = e.simt.broadcast(elements);
  llvm::SmallVector<llvm::Constant*, 64> first;
  for (uint32_t l = 0; l < e.width(); ++l)
    first.push_back(
        llvm::ConstantInt::get(elements->getType()->getScalarType(), l / e.subgroup_size * count));
  llvm::Value* inside = e.ir.CreateICmpULT(elements, integerLike(elements, count));
  return e.ir.CreateSelect(inside, e.ir.CreateAdd(elements, llvm::ConstantVector::get(first)),
                           integerLike(elements, copies * count));
}

llvm::Value* accessibleBytes(Emission& e, const Pointer& pointer) {
  if (pointer.size == nullptr) return MemoryCheck(e).addressedBytes(pointer);
  return e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, e.simt.uniform(pointer.size),
                                    e.simt.uniform(pointer.offset));
}

}  // namespace jit::spirv
