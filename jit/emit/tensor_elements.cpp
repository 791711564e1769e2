// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/tensor_elements.h"

#include <llvm/IR/Intrinsics.h>

#include "jit/emit/integer_division.h"
#include "jit/emit/leafwise.h"
#include "jit/spirv/tensor_types.h"

namespace jit::spirv {

namespace {

using llvm::CmpInst;
using llvm::Intrinsic::ID;

using Coordinates = llvm::SmallVector<llvm::Value*, kMaxTensorDimensions>;

class Addressing {
 public:
  Addressing(Emission& e, const Type& matrix, const TensorOperands& operands)
      : e_(e),
        ir_(e.ir),
        matrix_(matrix),
        layout_(operands.layout),
        view_(operands.view),
        at_(operands.layout.type->count) {}

  TensorElements of(llvm::Value* number) {
    number = e_.simt.broadcast(number);
    clipped_ = constant(false);
    outside_ = constant(false);
    const Coordinates span = view_ ? throughView(number) : digits(number, spans(), nullptr);
    TensorElements result;
    result.index = ir_.CreateXor(number, number);
    for (uint32_t dim = 0; dim < span.size(); ++dim) {
      const Division blocks = divide(e_, clamped(dim, span[dim]),
                                     e_.simt.broadcast(layout_.leaves[at_.blockSize(dim)]), false);
      result.block.push_back(blocks.quotient);
      result.in_block.push_back(blocks.remainder);
      result.index =
          ir_.CreateAdd(result.index, multiply(blocks.quotient, layout_.leaves[at_.stride(dim)]));
    }
    result.region =
        ir_.CreateSelect(outside_, region(TensorRegion::Outside), region(TensorRegion::Inside));
    result.region = ir_.CreateSelect(clipped_, region(TensorRegion::Clipped), result.region);
    return result;
  }

 private:
  llvm::Value* constant(bool value) { return e_.simt.broadcast(ir_.getInt1(value)); }
  llvm::Value* region(TensorRegion p) {
    return e_.simt.broadcast(ir_.getInt32(static_cast<uint32_t>(p)));
  }
  // Of a vector and a number that all share.
  llvm::Value* add(llvm::Value* a, llvm::Value* b) {
    return ir_.CreateAdd(a, e_.simt.broadcast(b));
  }
  llvm::Value* subtract(llvm::Value* a, llvm::Value* b) {
    return ir_.CreateSub(a, e_.simt.broadcast(b));
  }
  llvm::Value* multiply(llvm::Value* a, llvm::Value* b) {
    return ir_.CreateMul(a, e_.simt.broadcast(b));
  }
  llvm::Value* compare(CmpInst::Predicate p, llvm::Value* a, llvm::Value* b) {
    return ir_.CreateICmp(p, a, e_.simt.broadcast(b));
  }
  llvm::Value* extremum(ID id, llvm::Value* a, llvm::Value* b) {
    return ir_.CreateBinaryIntrinsic(id, a, b);
  }

  llvm::ArrayRef<llvm::Value*> spans() const {
    return llvm::ArrayRef(layout_.leaves).slice(at_.span(0), layout_.type->count);
  }

  // The digits of `index` in the mixed radix `radix`, the last one of `order` the least
  // significant; null: in order.
  Coordinates digits(llvm::Value* index, llvm::ArrayRef<llvm::Value*> radix,
                     const uint32_t* order) {
    Coordinates result(radix.size());
    for (auto k = static_cast<uint32_t>(radix.size()); k-- > 0;) {
      const uint32_t dim = order != nullptr ? order[k] : k;
      const Division division = divide(e_, index, e_.simt.broadcast(radix[dim]), false);
      result[dim] = division.remainder;
      index = division.quotient;
    }
    return result;
  }

  // From the number of an element of the matrix to its coordinates in the span.
  Coordinates throughView(llvm::Value* number) {
    const Type& type = *view_->type;
    const ViewLeaves at(type.count);
    const auto& leaves = view_->leaves;
    llvm::Value* columns = e_.simt.broadcast(ir_.getInt32(matrix_.columns));
    llvm::Value* row = ir_.CreateUDiv(number, columns);
    llvm::Value* column = ir_.CreateURem(number, columns);
    clip(row, leaves[at.clipRowOffset()], leaves[at.clipRowSpan()]);
    clip(column, leaves[at.clipColumnOffset()], leaves[at.clipColumnSpan()]);
    llvm::Value* width =
        extremum(llvm::Intrinsic::umin, leaves[at.clipColumnSpan()], ir_.getInt32(matrix_.columns));
    llvm::Value* index = ir_.CreateAdd(multiply(subtract(row, leaves[at.clipRowOffset()]), width),
                                       subtract(column, leaves[at.clipColumnOffset()]));
    llvm::ArrayRef<llvm::Value*> radix = type.has_dimensions
                                             ? llvm::ArrayRef(leaves).take_front(type.count)
                                             : spans().take_front(type.count);
    Coordinates coordinates = digits(index, radix, type.permutation.data());
    // Digits in the slice's own dimensions are coordinates in it.
    if (!type.has_dimensions && type.count == layout_.type->count) return coordinates;
    llvm::Value* linear = ir_.CreateXor(number, number);
    llvm::Value* stride = ir_.getInt32(1);
    for (uint32_t dim = type.count; dim-- > 0;) {
      if (type.has_dimensions) stride = leaves[at.stride(dim)];
      linear = ir_.CreateAdd(linear, multiply(coordinates[dim], stride));
      if (!type.has_dimensions) stride = ir_.CreateMul(stride, radix[dim]);
    }
    return digits(linear, spans(), nullptr);
  }

  // Rows or columns that do not lie in [offset, offset + span), whose end has 32 bits.
  void clip(llvm::Value* coordinate, llvm::Value* offset, llvm::Value* span) {
    llvm::Value* before = compare(CmpInst::ICMP_ULT, coordinate, offset);
    llvm::Value* behind = compare(CmpInst::ICMP_UGE, coordinate, ir_.CreateAdd(offset, span));
    clipped_ = ir_.CreateOr(clipped_, ir_.CreateOr(before, behind));
  }

  // The remainder of the sign of the divisor, which is positive.
  llvm::Value* modulo(llvm::Value* a, llvm::Value* positive) {
    llvm::Value* divisor = e_.simt.broadcast(positive);
    llvm::Value* remainder = divide(e_, a, divisor, true).remainder;
    llvm::Value* negative = ir_.CreateICmpSLT(remainder, integerLike(remainder, 0));
    return ir_.CreateSelect(negative, ir_.CreateAdd(remainder, divisor), remainder);
  }

  // The coordinate in the tensor; 0 where there is none.
  llvm::Value* clamped(uint32_t dim, llvm::Value* coordinate) {
    llvm::Value* c = add(coordinate, layout_.leaves[at_.offset(dim)]);
    // Coordinates have a sign, so no more than this can be inside.
    llvm::Value* size = extremum(llvm::Intrinsic::umin, layout_.leaves[at_.dimension(dim)],
                                 ir_.getInt32(INT32_MAX));
    llvm::Value* inside = compare(CmpInst::ICMP_ULT, c, size);
    llvm::Value* found = c;
    llvm::Value* zero = ir_.getInt32(0);
    llvm::Value* none = e_.simt.broadcast(ir_.CreateICmpEQ(size, zero));
    auto last = [&] { return ir_.CreateSub(size, ir_.getInt32(1)); };
    switch (layout_.type->clamp_mode) {
      case spv::TensorClampMode::ClampToEdge:
        c = extremum(llvm::Intrinsic::smax, c, e_.simt.broadcast(zero));
        c = extremum(llvm::Intrinsic::smin, c, e_.simt.broadcast(last()));
        break;
      case spv::TensorClampMode::Repeat:
        c = modulo(c, size);
        break;
      case spv::TensorClampMode::RepeatMirrored: {
        llvm::Value* period = ir_.CreateShl(last(), 1);
        period = extremum(llvm::Intrinsic::smax, period, ir_.getInt32(1));
        c = modulo(c, period);
        llvm::Value* mirrored = ir_.CreateSub(e_.simt.broadcast(period), c);
        c = ir_.CreateSelect(compare(CmpInst::ICMP_SGE, c, size), mirrored, c);
        break;
      }
      default:  // undefined is as good as constant
        none = ir_.CreateNot(inside);
    }
    c = ir_.CreateSelect(inside, found, c);
    outside_ = ir_.CreateOr(outside_, none);
    return ir_.CreateSelect(none, e_.simt.broadcast(zero), c);
  }

  Emission& e_;
  llvm::IRBuilder<>& ir_;
  const Type& matrix_;
  const Value& layout_;
  const std::optional<Value>& view_;
  const LayoutLeaves at_;
  llvm::Value *clipped_ = nullptr, *outside_ = nullptr;
};

}  // namespace

TensorElements tensorElements(Emission& e, const Type& matrix, const TensorOperands& operands,
                              llvm::Value* number) {
  return Addressing(e, matrix, operands).of(number);
}

}  // namespace jit::spirv
