// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/float_check.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include <cmath>
#include <cstring>

#include "jit/emit/check_site.h"
#include "jit/emit/float8_values.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/matrix_float_check.h"
#include "jit/ir/symbols.h"

namespace jit::spirv {

using rt::CheckedNumber;
using rt::NumberFormat;
using rt::NumberRule;

bool FloatCheck::isOn() const {
  return e_.instruction() != nullptr && e_.request.checks.has(rt::Check::Float);
}

NumberFormat formatOf(const Type& scalar) {
  if (scalar.kind != TypeKind::Float) {
    const auto first = scalar.is_signed ? NumberFormat::Signed8 : NumberFormat::Unsigned8;
    const int bytes = scalar.width <= 8 ? 0 : scalar.width <= 16 ? 1 : scalar.width <= 32 ? 2 : 3;
    return static_cast<NumberFormat>(static_cast<int>(first) + bytes);
  }
  switch (scalar.encoding) {
    case FloatEncoding::BFloat16:
      return NumberFormat::BFloat;
    case FloatEncoding::Float8E4M3:
      return NumberFormat::E4M3;
    case FloatEncoding::Float8E5M2:
      return NumberFormat::E5M2;
    case FloatEncoding::Ieee:
      break;
  }
  return scalar.width == 16   ? NumberFormat::Half
         : scalar.width == 32 ? NumberFormat::Single
                              : NumberFormat::Double;
}

llvm::Constant* describeOperation(Emission& e, rt::CheckedOperation operation,
                                  llvm::ArrayRef<NumberLeaf> leaves, llvm::StringRef name) {
  operation.count = static_cast<uint32_t>(leaves.size());
  std::string bytes(sizeof operation, '\0');
  std::memcpy(bytes.data(), &operation, sizeof operation);
  for (const NumberLeaf& leaf : leaves) {
    bytes.resize(bytes.size() + sizeof leaf.number);
    std::memcpy(bytes.data() + bytes.size() - sizeof leaf.number, &leaf.number, sizeof leaf.number);
  }
  bytes += name;
  auto* data = llvm::ConstantDataArray::getString(e.context, bytes);
  auto* global = new llvm::GlobalVariable(e.output(), data->getType(), true,
                                          llvm::GlobalValue::PrivateLinkage, data, "operation");
  global->setAlignment(llvm::Align(alignof(rt::CheckedOperation)));
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return global;
}

// Bits are compared: no mode of floats, and no assumption about them, takes the test away.
llvm::Value* isNonFinite(Emission& e, const NumberLeaf& leaf) {
  auto& ir = e.ir;
  llvm::Value* bits = ir.CreateBitCast(leaf.value, integerTypeLike(leaf.value));
  const uint32_t width = bits->getType()->getScalarSizeInBits();
  llvm::Value* magnitude = ir.CreateAnd(bits, integerLike(bits, (uint64_t{1} << (width - 1)) - 1));
  return ir.CreateICmpSGT(magnitude, integerLike(bits, rt::firstNonFinite(leaf.number.format) - 1));
}

bool neverLeavesRange(const Emission& e, const Instruction& i) {
  const bool from_signed = i.op == spv::Op::OpConvertSToF;
  const bool from_integer = from_signed || i.op == spv::Op::OpConvertUToF;
  if (!from_integer && i.op != spv::Op::OpFConvert) return false;
  const Type* operand = e.typeOf(i.operands[0]);
  const Type* from = operand == nullptr ? nullptr : operand->scalar();
  const Type* to = i.type->scalar();
  if (from == nullptr || to == nullptr) return false;
  // Binary exponents of the largest number.
  auto exponent = [](const Type& type) -> uint32_t {
    switch (formatOf(type)) {
      case NumberFormat::Half:
      case NumberFormat::E5M2:
        return 15;
      case NumberFormat::E4M3:
        return 8;
      case NumberFormat::Double:
        return 1023;
      default:
        return 127;  // Single; BFloat, whose largest number is less
    }
  };
  if (from_integer) return (from_signed ? from->width - 1 : from->width) <= exponent(*to);
  const bool loses_digits =
      formatOf(*to) == NumberFormat::BFloat && formatOf(*from) == NumberFormat::Single;
  return exponent(*from) < exponent(*to) ||
         (exponent(*from) == exponent(*to) && to->width >= from->width && !loses_digits);
}

namespace {

class NumberTest {
 public:
  NumberTest(Emission& e, const Instruction& i, const FloatRule& rule)
      : e_(e), i_(i), rule_(rule) {}

  llvm::Error emit() {
    if (llvm::Error error = collect()) return error;
    llvm::Value* good = nullptr;
    for (const NumberLeaf& leaf : leaves_)
      if (llvm::Value* one = isGood(leaf))
        if (good = good == nullptr ? one : both(good, one); isTrue(good)) good = nullptr;
    if (good == nullptr) return llvm::Error::success();
    good = allLive(e_, good);
    unlessGood(e_, good, [&] { report(); });
    return llvm::Error::success();
  }

 private:
  static bool isTrue(llvm::Value* v) {
    auto* constant = llvm::dyn_cast<llvm::Constant>(v);
    return constant != nullptr && constant->isAllOnesValue();
  }

  llvm::Value* both(llvm::Value* a, llvm::Value* b) {
    e_.simt.unify(a, b);
    return e_.ir.CreateAnd(a, b);
  }

  void add(llvm::Value* leaf, NumberFormat format, uint8_t operand, size_t component) {
    leaves_.push_back({leaf,
                       {.offset = 0,
                        .format = format,
                        .varies = static_cast<uint8_t>(e_.simt.isVarying(leaf) ? 1 : 0),
                        .operand = operand,
                        .component = static_cast<uint8_t>(component)}});
  }

  void add(const Value& value, uint8_t operand) {
    llvm::SmallVector<const Type*, 4> types;
    e_.leafTypes(value.type, types);
    for (size_t c = 0; c < value.leaves.size(); ++c) {
      NumberFormat format = formatOf(*types[c]);
      if (types[c]->kind == TypeKind::Int && rule_.rule != NumberRule::Result) {
        Type type = *types[c];
        type.is_signed = rule_.is_signed;
        format = formatOf(type);
      }
      add(value.leaves[c], format, operand, c);
    }
  }

  llvm::Error collect() {
    uint8_t number = 0;
    for (Id id : checkedOperands(e_.module, i_)) {
      const Type* type = e_.typeOf(id);
      const Type* scalar = type == nullptr ? nullptr : type->scalar();
      if (scalar == nullptr || scalar->kind == TypeKind::Bool) continue;
      llvm::Expected<Value> value = e_.value(id);
      if (!value) return value.takeError();
      add(*value, number++);
      operands_.push_back(std::move(*value));
    }
    if (rule_.rule != NumberRule::Result) return llvm::Error::success();
    llvm::Expected<Value> result = e_.value(i_.result);
    if (!result) return result.takeError();
    if (rule_.is_packed) {
      llvm::Value* bits = result->leaves[0];
      llvm::Type* half = shapedLike(bits, e_.ir.getInt16Ty());
      for (unsigned c = 0; c < 2; ++c)
        add(e_.ir.CreateTrunc(e_.ir.CreateLShr(bits, integerLike(bits, 16 * c)), half),
            NumberFormat::Half, CheckedNumber::kResult, c);
    } else if (i_.op == spv::Op::OpAtomicFAddEXT) {
      // The result is what was there before.
      for (size_t c = 0; c < result->leaves.size(); ++c) {
        llvm::Value *before = operands_[0].leaves[c], *added = operands_[1].leaves[c];
        e_.simt.unify(before, added);
        result->leaves[c] = e_.ir.CreateFAdd(before, added);
      }
      add(*result, CheckedNumber::kResult);
    } else {
      add(*result, CheckedNumber::kResult);
    }
    return llvm::Error::success();
  }

  const NumberLeaf* find(uint8_t operand, uint8_t component) const {
    const NumberLeaf* found = nullptr;
    for (const NumberLeaf& leaf : leaves_)
      if (leaf.number.operand == operand &&
          (found == nullptr || leaf.number.component == component))
        found = &leaf;
    return found;
  }

  // What must hold of a leaf, i1 or vector of it; null where the leaf is not what is tested.
  llvm::Value* isGood(const NumberLeaf& leaf) {
    auto& ir = e_.ir;
    llvm::Value* v = leaf.value;
    const CheckedNumber& number = leaf.number;
    switch (rule_.rule) {
      case NumberRule::Result:
        if (number.operand != CheckedNumber::kResult || !rt::isFloat(number.format)) return nullptr;
        return ir.CreateNot(isNonFinite(e_, leaf));
      case NumberRule::ToInteger: {
        // Bounds that are too narrow, if anything, in formats that may not have the right ones.
        v = inLlvmFormat(e_, *operands_[0].type, v);
        const bool to_signed = i_.op == spv::Op::OpConvertFToS;
        const int bits = static_cast<int>(i_.type->scalar()->width);
        const double least = to_signed ? -std::ldexp(1.0, bits - 1) : -1.0;
        const double end = std::ldexp(1.0, to_signed ? bits - 1 : bits);
        auto bound = [&](double value) { return llvm::ConstantFP::get(v->getType(), value); };
        return ir.CreateAnd(ir.CreateFCmpOGT(v, bound(least)), ir.CreateFCmpOLT(v, bound(end)));
      }
      case NumberRule::Division:
        if (number.operand != 1) return nullptr;
        if (!rule_.is_signed) return ir.CreateICmpNE(v, integerLike(v, 0));
        return ir.CreateICmpUGT(ir.CreateAdd(v, integerLike(v, 1)), integerLike(v, 1));
      case NumberRule::Shift: {
        if (number.operand != 1) return nullptr;
        const uint32_t bits = 8 * rt::bytesOf(find(0, number.component)->number.format);
        return ir.CreateICmpULT(v, integerLike(v, bits));
      }
      case NumberRule::BitField: {
        if (number.operand != 1) return nullptr;
        const uint32_t bits = 8 * rt::bytesOf(find(0, 0)->number.format);
        llvm::Value* count = find(2, 0)->value;
        auto wide = [&](llvm::Value* of) {
          return ir.CreateZExt(of, shapedLike(of, ir.getInt64Ty()));
        };
        llvm::Value *offset = wide(v), *size = wide(count);
        e_.simt.unify(offset, size);
        // Of 64 bits, a sum may wrap: then the offset alone is too large.
        llvm::Value* end = ir.CreateAdd(offset, size);
        return ir.CreateAnd(ir.CreateICmpULE(end, integerLike(end, bits)),
                            ir.CreateICmpULE(offset, integerLike(offset, bits)));
      }
      case NumberRule::Sums:
      case NumberRule::Note:
        break;
    }
    return nullptr;
  }

  void report() {
    auto& ir = e_.ir;
    uint64_t bytes = 0;
    for (NumberLeaf& leaf : leaves_) {
      leaf.number.offset = static_cast<uint32_t>(bytes);
      const uint64_t size =
          uint64_t{rt::bytesOf(leaf.number.format)} * (leaf.number.varies != 0 ? e_.width() : 1);
      bytes += (size + 7) / 8 * 8;
    }
    llvm::Value* numbers = e_.staging(bytes);
    for (const NumberLeaf& leaf : leaves_)
      ir.CreateAlignedStore(leaf.value,
                            ir.CreateConstGEP1_64(ir.getInt8Ty(), numbers, leaf.number.offset),
                            llvm::Align(8));
    const rt::CheckedOperation operation{
        .lanes = e_.width(),
        .count = 0,
        .rule = rule_.rule,
        .mixes = static_cast<uint8_t>(rule_.mixes ? 1 : 0),
        .crosses_lanes = static_cast<uint8_t>(rule_.crosses_lanes ? 1 : 0),
        .is_infix = static_cast<uint8_t>(rule_.is_infix ? 1 : 0),
        .target = targetFormat(),
        .use = 0,
        .is_noted = 0,
        .unused = 0,
        .rows = 0,
        .columns = 0};
    llvm::Value* access = writeLiveLanes(e_);
    llvm::Type* ptr = ir.getPtrTy();
    ir.CreateCall(
        runtimeFunction(e_.output(), "tessera.check_numbers", ir.getVoidTy(),
                        {ptr, ptr, ptr, ptr, ptr}, llvm::MemoryEffects::inaccessibleOrArgMemOnly()),
        {e_.dispatch_args, checkSite(e_, 0), access, numbers,
         describeOperation(e_, operation, leaves_, rule_.name)});
  }

  NumberFormat targetFormat() const {
    if (rule_.rule != NumberRule::ToInteger) return NumberFormat::Unsigned8;
    Type type = *i_.type->scalar();
    type.is_signed = i_.op == spv::Op::OpConvertFToS;
    return formatOf(type);
  }

  Emission& e_;
  const Instruction& i_;
  const FloatRule& rule_;
  llvm::SmallVector<Value, 4> operands_;
  llvm::SmallVector<NumberLeaf, 8> leaves_;
};

}  // namespace

llvm::Error FloatCheck::after(const Instruction& i) const {
  if (!isOn()) return llvm::Error::success();
  const FloatRule* rule = findFloatRule(e_.module, i);
  if (i.type != nullptr && i.type->kind == TypeKind::CooperativeMatrix)
    return MatrixFloatCheck(e_).after(i, rule);
  if (rule == nullptr || neverLeavesRange(e_, i)) return llvm::Error::success();
  return NumberTest(e_, i, *rule).emit();
}

}  // namespace jit::spirv
