// SPDX-License-Identifier: Apache-2.0

// Random computations: what a statement of a random program does with the values that are there.
#include "tests/jit/emit/random_control_flow_function.h"

namespace jit::test {

using spv::BuiltIn;
using spv::Op;

RandomValue FunctionWriter::below(uint32_t limit, bool uniform) {
  if (random.chance(25)) {
    return {module_.uintConstant(random.below(limit)), ValueType::Uint, true};
  }
  const RandomValue v = pick(ValueType::Uint, uniform);
  const bool power = (limit & (limit - 1)) == 0;
  return define(ValueType::Uint, power ? Op::OpBitwiseAnd : Op::OpUMod,
                {v.id, module_.uintConstant(power ? limit - 1 : limit)}, v.uniform);
}

RandomValue FunctionWriter::loadInput(bool uniform) {
  if (random.chance(30)) {
    const RandomValue index = below(kPushConstants, uniform);
    const Id pointer = module_.pointerType(spv::StorageClass::PushConstant, uint());
    const Id at = result(Op::OpAccessChain, pointer,
                         {module_.pushConstants(), module_.uintConstant(0), index.id});
    return define(ValueType::Uint, Op::OpLoad, {at}, index.uniform);
  }
  const RandomValue index = below(kInputWords, uniform);
  return define(ValueType::Uint, Op::OpLoad, {element(kInput, index.id)}, index.uniform);
}

RandomValue FunctionWriter::loadBuiltin() {
  struct Row {
    BuiltIn builtin;
    ValueType type;
    bool uniform;
  };
  static constexpr Row kRows[] = {
      {BuiltIn::LocalInvocationIndex, ValueType::Uint, false},
      {BuiltIn::LocalInvocationId, ValueType::Uvec3, false},
      {BuiltIn::GlobalInvocationId, ValueType::Uvec3, false},
      {BuiltIn::SubgroupLocalInvocationId, ValueType::Uint, false},
      {BuiltIn::SubgroupId, ValueType::Uint, false},
      {BuiltIn::NumSubgroups, ValueType::Uint, true},
      {BuiltIn::WorkgroupId, ValueType::Uvec3, true},
      {BuiltIn::NumWorkgroups, ValueType::Uvec3, true},
  };
  const Row& row = kRows[random.below(std::size(kRows))];
  const Id variable = module_.builtin(row.builtin, row.type);
  if (row.type == ValueType::Uint || random.chance(40))
    return define(row.type, Op::OpLoad, {variable}, row.uniform);
  const Id c = module_.uintConstant(random.below(3));
  const Id pointer = module_.pointerType(spv::StorageClass::Input, uint());
  const Id at = result(Op::OpAccessChain, pointer, {variable, c});
  return define(ValueType::Uint, Op::OpLoad, {at}, row.uniform);
}

RandomValue FunctionWriter::varying() {
  if (random.chance(35)) {
    const RandomValue v = pick(ValueType::Uint);
    if (!v.uniform) return v;
  }
  static constexpr BuiltIn kBuiltins[] = {
      BuiltIn::LocalInvocationIndex, BuiltIn::SubgroupLocalInvocationId,
      BuiltIn::LocalInvocationIndex, BuiltIn::SubgroupLocalInvocationId,
      BuiltIn::SubgroupId,  // the same for a subgroup
  };
  const BuiltIn builtin = kBuiltins[random.below(std::size(kBuiltins))];
  const Id variable = module_.builtin(builtin, ValueType::Uint);
  const RandomValue lane = define(ValueType::Uint, Op::OpLoad, {variable}, false);
  const Op mixing = random.chance(50) ? Op::OpIAdd : Op::OpBitwiseXor;
  const RandomValue mixed = define(ValueType::Uint, mixing,
                                   {lane.id, pick(ValueType::Uint, random.chance(30)).id}, false);
  if (random.chance(50)) return mixed;
  const RandomValue index = define(ValueType::Uint, Op::OpBitwiseAnd,
                                   {mixed.id, module_.uintConstant(kInputWords - 1)}, false);
  return define(ValueType::Uint, Op::OpLoad, {element(kInput, index.id)}, false);
}

// Small numbers, so that both outcomes are likely.
RandomValue FunctionWriter::compare(const RandomValue& a, bool uniform) {
  static constexpr Op kCompare[] = {Op::OpIEqual,    Op::OpINotEqual,
                                    Op::OpULessThan, Op::OpUGreaterThanEqual,
                                    Op::OpSLessThan, Op::OpSGreaterThan};
  const uint32_t mask = random.chance(30) ? 1 : random.chance(50) ? 3 : 7;
  const RandomValue small =
      define(ValueType::Uint, Op::OpBitwiseAnd, {a.id, module_.uintConstant(mask)}, a.uniform);
  const RandomValue b =
      random.chance(60)
          ? RandomValue{module_.uintConstant(random.below(mask + 1)), ValueType::Uint, true}
          : below(mask + 1, uniform);
  return define(ValueType::Bool, kCompare[random.below(std::size(kCompare))], {small.id, b.id},
                small.uniform && b.uniform);
}

RandomValue FunctionWriter::decision(bool uniform) {
  static constexpr Op kLogic[] = {Op::OpLogicalAnd, Op::OpLogicalOr, Op::OpLogicalEqual,
                                  Op::OpLogicalNotEqual};
  if (random.chance(25)) {
    const RandomValue a = pick(ValueType::Bool, uniform), b = pick(ValueType::Bool, uniform);
    if (random.chance(20)) return define(ValueType::Bool, Op::OpLogicalNot, {a.id}, a.uniform);
    return define(ValueType::Bool, kLogic[random.below(std::size(kLogic))], {a.id, b.id},
                  a.uniform && b.uniform);
  }
  return compare(
      uniform ? random.chance(50) ? loadInput(true) : pick(ValueType::Uint, true) : varying(),
      uniform);
}

RandomValue FunctionWriter::computeUint(bool uniform) {
  static constexpr Op kPlain[] = {Op::OpIAdd,       Op::OpISub,      Op::OpIMul,
                                  Op::OpBitwiseAnd, Op::OpBitwiseOr, Op::OpBitwiseXor};
  switch (random.below(8)) {
    case 0: {  // out of a vector
      const ValueType type = vectorOf(2 + random.below(3));
      const RandomValue v = compute(type, uniform);
      if (random.chance(30)) {
        const RandomValue index = below(componentsOf(type), uniform);
        return define(ValueType::Uint, Op::OpVectorExtractDynamic, {v.id, index.id},
                      v.uniform && index.uniform);
      }
      return define(ValueType::Uint, Op::OpCompositeExtract,
                    {v.id, random.below(componentsOf(type))}, v.uniform);
    }
    case 1: {
      const RandomValue c = pick(ValueType::Bool, uniform), a = pick(ValueType::Uint, uniform),
                        b = pick(ValueType::Uint, uniform);
      return define(ValueType::Uint, Op::OpSelect, {c.id, a.id, b.id},
                    c.uniform && a.uniform && b.uniform);
    }
    case 2: {
      const RandomValue a = pick(ValueType::Uint, uniform), amount = below(32, uniform);
      return define(ValueType::Uint,
                    random.chance(50) ? Op::OpShiftLeftLogical : Op::OpShiftRightLogical,
                    {a.id, amount.id}, a.uniform && amount.uniform);
    }
    case 3: {
      const RandomValue a = pick(ValueType::Uint, uniform), b = pick(ValueType::Uint, uniform);
      const RandomValue odd =
          define(ValueType::Uint, Op::OpBitwiseOr, {b.id, module_.uintConstant(1)}, b.uniform);
      return define(ValueType::Uint, random.chance(50) ? Op::OpUDiv : Op::OpUMod, {a.id, odd.id},
                    a.uniform && b.uniform);
    }
    case 4: {
      const RandomValue r = pick(ValueType::Record, uniform);
      if (random.chance(50))
        return define(ValueType::Uint, Op::OpCompositeExtract, {copy(r).id, 1, random.below(2)},
                      r.uniform);
      return define(ValueType::Uint, Op::OpCompositeExtract, {copy(r).id, 0}, r.uniform);
    }
    default: {
      const RandomValue a = pick(ValueType::Uint, uniform), b = pick(ValueType::Uint, uniform);
      return define(ValueType::Uint, kPlain[random.below(std::size(kPlain))], {a.id, b.id},
                    a.uniform && b.uniform);
    }
  }
}

RandomValue FunctionWriter::copy(const RandomValue& value) {
  return define(value.type, Op::OpCopyObject, {value.id}, value.uniform);
}

RandomValue FunctionWriter::computeVector(ValueType type, bool uniform) {
  const uint32_t count = componentsOf(type);
  switch (random.below(4)) {
    case 0: {
      const RandomValue a = pick(type, uniform), b = pick(type, uniform);
      return define(type, random.chance(50) ? Op::OpIAdd : Op::OpBitwiseXor, {a.id, b.id},
                    a.uniform && b.uniform);
    }
    case 1: {
      const RandomValue a = pick(vectorOf(2 + random.below(3)), uniform),
                        b = pick(vectorOf(2 + random.below(3)), uniform);
      std::vector<uint32_t> operands{a.id, b.id};
      const uint32_t all = componentsOf(a.type) + componentsOf(b.type);
      for (uint32_t c = 0; c < count; ++c) operands.push_back(random.below(all));
      const RandomValue v{result(Op::OpVectorShuffle, module_.type(type), operands), type,
                          a.uniform && b.uniform};
      makeVisible(v);
      return v;
    }
    case 2: {
      const RandomValue part = pick(ValueType::Uint, uniform), v = pick(type, uniform);
      return define(type, Op::OpCompositeInsert, {part.id, v.id, random.below(count)},
                    part.uniform && v.uniform);
    }
    default: {
      std::vector<uint32_t> operands;
      bool all_uniform = true;
      for (uint32_t c = 0; c < count; ++c) {
        const RandomValue part = pick(ValueType::Uint, uniform);
        all_uniform &= part.uniform;
        operands.push_back(part.id);
      }
      const RandomValue v{result(Op::OpCompositeConstruct, module_.type(type), operands), type,
                          all_uniform};
      makeVisible(v);
      return v;
    }
  }
}

// Among the invocations that are here: all that take part must be those of the specification.
RandomValue FunctionWriter::subgroupOperation() {
  struct Row {
    Op op;
    ValueType result;
    ValueType operand;
  };
  static constexpr Row kVotes[] = {
      {Op::OpGroupNonUniformAll, ValueType::Bool, ValueType::Bool},
      {Op::OpGroupNonUniformAny, ValueType::Bool, ValueType::Bool},
      {Op::OpGroupNonUniformAllEqual, ValueType::Bool, ValueType::Uint},
      {Op::OpGroupNonUniformAllEqual, ValueType::Bool, ValueType::Uvec2},
      {Op::OpGroupNonUniformBallot, ValueType::Uvec4, ValueType::Bool},
      {Op::OpGroupNonUniformBallot, ValueType::Uvec4, ValueType::Bool},
      {Op::OpGroupNonUniformBroadcastFirst, ValueType::Uint, ValueType::Uint},
      {Op::OpGroupNonUniformBroadcastFirst, ValueType::Uvec3, ValueType::Uvec3},
      {Op::OpGroupNonUniformBroadcastFirst, ValueType::Bool, ValueType::Bool},
      {Op::OpGroupNonUniformInverseBallot, ValueType::Bool, ValueType::Uvec4},
  };
  static constexpr Op kReductions[] = {
      Op::OpGroupNonUniformIAdd,       Op::OpGroupNonUniformIMul,
      Op::OpGroupNonUniformUMin,       Op::OpGroupNonUniformUMax,
      Op::OpGroupNonUniformSMin,       Op::OpGroupNonUniformSMax,
      Op::OpGroupNonUniformBitwiseOr,  Op::OpGroupNonUniformBitwiseXor,
      Op::OpGroupNonUniformBitwiseAnd,
  };
  static constexpr spv::GroupOperation kGroups[] = {spv::GroupOperation::Reduce,
                                                    spv::GroupOperation::InclusiveScan,
                                                    spv::GroupOperation::ExclusiveScan};
  const Id scope = module_.uintConstant(static_cast<uint32_t>(spv::Scope::Subgroup));
  if (random.chance(15)) return define(ValueType::Bool, Op::OpGroupNonUniformElect, {scope}, false);
  const auto group = static_cast<uint32_t>(kGroups[random.below(std::size(kGroups))]);
  if (random.chance(15)) {
    const RandomValue bits = pick(ValueType::Uvec4);
    return define(ValueType::Uint, Op::OpGroupNonUniformBallotBitCount, {scope, group, bits.id},
                  false);
  }
  if (random.chance(40)) {
    const ValueType type = random.chance(80) ? ValueType::Uint : ValueType::Uvec2;
    const Op op = kReductions[random.below(std::size(kReductions))];
    if (random.chance(20))
      return define(type, op,
                    {scope, static_cast<uint32_t>(spv::GroupOperation::ClusteredReduce),
                     pick(type).id, module_.uintConstant(1u << random.below(4))},
                    false);
    return define(type, op, {scope, group, pick(type).id}, false);
  }
  const Row& row = kVotes[random.below(std::size(kVotes))];
  const RandomValue operand = row.operand == ValueType::Bool ? decision(false) : pick(row.operand);
  return define(row.result, row.op, {scope, operand.id}, false);
}

RandomValue FunctionWriter::compute(ValueType type, bool uniform) {
  switch (type) {
    case ValueType::Bool:
      return decision(uniform);
    case ValueType::Uint:
      return computeUint(uniform);
    case ValueType::Record: {
      const RandomValue a = pick(ValueType::Uint, uniform), b = pick(ValueType::Uvec2, uniform);
      return define(type, Op::OpCompositeConstruct, {a.id, b.id}, a.uniform && b.uniform);
    }
    default:
      return computeVector(type, uniform);
  }
}

}  // namespace jit::test
