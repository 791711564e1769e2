// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/tensor_rows.h"

#include "jit/spirv/tensor_types.h"

namespace jit::spirv {

namespace {

// Whether what lies outside of a layout is loaded as zeros, i1.
llvm::Value* loadsZerosOutside(Emission& e, const Value& layout) {
  switch (layout.type->clamp_mode) {
    case spv::TensorClampMode::Undefined:
      return e.ir.getTrue();
    case spv::TensorClampMode::Constant:
      return e.ir.CreateIsNull(layout.leaves[LayoutLeaves(layout.type->count).clampValue()]);
    default:
      return e.ir.getFalse();
  }
}

// The conjunction of conditions.
class All {
 public:
  explicit All(llvm::IRBuilder<>& ir) : ir_(ir), value_(ir.getTrue()) {}

  All& operator&=(llvm::Value* condition) {
    value_ = ir_.CreateAnd(value_, condition);
    return *this;
  }
  void equal(llvm::Value* a, llvm::Value* b) { *this &= ir_.CreateICmpEQ(a, b); }
  // offset >= 0 and offset + count <= size, all of them small enough to have no sign bit.
  void inside(llvm::Value* offset, llvm::Value* count, llvm::Value* size) {
    *this &= ir_.CreateICmpSLE(count, size);
    *this &= ir_.CreateICmpULE(offset, ir_.CreateSub(size, count));
  }
  llvm::Value* value() const { return value_; }

 private:
  llvm::IRBuilder<>& ir_;
  llvm::Value* value_;
};

}  // namespace

llvm::Value* isUnclipped(Emission& e, const Type& matrix, const Value& view) {
  const ViewLeaves at(view.type->count);
  All all(e.ir);
  all.equal(view.leaves[at.clipRowOffset()], e.ir.getInt32(0));
  all.equal(view.leaves[at.clipColumnOffset()], e.ir.getInt32(0));
  all &= e.ir.CreateICmpUGE(view.leaves[at.clipRowSpan()], e.ir.getInt32(matrix.rows));
  all &= e.ir.CreateICmpUGE(view.leaves[at.clipColumnSpan()], e.ir.getInt32(matrix.columns));
  return all.value();
}

llvm::Value* hasGroups(Emission& e, const Type& matrix, const TensorOperands& operands,
                       uint32_t size) {
  auto& ir = e.ir;
  const Type& layout = *operands.layout.type;
  const LayoutLeaves at(layout.count);
  const auto& leaves = operands.layout.leaves;
  const uint32_t inner = layout.count - 1;
  All all(ir);
  if (operands.view) {
    all &= isUnclipped(e, matrix, *operands.view);
    // Elements along the innermost dimension are those of one column.
    if (!isIdentity(*operands.view->type))
      all.equal(leaves[at.span(inner - 1)], ir.getInt32(matrix.columns));
  }
  llvm::Value* bits = ir.CreateOr(leaves[at.blockSize(inner)], leaves[at.span(inner)]);
  bits = ir.CreateOr(bits, ir.CreateOr(leaves[at.offset(inner)], leaves[at.dimension(inner)]));
  all.equal(ir.CreateAnd(bits, ir.getInt32(size - 1)), ir.getInt32(0));
  return all.value();
}

std::optional<TensorRows> tensorRows(Emission& e, const Type& matrix,
                                     const TensorOperands& operands, bool stores) {
  auto& ir = e.ir;
  const Type& layout = *operands.layout.type;
  const uint32_t dims = layout.count;
  const LayoutLeaves at(dims);
  const auto& leaves = operands.layout.leaves;
  All all(ir);
  const auto line_layout = tensorLines(layout, operands.view ? operands.view->type : nullptr);
  if (!line_layout) return std::nullopt;
  const bool by_columns = *line_layout == coopmat::Layout::Column;
  if (operands.view) {
    const Type& view = *operands.view->type;
    all &= isUnclipped(e, matrix, *operands.view);
    // Dimensions of the view's own change nothing where they are the slice's.
    if (view.has_dimensions) {
      const ViewLeaves view_at(dims);
      llvm::Value* stride = ir.getInt32(1);
      for (uint32_t dim = dims; dim-- > 0;) {
        llvm::Value* span = leaves[at.span(dim)];
        all.equal(operands.view->leaves[view_at.dimension(dim)], span);
        all.equal(operands.view->leaves[view_at.stride(dim)], stride);
        stride = ir.CreateMul(stride, span);
      }
    }
  }

  // Elements along the innermost dimension, and lines along the one before.
  const uint32_t length = by_columns ? matrix.rows : matrix.columns;
  const uint32_t lines = by_columns ? matrix.columns : matrix.rows;
  const uint32_t inner = dims - 1;
  all.equal(leaves[at.stride(inner)], ir.getInt32(1));
  for (uint32_t dim = 0; dim < dims; ++dim) all.equal(leaves[at.blockSize(dim)], ir.getInt32(1));
  llvm::Value* line_stride = ir.getInt64(length);
  llvm::Value *ends = ir.getFalse(), *lines_inside = ir.getInt64(lines);
  if (dims == 1) {
    const uint32_t elements = matrix.rows * matrix.columns;
    all &= ir.CreateICmpUGE(leaves[at.span(0)], ir.getInt32(elements));
    all.inside(leaves[at.offset(0)], ir.getInt32(elements), leaves[at.dimension(0)]);
  } else {
    const uint32_t outer = dims - 2;
    // The faster one of the view's dimensions is exactly as long as a row of the matrix.
    llvm::Value* fast_span = leaves[at.span(by_columns ? outer : inner)];
    llvm::Value* slow_span = leaves[at.span(by_columns ? inner : outer)];
    all.equal(fast_span, ir.getInt32(matrix.columns));
    all &= ir.CreateICmpUGE(slow_span, ir.getInt32(matrix.rows));
    all.inside(leaves[at.offset(inner)], ir.getInt32(length), leaves[at.dimension(inner)]);
    line_stride = ir.CreateZExt(leaves[at.stride(outer)], ir.getInt64Ty());
    // Lines up to the end of the tensor, all of them or fewer. What ends after them must not begin
    // in them.
    llvm::Value *offset = leaves[at.offset(outer)], *size = leaves[at.dimension(outer)];
    all &= ir.CreateICmpSGE(size, ir.getInt32(0));
    all &= ir.CreateICmpULE(offset, size);
    llvm::Value* left = ir.CreateSub(size, offset);
    ends = ir.CreateICmpULT(left, ir.getInt32(lines));
    lines_inside = ir.CreateZExt(left, ir.getInt64Ty());
    llvm::Value* may_end = ir.CreateICmpUGE(line_stride, ir.getInt64(length));
    if (!stores) may_end = ir.CreateAnd(may_end, loadsZerosOutside(e, operands.layout));
    all &= ir.CreateOr(ir.CreateNot(ends), may_end);
    for (uint32_t dim = 0; dim < outer; ++dim)
      all.inside(leaves[at.offset(dim)], ir.getInt32(1), leaves[at.dimension(dim)]);
  }

  // Indices have 32 bits: where they would wrap around, elements lie otherwise.
  llvm::Value *first = ir.getInt64(0), *distances = ir.getInt64(0);
  for (uint32_t dim = 0; dim < dims; ++dim) {
    llvm::Value* offset = ir.CreateZExt(leaves[at.offset(dim)], ir.getInt64Ty());
    llvm::Value* stride = ir.CreateZExt(leaves[at.stride(dim)], ir.getInt64Ty());
    llvm::Value* distance = ir.CreateMul(offset, stride);
    first = ir.CreateAdd(first, distance);
    distances = ir.CreateOr(distances, distance);
  }
  all &= ir.CreateICmpULE(distances, ir.getInt64(~0u));
  llvm::Value* last = ir.CreateAdd(first, ir.CreateMul(line_stride, ir.getInt64(lines - 1)));
  last = ir.CreateAdd(last, ir.getInt64(length - 1));
  all &= ir.CreateICmpULE(last, ir.getInt64(~0u));
  return TensorRows{by_columns ? coopmat::Layout::Column : coopmat::Layout::Row,
                    all.value(),
                    first,
                    line_stride,
                    ends,
                    lines_inside};
}

}  // namespace jit::spirv
