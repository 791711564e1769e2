// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/float_rules.h"

#include <llvm/ADT/DenseMap.h>
#include <spirv/unified1/GLSL.std.450.h>

#include "jit/spirv/operands.h"

namespace jit::spirv {

namespace {

using rt::NumberRule;

struct OpcodeRule {
  spv::Op op;
  FloatRule rule;
};

constexpr FloatRule infix(const char* name) { return {NumberRule::Result, name, true}; }
constexpr FloatRule function(const char* name) { return {NumberRule::Result, name}; }
constexpr FloatRule mixing(const char* name) {
  return {.rule = NumberRule::Result, .name = name, .mixes = true};
}
constexpr FloatRule crossing(const char* name) {
  return {.rule = NumberRule::Result, .name = name, .crosses_lanes = true};
}
constexpr FloatRule division(const char* name, bool is_signed) {
  return {.rule = NumberRule::Division, .name = name, .is_infix = true, .is_signed = is_signed};
}
constexpr FloatRule shift(const char* name) { return {NumberRule::Shift, name, true}; }
constexpr FloatRule field(const char* name) { return {NumberRule::BitField, name}; }
constexpr FloatRule toInteger(const char* name) { return {NumberRule::ToInteger, name}; }

constexpr OpcodeRule kRules[] = {
    {spv::Op::OpFAdd, infix("+")},
    {spv::Op::OpFSub, infix("-")},
    {spv::Op::OpFMul, infix("*")},
    {spv::Op::OpFDiv, infix("/")},
    {spv::Op::OpFRem, function("remainder")},
    {spv::Op::OpFMod, function("mod")},
    {spv::Op::OpFmaKHR, function("fma")},
    {spv::Op::OpVectorTimesScalar, infix("*")},
    {spv::Op::OpMatrixTimesScalar, infix("*")},
    {spv::Op::OpVectorTimesMatrix, mixing("a vector times a matrix")},
    {spv::Op::OpMatrixTimesVector, mixing("a matrix times a vector")},
    {spv::Op::OpMatrixTimesMatrix, mixing("a product of matrices")},
    {spv::Op::OpOuterProduct, mixing("outerProduct")},
    {spv::Op::OpDot, mixing("dot")},
    {spv::Op::OpFDot2MixAcc32VALVE, mixing("dot")},
    {spv::Op::OpFDot2MixAcc16VALVE, mixing("dot")},
    {spv::Op::OpFDot4MixAcc32VALVE, mixing("dot")},
    {spv::Op::OpFConvert, function("a conversion of ")},
    {spv::Op::OpConvertSToF, function("a conversion of ")},
    {spv::Op::OpConvertUToF, function("a conversion of ")},
    {spv::Op::OpQuantizeToF16, function("a quantization of ")},
    {spv::Op::OpConvertFToS, toInteger("a conversion of ")},
    {spv::Op::OpConvertFToU, toInteger("a conversion of ")},
    {spv::Op::OpDPdx, crossing("dFdx")},
    {spv::Op::OpDPdy, crossing("dFdy")},
    {spv::Op::OpFwidth, crossing("fwidth")},
    {spv::Op::OpDPdxFine, crossing("dFdxFine")},
    {spv::Op::OpDPdyFine, crossing("dFdyFine")},
    {spv::Op::OpFwidthFine, crossing("fwidthFine")},
    {spv::Op::OpDPdxCoarse, crossing("dFdxCoarse")},
    {spv::Op::OpDPdyCoarse, crossing("dFdyCoarse")},
    {spv::Op::OpFwidthCoarse, crossing("fwidthCoarse")},
    {spv::Op::OpGroupNonUniformFAdd, crossing("a subgroup's sum with ")},
    {spv::Op::OpGroupNonUniformFMul, crossing("a subgroup's product with ")},
    {spv::Op::OpAtomicFAddEXT, infix("+")},
    {spv::Op::OpUDiv, division("/", false)},
    {spv::Op::OpUMod, division("%", false)},
    {spv::Op::OpSDiv, division("/", true)},
    {spv::Op::OpSRem, division("%", true)},
    {spv::Op::OpSMod, division("%", true)},
    {spv::Op::OpShiftLeftLogical, shift("<<")},
    {spv::Op::OpShiftRightLogical, shift(">>")},
    {spv::Op::OpShiftRightArithmetic, shift(">>")},
    {spv::Op::OpBitFieldInsert, field("bitfieldInsert")},
    {spv::Op::OpBitFieldSExtract, field("bitfieldExtract")},
    {spv::Op::OpBitFieldUExtract, field("bitfieldExtract")},
};

struct ExtendedRule {
  uint32_t instruction;
  FloatRule rule;
};

constexpr ExtendedRule kExtended[] = {
    {GLSLstd450Fract, function("fract")},
    {GLSLstd450Degrees, function("degrees")},
    {GLSLstd450Sin, function("sin")},
    {GLSLstd450Cos, function("cos")},
    {GLSLstd450Tan, function("tan")},
    {GLSLstd450Asin, function("asin")},
    {GLSLstd450Acos, function("acos")},
    {GLSLstd450Atan, function("atan")},
    {GLSLstd450Sinh, function("sinh")},
    {GLSLstd450Cosh, function("cosh")},
    {GLSLstd450Tanh, function("tanh")},
    {GLSLstd450Asinh, function("asinh")},
    {GLSLstd450Acosh, function("acosh")},
    {GLSLstd450Atanh, function("atanh")},
    {GLSLstd450Atan2, function("atan")},
    {GLSLstd450Pow, function("pow")},
    {GLSLstd450Exp, function("exp")},
    {GLSLstd450Log, function("log")},
    {GLSLstd450Exp2, function("exp2")},
    {GLSLstd450Log2, function("log2")},
    {GLSLstd450Sqrt, function("sqrt")},
    {GLSLstd450InverseSqrt, function("inversesqrt")},
    {GLSLstd450Determinant, mixing("determinant")},
    {GLSLstd450MatrixInverse, mixing("inverse")},
    {GLSLstd450Modf, function("modf")},
    {GLSLstd450ModfStruct, mixing("modf")},
    {GLSLstd450FMix, function("mix")},
    {GLSLstd450SmoothStep, function("smoothstep")},
    {GLSLstd450Fma, function("fma")},
    {GLSLstd450Ldexp, function("ldexp")},
    {GLSLstd450PackHalf2x16,
     {.rule = NumberRule::Result, .name = "packHalf2x16", .is_packed = true}},
    {GLSLstd450Length, mixing("length")},
    {GLSLstd450Distance, mixing("distance")},
    {GLSLstd450Cross, mixing("cross")},
    {GLSLstd450Normalize, mixing("normalize")},
    {GLSLstd450Reflect, mixing("reflect")},
    {GLSLstd450Refract, mixing("refract")},
};

bool isExtended(const Module& module, const Instruction& i) {
  if (i.op != spv::Op::OpExtInst && i.op != spv::Op::OpExtInstWithForwardRefsKHR) return false;
  const auto set = module.extended_instruction_sets.find(i.operands[0]);
  return set != module.extended_instruction_sets.end() && set->second == "GLSL.std.450";
}

}  // namespace

const FloatRule* findFloatRule(const Module& module, const Instruction& i) {
  static const auto kByOpcode = [] {
    llvm::DenseMap<uint32_t, const FloatRule*> rules;
    for (const OpcodeRule& row : kRules) rules[static_cast<uint32_t>(row.op)] = &row.rule;
    return rules;
  }();
  static const auto kByInstruction = [] {
    llvm::DenseMap<uint32_t, const FloatRule*> rules;
    for (const ExtendedRule& row : kExtended) rules[row.instruction] = &row.rule;
    return rules;
  }();
  if (isExtended(module, i)) return kByInstruction.lookup(i.operands[1]);
  return kByOpcode.lookup(static_cast<uint32_t>(i.op));
}

llvm::SmallVector<Id, 4> checkedOperands(const Module& module, const Instruction& i) {
  const auto operands = i.operands;
  if (isExtended(module, i)) return {operands.begin() + 2, operands.end()};
  switch (i.op) {
    case spv::Op::OpBitFieldInsert:
      return {operands[0], operands[2], operands[3]};
    case spv::Op::OpAtomicFAddEXT:
      return {i.result, operands[3]};
    default:
      break;
  }
  const auto values = valueOperands(i);
  return {values.begin(), values.end()};
}

}  // namespace jit::spirv
