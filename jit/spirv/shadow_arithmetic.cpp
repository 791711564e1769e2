// SPDX-License-Identifier: Apache-2.0

// Shadows of what is computed. Source of the rules for bits: Seward and Nethercote, "Using Valgrind
// to detect undefined value errors with bit-precision", USENIX 2005; comparisons as in LLVM's
// MemorySanitizer.
#include <spirv/unified1/GLSL.std.450.h>

#include "jit/spirv/group_instruction.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/shadow_pass.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

using Op = spv::Op;

// Bits of a & b: undefined where both are, or one is and the other is 1; of a | b: or 0.
Id ShadowPass::andOf(const Instruction& i, const Type* type, bool is_or) {
  const bool is_bool = type->scalar()->kind == TypeKind::Bool;
  const Op and_op = is_bool ? Op::OpLogicalAnd : Op::OpBitwiseAnd;
  const Op not_op = is_bool ? Op::OpLogicalNot : Op::OpNot;
  const Id a = shadow(i.operands[0]), b = shadow(i.operands[1]);
  auto leaves = [&](Id other) { return is_or ? emit(not_op, type, {other}) : other; };
  Id result = 0;
  if (a != 0) result = emit(and_op, type, {a, leaves(i.operands[1])});
  if (b != 0) result = orOf(type, result, emit(and_op, type, {b, leaves(i.operands[0])}));
  if (a != 0 && b != 0) result = orOf(type, result, emit(and_op, type, {a, b}));
  return result;
}

// What the lowest and the highest operands make of it differs.
Id ShadowPass::comparison(const Instruction& i, bool is_signed) {
  const Type* type = shadowType(typeOf(i.operands[0]));
  const Type* result = types_.booleansOf(i.type);
  Id lowest[2], highest[2];
  for (size_t k = 0; k < 2; ++k) {
    lowest[k] = highest[k] = i.operands[k];
    Id s = shadow(i.operands[k]);
    if (s == 0) continue;
    Id with = emit(Op::OpBitwiseOr, type, {i.operands[k], s});
    Id without = emit(Op::OpBitwiseAnd, type, {i.operands[k], emit(Op::OpNot, type, {s})});
    if (is_signed) {
      // The sign's weight is negative.
      const Id ones = types_.ones(type);
      const Type* scalar = type->scalar();
      Constant shift{type, std::vector<uint64_t>(type->leaves(), scalar->width - 1)};
      const Id by = module_.bound++;
      module_.constants[by] = std::move(shift);
      const Id sign = emit(Op::OpShiftLeftLogical, type, {ones, by});
      const Id flips = emit(Op::OpBitwiseAnd, type, {s, sign});
      with = emit(Op::OpBitwiseXor, type, {with, flips});
      without = emit(Op::OpBitwiseXor, type, {without, flips});
    }
    lowest[k] = without;
    highest[k] = with;
  }
  const Id one = emit(i.op, result, {lowest[0], highest[1]});
  const Id other = emit(i.op, result, {highest[0], lowest[1]});
  return emit(Op::OpLogicalNotEqual, result, {one, other});
}

void ShadowPass::visitInteger(const Instruction& i, ShadowRule rule) {
  const Type* type = shadowType(i.type);
  const Ids operands = operandShadows(i);
  switch (rule) {
    case ShadowRule::Upwards: {
      Id some = operands[0];
      if (operands.size() > 1) some = orOf(type, operands[0], operands[1]);
      const Id negative = emit(Op::OpISub, type, {types_.zero(type), some});
      return set(i, emit(Op::OpBitwiseOr, type, {some, negative}));
    }
    case ShadowRule::And:
      return set(i, andOf(i, type, false));
    case ShadowRule::Or:
      return set(i, andOf(i, type, true));
    case ShadowRule::Xor:
      return set(i, operands.size() > 1 ? orOf(type, operands[0], operands[1]) : operands[0]);
    case ShadowRule::Shift:
    case ShadowRule::BitField: {
      // Numbers behind the values that are moved.
      const size_t values = i.op == Op::OpBitFieldInsert ? 2 : 1;
      llvm::SmallVector<uint32_t, 4> moved(i.operands.begin(), i.operands.end());
      Id result = 0;
      bool has_values = false;
      for (size_t k = 0; k < values; ++k) {
        moved[k] = shadowOrZero(i.operands[k]);
        has_values |= operands[k] != 0;
      }
      if (has_values) result = emit(i.op, type, moved);
      return set(i, orOf(type, result, any(type, llvm::ArrayRef(operands).drop_front(values))));
    }
    case ShadowRule::Equal: {
      const Type* compared = typeOf(i.operands[0]);
      const Type* bits = shadowType(compared);
      const Id some = orOf(bits, operands[0], operands[1]);
      const Id differ = emit(Op::OpBitwiseXor, bits, {i.operands[0], i.operands[1]});
      const Id known = emit(Op::OpBitwiseAnd, bits, {differ, emit(Op::OpNot, bits, {some})});
      const Id same = emit(Op::OpIEqual, type, {known, types_.zero(bits)});
      return set(i, emit(Op::OpLogicalAnd, type, {same, any(type, {some})}));
    }
    case ShadowRule::Unsigned:
      return set(i, comparison(i, false));
    case ShadowRule::Signed:
      return set(i, comparison(i, true));
    default: {  // Bits
      const Type* from = typeOf(i.operands[0]);
      if (operands[0] == 0) return;
      const bool has_pointer = i.type->kind == TypeKind::Pointer || from->kind == TypeKind::Pointer;
      if (has_pointer) return set(i, joined(type, operands));
      if (shadowType(from) == type) return set(i, operands[0]);
      return set(i, emit(Op::OpBitcast, type, {operands[0]}));
    }
  }
}

void ShadowPass::visitBoolean(const Instruction& i, ShadowRule rule) {
  const Type* type = types_.boolean();
  if (rule == ShadowRule::LogicalAnd || rule == ShadowRule::LogicalOr)
    return set(i, andOf(i, shadowType(i.type), rule == ShadowRule::LogicalOr));
  const Id some = shadow(i.operands[0]);
  if (some == 0) return;
  const Type* vector = types_.booleansOf(typeOf(i.operands[0]));
  // A component that is known to be true (or false) decides.
  Id deciding = i.operands[0];
  if (rule == ShadowRule::AllTrue) deciding = emit(Op::OpLogicalNot, vector, {deciding});
  deciding = emit(Op::OpLogicalAnd, vector, {deciding, emit(Op::OpLogicalNot, vector, {some})});
  const Id decided = emit(Op::OpAny, type, {deciding});
  set(i, emit(Op::OpLogicalAnd, type,
              {emit(Op::OpAny, type, {some}), emit(Op::OpLogicalNot, type, {decided})}));
}

void ShadowPass::visitSelect(const Instruction& i) {
  const Id condition = shadow(i.operands[0]);
  for (unsigned plane = 0; plane < kShadowPlanes; ++plane) {
    const Type* type = shadowType(i.type, plane);
    if (type == nullptr) continue;
    Id a = shadow(i.operands[1], plane), b = shadow(i.operands[2], plane);
    Id result = 0;
    if (a != 0 || b != 0) {
      a = shadowOrZero(i.operands[1], plane);
      b = shadowOrZero(i.operands[2], plane);
      result = emit(Op::OpSelect, type, {i.operands[0], a, b});
    }
    if (condition != 0 && plane == kBitsPlane) {
      Id differ = types_.ones(type);
      const Type* scalar = i.type->scalar();
      if (scalar != nullptr && scalar->kind == TypeKind::Int)
        differ = orOf(type, result, emit(Op::OpBitwiseXor, type, {i.operands[1], i.operands[2]}));
      const Id otherwise = result != 0 ? result : types_.zero(type);
      result = emit(Op::OpSelect, type, {condition, differ, otherwise});
    }
    set(i, plane, result);
  }
}

// The instruction with the shadows of its operands.
Id ShadowPass::sameWith(const Instruction& i, unsigned plane) {
  const Type* type = shadowType(i.type, plane);
  llvm::SmallVector<uint32_t, 8> operands(i.operands.begin(), i.operands.end());
  const size_t values = i.op == Op::OpCompositeConstruct ? operands.size()
                        : i.op == Op::OpCompositeInsert || i.op == Op::OpVectorShuffle ? 2
                                                                                       : 1;
  bool has_any = false;
  for (size_t k = 0; k < values && k < operands.size(); ++k) {
    has_any |= shadow(operands[k], plane) != 0;
    const Type* own = typeOf(operands[k]);
    // Beside matrices: what has none.
    operands[k] = shadowType(own, plane) != nullptr ? shadowOrZero(operands[k], plane)
                                                    : types_.zero(types_.integer(64));
  }
  return has_any ? emit(i.op, type, operands) : 0;
}

void ShadowPass::visitSame(const Instruction& i) {
  for (unsigned plane = 0; plane < kShadowPlanes; ++plane)
    if (shadowType(i.type, plane) != nullptr) set(i, plane, sameWith(i, plane));
}

void ShadowPass::visitComposite(const Instruction& i, ShadowRule rule) {
  const Type* type = shadowType(i.type);
  const Ids operands = operandShadows(i);
  if (rule == ShadowRule::ExtractDynamic || rule == ShadowRule::InsertDynamic) {
    const size_t index = rule == ShadowRule::ExtractDynamic ? 1 : 2;
    llvm::SmallVector<uint32_t, 3> same(i.operands.begin(), i.operands.end());
    for (size_t k = 0; k < index; ++k) same[k] = shadowOrZero(i.operands[k]);
    Id result = emit(i.op, type, same);
    if (operands[index] != 0) result = orOf(type, result, any(type, {operands[index]}));
    return set(i, result);
  }
  if (rule == ShadowRule::Shuffle) {
    // A component that is ~0 is undefined.
    llvm::SmallVector<uint32_t, 8> same(i.operands.begin(), i.operands.end());
    for (size_t k = 0; k < 2; ++k) same[k] = shadowOrZero(i.operands[k]);
    const Id result = emit(i.op, type, same);
    Constant nothing{type, std::vector<uint64_t>(type->count)};
    bool has_any = false;
    for (size_t k = 2; k < same.size(); ++k) {
      if (same[k] != ~0u) continue;
      const uint32_t width = type->element->kind == TypeKind::Bool ? 1 : type->element->width;
      nothing.leaves[k - 2] = ~uint64_t{0} >> (64 - width);
      has_any = true;
    }
    if (!has_any) return set(i, result);
    const Id constant = module_.bound++;
    module_.constants[constant] = std::move(nothing);
    return set(i, orOf(type, result, constant));
  }
  // Components of cooperative matrices, of which a value has several planes.
  if (rule == ShadowRule::Extract || rule == ShadowRule::Insert) {
    const size_t composite = rule == ShadowRule::Insert ? 1 : 0;
    const size_t first = composite + 1;
    const Type* part = typeOf(i.operands[composite]);
    for (size_t k = first; k < i.operands.size(); ++k) {
      if (part->kind != TypeKind::CooperativeMatrix) {
        part = componentType(*part, i.operands[k]);
        continue;
      }
      // Out of a composite first, where the matrix is a part of one; that is rare.
      Id matrix = i.operands[composite];
      std::array<Id, kShadowPlanes> planes{};
      for (unsigned plane = 0; plane < kShadowPlanes; ++plane) {
        planes[plane] = shadow(matrix, plane);
        if (planes[plane] == 0 || k == first) continue;
        llvm::SmallVector<uint32_t, 4> path{planes[plane]};
        path.append(i.operands.begin() + static_cast<ptrdiff_t>(first),
                    i.operands.begin() + static_cast<ptrdiff_t>(k));
        planes[plane] = emit(Op::OpCompositeExtract, shadowType(part, plane), path);
      }
      Id bits = expanded(part, planes[kBitsPlane], planes[kRowsPlane], planes[kColumnsPlane]);
      if (rule == ShadowRule::Extract) {
        if (bits != 0) set(i, emit(i.op, type, {bits, i.operands[k]}));
        return;
      }
      if (bits == 0) bits = types_.zero(shadowType(part));
      bits = emit(i.op, shadowType(part), {shadowOrZero(i.operands[0]), bits, i.operands[k]});
      if (k == first) return set(i, bits);
      for (unsigned plane = 0; plane < kShadowPlanes; ++plane) {
        const Id whole = shadowOrZero(i.operands[composite], plane);
        llvm::SmallVector<uint32_t, 4> into{
            plane == kBitsPlane ? bits : types_.zero(types_.integer(64)), whole};
        into.append(i.operands.begin() + static_cast<ptrdiff_t>(first),
                    i.operands.begin() + static_cast<ptrdiff_t>(k));
        set(i, plane, emit(i.op, shadowType(i.type, plane), into));
      }
      return;
    }
  }
  visitSame(i);
}

void ShadowPass::visitExtended(const Instruction& i) {
  const auto name = module_.extended_instruction_sets.find(i.operands[0]);
  if (name == module_.extended_instruction_sets.end() || name->second != "GLSL.std.450") return;
  const uint32_t number = i.operands[1];
  Ids operands = operandShadows(i);
  if (number == GLSLstd450Modf || number == GLSLstd450Frexp) {
    operands.resize(1);
    const Type* pointee = typeOf(i.operands[3])->element;
    storeShadow(i.operands[3], pointee, {any(shadowType(pointee), operands)});
  }
  if (state_->of(i.result) == kNoPlane) return;
  const Type* type = shadowType(i.type);
  set(i, joinsComponents(number) ? joined(type, operands) : any(type, operands));
}

void ShadowPass::visitGroup(const Instruction& i, ShadowRule rule) {
  const std::optional<GroupInstruction> group = groupInstruction(i);
  const Type* type = shadowType(i.type);
  if (!group) return set(i, joined(type, operandShadows(i)));
  const Id value = shadow(group->value);
  const Id chooses = group->selector != 0 ? shadow(group->selector) : 0;
  llvm::SmallVector<uint32_t, 4> operands(i.operands.begin(), i.operands.end());
  auto with = [&](Id replacement) {
    const OperandForm form = traitsOf(i.op).form;
    operands[form == OperandForm::GroupOperation ? 2
             : form == OperandForm::GroupScoped  ? 1
                                                 : 0] = replacement;
    return llvm::ArrayRef<uint32_t>(operands);
  };
  Id result = 0;
  const Type* scalar = i.type->scalar();
  if (value != 0 && (rule == ShadowRule::Move || rule == ShadowRule::Ballot)) {
    result = emit(i.op, type, with(value));
  } else if (value != 0 && rule == ShadowRule::Reduce) {
    const Op op = scalar->kind == TypeKind::Bool ? Op::OpGroupNonUniformLogicalOr
                                                 : Op::OpGroupNonUniformBitwiseOr;
    result = emit(op, type, with(any(type, {value})));
  } else if (value != 0) {  // Vote
    const Id scope = module_.bound++;
    module_.constants[scope] =
        Constant{types_.integer(32), {static_cast<uint64_t>(spv::Scope::Subgroup)}};
    const Id some = joined(types_.boolean(), {value});
    result = joined(type, {emit(Op::OpGroupNonUniformAny, types_.boolean(), {scope, some})});
  }
  set(i, orOf(type, result, chooses != 0 ? joined(type, {chooses}) : 0));
}

}  // namespace jit::spirv
