// SPDX-License-Identifier: Apache-2.0

// OpSpecConstantOp: instructions on constants, evaluated once the constants have their values.
// Source: SPIR-V Specification, OpSpecConstantOp: the operations that shaders may use.
#include <llvm/ADT/APFloat.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "jit/base/error.h"
#include "jit/spirv/constants.h"
#include "jit/spirv/coopmat_support.h"
#include "jit/spirv/spelling.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

namespace {

using Leaves = std::vector<uint64_t>;

uint32_t widthOf(const Type& type) { return type.kind == TypeKind::Bool ? 1 : type.width; }

const llvm::fltSemantics& semanticsOf(const Type& type) {
  switch (type.encoding) {
    case FloatEncoding::BFloat16:
      return llvm::APFloat::BFloat();
    case FloatEncoding::Float8E4M3:
      return llvm::APFloat::Float8E4M3FN();
    case FloatEncoding::Float8E5M2:
      return llvm::APFloat::Float8E5M2();
    case FloatEncoding::Ieee:
      break;
  }
  return type.width == 16   ? llvm::APFloat::IEEEhalf()
         : type.width == 32 ? llvm::APFloat::IEEEsingle()
                            : llvm::APFloat::IEEEdouble();
}

// Under the module's float controls, which IEEE formats have.
uint64_t convertFloat(uint64_t bits, const Type& from, const Type& to, const Module& module) {
  llvm::APFloat value(semanticsOf(from), llvm::APInt(from.width, bits));
  const bool ieee = to.encoding == FloatEncoding::Ieee;
  const bool towards_zero =
      ieee && module.hasFloatMode(spv::ExecutionMode::RoundingModeRTZ, to.width);
  bool loses_information = false;
  value.convert(semanticsOf(to),
                towards_zero ? llvm::APFloat::rmTowardZero : llvm::APFloat::rmNearestTiesToEven,
                &loses_information);
  if (value.isDenormal() && ieee &&
      module.hasFloatMode(spv::ExecutionMode::DenormFlushToZero, to.width))
    value = llvm::APFloat::getZero(value.getSemantics(), value.isNegative());
  return value.bitcastToAPInt().getZExtValue();
}

// Rounds to half precision and back; what is subnormal there becomes zero.
uint64_t quantizeToHalf(uint64_t bits, const Type& type) {
  llvm::APFloat value(semanticsOf(type), llvm::APInt(type.width, bits));
  bool loses_information = false;
  value.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &loses_information);
  if (value.isDenormal()) value = llvm::APFloat::getZero(value.getSemantics(), value.isNegative());
  value.convert(semanticsOf(type), llvm::APFloat::rmNearestTiesToEven, &loses_information);
  return value.bitcastToAPInt().getZExtValue();
}

// One component of an operation with one operand; nothing when the operation is not one of them.
std::optional<uint64_t> foldUnary(spv::Op op, uint64_t a, const Type& from, const Type& to,
                                  const Module& module) {
  switch (op) {
    case spv::Op::OpSNegate:
      return uint64_t{0} - a;
    case spv::Op::OpNot:
      return ~a;
    case spv::Op::OpLogicalNot:
      return a ^ 1;
    case spv::Op::OpUConvert:
      return a;
    case spv::Op::OpSConvert:
      return static_cast<uint64_t>(signExtend(a, widthOf(from)));
    case spv::Op::OpFConvert:
      if (from.kind != TypeKind::Float || to.kind != TypeKind::Float) return std::nullopt;
      return convertFloat(a, from, to, module);
    case spv::Op::OpQuantizeToF16:
      if (from.kind != TypeKind::Float) return std::nullopt;
      return quantizeToHalf(a, from);
    default:
      return std::nullopt;
  }
}

// One component of an operation with two operands of `width` bits. Division by zero, overflow of
// a division and shifts of the whole width and more have no defined result: they give 0.
std::optional<uint64_t> foldBinary(spv::Op op, uint64_t a, uint64_t b, uint32_t width) {
  const int64_t sa = signExtend(a, width), sb = signExtend(b, width);
  const bool divides = b != 0 && !(sb == -1 && sa == signExtend(uint64_t{1} << (width - 1), width));
  switch (op) {
    case spv::Op::OpIAdd:
      return a + b;
    case spv::Op::OpISub:
      return a - b;
    case spv::Op::OpIMul:
      return a * b;
    case spv::Op::OpUDiv:
      return b ? a / b : 0;
    case spv::Op::OpUMod:
      return b ? a % b : 0;
    case spv::Op::OpSDiv:
      return divides ? static_cast<uint64_t>(sa / sb) : 0;
    case spv::Op::OpSRem:
      return divides ? static_cast<uint64_t>(sa % sb) : 0;
    case spv::Op::OpSMod: {
      if (!divides) return 0;
      const int64_t remainder = sa % sb;
      const bool adjust = remainder != 0 && (remainder < 0) != (sb < 0);
      return static_cast<uint64_t>(adjust ? remainder + sb : remainder);
    }
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpLogicalAnd:
      return a & b;
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpLogicalOr:
      return a | b;
    case spv::Op::OpBitwiseXor:
    case spv::Op::OpLogicalNotEqual:
      return a ^ b;
    case spv::Op::OpLogicalEqual:
    case spv::Op::OpIEqual:
      return a == b;
    case spv::Op::OpINotEqual:
      return a != b;
    case spv::Op::OpULessThan:
      return a < b;
    case spv::Op::OpULessThanEqual:
      return a <= b;
    case spv::Op::OpUGreaterThan:
      return a > b;
    case spv::Op::OpUGreaterThanEqual:
      return a >= b;
    case spv::Op::OpSLessThan:
      return sa < sb;
    case spv::Op::OpSLessThanEqual:
      return sa <= sb;
    case spv::Op::OpSGreaterThan:
      return sa > sb;
    case spv::Op::OpSGreaterThanEqual:
      return sa >= sb;
    default:
      return std::nullopt;
  }
}

// Shifts: the operands may differ in width.
std::optional<uint64_t> foldShift(spv::Op op, uint64_t base, uint64_t amount, uint32_t width) {
  const bool in_range = amount < width;
  switch (op) {
    case spv::Op::OpShiftLeftLogical:
      return in_range ? base << amount : 0;
    case spv::Op::OpShiftRightLogical:
      return in_range ? base >> amount : 0;
    case spv::Op::OpShiftRightArithmetic:
      return in_range ? static_cast<uint64_t>(signExtend(base, width) >> amount) : 0;
    default:
      return std::nullopt;
  }
}

// The evaluation of one instruction.
class Folder {
 public:
  Folder(const Reading& reading, const RawInstruction& raw, const Type& type)
      : reading_(reading),
        raw_(raw),
        type_(type),
        op_(static_cast<spv::Op>(raw.operands[0])),
        operands_(raw.operands.subspan(1)) {}

  llvm::Expected<Leaves> fold() {
    switch (op_) {
      case spv::Op::OpCompositeExtract:
        return extract();
      case spv::Op::OpCompositeInsert:
        return insert();
      case spv::Op::OpVectorShuffle:
        return shuffle();
      case spv::Op::OpSelect:
        return select();
      case spv::Op::OpCooperativeMatrixLengthKHR:
      case spv::Op::OpCooperativeMatrixLengthNV:
        return matrixLength();
      default:
        return componentwise();
    }
  }

 private:
  llvm::Error misfit() const {
    return malformed(reading_.describe(raw_) + ": the operands do not fit " + spell(op_));
  }
  llvm::Error notFolded() const {
    return unsupported(reading_.describe(raw_) + ": " + spell(op_) +
                       " is not supported on specialization constants");
  }
  llvm::Expected<const Constant*> operand(size_t index) const {
    if (index >= operands_.size()) return misfit();
    return reading_.constant(operands_[index]);
  }

  llvm::Expected<Leaves> componentwise() const {
    llvm::Expected<const Constant*> a = operand(0);
    if (!a) return a.takeError();
    const Type& from = *(*a)->type->scalar();
    const Type& to = *type_.scalar();
    if (!from.isScalar() || !to.isScalar() || (*a)->leaves.size() != type_.leaves())
      return misfit();
    const Constant* b = nullptr;
    if (operands_.size() > 1) {
      llvm::Expected<const Constant*> second = operand(1);
      if (!second) return second.takeError();
      b = *second;
      if (!b->type->scalar()->isScalar() || b->leaves.size() != (*a)->leaves.size())
        return misfit();
    }
    Leaves leaves;
    for (size_t i = 0; i < (*a)->leaves.size(); ++i) {
      const uint64_t value = (*a)->leaves[i];
      std::optional<uint64_t> result;
      if (!b) {
        result = foldUnary(op_, value, from, to, reading_.module);
      } else {
        result = foldShift(op_, value, b->leaves[i], widthOf(from));
        if (!result && widthOf(from) != widthOf(*b->type->scalar())) return misfit();
        if (!result) result = foldBinary(op_, value, b->leaves[i], widthOf(from));
      }
      if (!result) return notFolded();
      leaves.push_back(truncateTo(*result, widthOf(to)));
    }
    return leaves;
  }

  // What literal indices select. All components of a constant cooperative matrix are equal, and are
  // its one leaf.
  struct Selected {
    const Type* type;  // null when an index is out of range
    uint64_t leaf = 0;
    bool in_matrix = false;
  };

  // Steps into `type` by the indices from operand `first` on.
  Selected walk(const Type* type, size_t first) const {
    Selected selected{type};
    for (size_t i = first; i < operands_.size() && selected.type; ++i) {
      if (selected.type->kind == TypeKind::CooperativeMatrix) {
        selected.in_matrix = true;
        selected.type = selected.type->element;
        continue;
      }
      const Type* component = componentType(*selected.type, operands_[i]);
      if (component) selected.leaf += leavesBefore(*selected.type, operands_[i]);
      selected.type = component;
    }
    return selected;
  }

  llvm::Expected<Leaves> extract() const {
    llvm::Expected<const Constant*> composite = operand(0);
    if (!composite) return composite.takeError();
    const Selected selected = walk((*composite)->type, 1);
    if (selected.type != &type_) return misfit();
    auto begin = (*composite)->leaves.begin() + static_cast<ptrdiff_t>(selected.leaf);
    return Leaves(begin, begin + static_cast<ptrdiff_t>(type_.leaves()));
  }

  llvm::Expected<Leaves> insert() const {
    llvm::Expected<const Constant*> object = operand(0);
    if (!object) return object.takeError();
    llvm::Expected<const Constant*> composite = operand(1);
    if (!composite) return composite.takeError();
    const Selected selected = walk((*composite)->type, 2);
    if (selected.type != (*object)->type || (*composite)->type != &type_) return misfit();
    if (selected.in_matrix) return notFolded();
    Leaves leaves = (*composite)->leaves;
    std::copy((*object)->leaves.begin(), (*object)->leaves.end(),
              leaves.begin() + static_cast<ptrdiff_t>(selected.leaf));
    return leaves;
  }

  llvm::Expected<Leaves> shuffle() const {
    llvm::Expected<const Constant*> a = operand(0);
    if (!a) return a.takeError();
    llvm::Expected<const Constant*> b = operand(1);
    if (!b) return b.takeError();
    if ((*a)->type->kind != TypeKind::Vector || (*b)->type->kind != TypeKind::Vector ||
        (*a)->type->element != type_.element || (*b)->type->element != type_.element)
      return misfit();
    Leaves all = (*a)->leaves;
    all.insert(all.end(), (*b)->leaves.begin(), (*b)->leaves.end());
    Leaves leaves;
    for (uint32_t index : operands_.subspan(2)) {
      if (index != UINT32_MAX && index >= all.size()) return misfit();
      leaves.push_back(index == UINT32_MAX ? 0 : all[index]);  // no component: undefined
    }
    return leaves;
  }

  llvm::Expected<Leaves> select() const {
    llvm::Expected<const Constant*> condition = operand(0);
    if (!condition) return condition.takeError();
    llvm::Expected<const Constant*> a = operand(1);
    if (!a) return a.takeError();
    llvm::Expected<const Constant*> b = operand(2);
    if (!b) return b.takeError();
    const Leaves& conditions = (*condition)->leaves;
    if ((*condition)->type->scalar()->kind != TypeKind::Bool || (*a)->type != &type_ ||
        (*b)->type != &type_ ||
        (conditions.size() != 1 && conditions.size() != (*a)->leaves.size()))
      return misfit();
    Leaves leaves;
    for (size_t i = 0; i < (*a)->leaves.size(); ++i)
      leaves.push_back(conditions[conditions.size() == 1 ? 0 : i] ? (*a)->leaves[i]
                                                                  : (*b)->leaves[i]);
    return leaves;
  }

  llvm::Expected<Leaves> matrixLength() const {
    if (operands_.empty()) return misfit();
    llvm::Expected<const Type*> matrix = reading_.type(operands_[0]);
    if (!matrix) return matrix.takeError();
    if ((*matrix)->kind != TypeKind::CooperativeMatrix || type_.kind != TypeKind::Int)
      return misfit();
    llvm::Expected<uint32_t> invocations = invocationsOf((*matrix)->scope);
    if (!invocations) return invocations.takeError();
    return Leaves{
        coopmat::length(reading_.request.component_layout, mapped(**matrix, *invocations))};
  }

  // SPV_NV_cooperative_matrix2: the workgroup's size stands before types of this scope.
  llvm::Expected<uint32_t> invocationsOf(spv::Scope scope) const {
    if (scope == spv::Scope::Subgroup) return reading_.request.subgroup_size;
    llvm::Expected<WorkgroupSize> size = workgroupSize(reading_);
    if (!size) return size.takeError();
    return jit::spirv::invocationsOf(*size);
  }

  const Reading& reading_;
  const RawInstruction& raw_;
  const Type& type_;
  const spv::Op op_;
  const std::span<const uint32_t> operands_;
};

}  // namespace

llvm::Expected<std::vector<uint64_t>> foldSpecConstantOp(const Reading& reading,
                                                         const RawInstruction& raw,
                                                         const Type& type) {
  if (raw.operands.empty()) return malformed(reading.describe(raw) + " lacks an operation");
  return Folder(reading, raw, type).fold();
}

}  // namespace jit::spirv
