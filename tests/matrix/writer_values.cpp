// SPDX-License-Identifier: Apache-2.0

// Statements that make matrices of matrices.
#include "tests/matrix/number.h"
#include "tests/matrix/writer.h"

namespace matrices {
namespace {

using kernels::elementInfo;
using kernels::ElementKind;

bool isSigned(ElementType type) { return elementInfo(type).kind == ElementKind::Signed; }

const char* opcode(Arithmetic operation, ElementType type) {
  switch (operation) {
    case Arithmetic::Add:
      return isFloat(type) ? "OpFAdd " : "OpIAdd ";
    case Arithmetic::Subtract:
      return isFloat(type) ? "OpFSub " : "OpISub ";
    case Arithmetic::Multiply:
      return isFloat(type) ? "OpFMul " : "OpIMul ";
    case Arithmetic::Divide:
      return isFloat(type) ? "OpFDiv " : isSigned(type) ? "OpSDiv " : "OpUDiv ";
  }
  return "";
}

const char* conversion(ElementType from, ElementType to) {
  if (isFloat(from) && isFloat(to)) return "OpFConvert ";
  if (isFloat(from)) return isSigned(to) ? "OpConvertFToS " : "OpConvertFToU ";
  if (isFloat(to)) return isSigned(from) ? "OpConvertSToF " : "OpConvertUToF ";
  return isSigned(from) ? "OpSConvert " : "OpUConvert ";
}

}  // namespace

void Writer::write(const Splat& s) {
  const std::string matrix_type = matrix(s.result);
  if (s.form == Splat::Form::Null) return set(s.result, module_.null(matrix_type));
  const ElementType component = type(s.result).component;
  if (s.form == Splat::Form::Constant) {
    return set(s.result, module_.composite(matrix_type, module_.constant(component, s.bits)));
  }
  const std::string constituent = scalar(component, s.bits, s.source);
  set(s.result, emit("OpCompositeConstruct " + matrix_type + " " + constituent));
}

void Writer::write(const Undefined& s) { set(s.result, module_.undefined(matrix(s.result))); }

void Writer::write(const Binary& s) {
  set(s.result, emit(opcode(s.operation, type(s.result).component) + matrix(s.result) + " " +
                     value(s.left) + " " + value(s.right)));
  if (s.no_contraction) module_.decorate(value(s.result) + " NoContraction");
}

void Writer::write(const Negate& s) {
  const char* name = isFloat(type(s.result).component) ? "OpFNegate " : "OpSNegate ";
  set(s.result, emit(name + matrix(s.result) + " " + value(s.operand)));
}

void Writer::write(const Scale& s) {
  const std::string factor = scalar(type(s.result).component, s.bits, s.source);
  set(s.result,
      emit("OpMatrixTimesScalar " + matrix(s.result) + " " + value(s.operand) + " " + factor));
}

void Writer::write(const Convert& s) {
  const MatrixType &from = type(s.operand), &to = type(s.result);
  const bool same = from.component == to.component;
  const bool turns = s.transposed && same && to.use == Use::B;
  const char* name = turns  ? "OpCooperativeMatrixTransposeNV "
                     : same ? "OpCooperativeMatrixConvertNV "
                            : conversion(from.component, to.component);
  set(s.result, emit(name + matrix(s.result) + " " + value(s.operand)));
  if (s.transposed && !turns) module_.decorate(value(s.result) + " CooperativeMatrixTransposeEXT");
  if ((to.use == Use::Accumulator && from.use != to.use) || (s.transposed && !turns)) {
    module_.capability("CooperativeMatrixConversionsEXT");
    module_.extension("SPV_EXT_cooperative_matrix_maintenance1");
  } else if (from.use != to.use) {
    module_.capability("CooperativeMatrixConversionsNV");
    module_.extension("SPV_NV_cooperative_matrix2");
  }
  if (s.saturate)
    module_.decorate(value(s.result) + " SaturatedToLargestFloat8NormalConversionEXT");
}

void Writer::write(const Bitcast& s) {
  set(s.result, emit("OpBitcast " + matrix(s.result) + " " + value(s.operand)));
}

void Writer::write(const MulAdd& s) {
  std::string flags;
  auto flag = [&](bool on, const char* name) {
    if (on) flags += std::string(flags.empty() ? " " : "|") + name;
  };
  flag(isSigned(s.row.a), "MatrixASignedComponentsKHR");
  flag(isSigned(s.row.b), "MatrixBSignedComponentsKHR");
  flag(isSigned(s.row.c), "MatrixCSignedComponentsKHR");
  flag(isSigned(s.row.result), "MatrixResultSignedComponentsKHR");
  flag(s.row.saturating, "SaturatingAccumulationKHR");
  set(s.result, emit("OpCooperativeMatrixMulAddKHR " + matrix(s.result) + " " + value(s.a) + " " +
                     value(s.b) + " " + value(s.c) + flags));
  if (s.no_contraction) module_.decorate(value(s.result) + " NoContraction");
}

std::string Writer::callOf(const Pass& s, bool pointer) {
  const std::string matrix_type = matrix(s.result);
  const std::string parameter = pointer ? module_.pointer("Function", matrix_type) : matrix_type;
  const std::string result = pointer ? module_.declared("void", "OpTypeVoid") : matrix_type;
  const std::string name = fresh("function"), p = fresh("p");
  functions_ += name + " = OpFunction " + result + " None " +
                module_.function(result, {parameter}) + "\n" + p + " = OpFunctionParameter " +
                parameter + "\n" + fresh("label") + " = OpLabel\n";
  if (!pointer) {
    functions_ += "OpReturnValue " + p + "\nOpFunctionEnd\n";
    return emit("OpFunctionCall " + result + " " + name + " " + value(s.operand));
  }
  const std::string variable = functionVariable(matrix_type), copy = fresh("copy"),
                    loaded = fresh("loaded");
  functions_ += copy + " = OpVariable " + parameter + " Function\n" + loaded + " = OpLoad " +
                matrix_type + " " + p + "\nOpStore " + copy + " " + loaded + "\n";
  const std::string again = fresh("again");
  functions_ += again + " = OpLoad " + matrix_type + " " + copy + "\nOpStore " + p + " " + again +
                "\nOpReturn\nOpFunctionEnd\n";
  line("OpStore " + variable + " " + value(s.operand));
  emit("OpFunctionCall " + result + " " + name + " " + variable);
  return emit("OpLoad " + matrix_type + " " + variable);
}

std::string Writer::passThrough(const Pass& s) {
  using Through = Pass::Through;
  const std::string matrix_type = matrix(s.result), operand = value(s.operand);
  const std::string component = module_.scalar(type(s.result).component);
  switch (s.through) {
    case Through::FunctionVariable: {
      const std::string variable = functionVariable(matrix_type);
      line("OpStore " + variable + " " + operand);
      return emit("OpLoad " + matrix_type + " " + variable);
    }
    case Through::PrivateVariable: {
      const std::string variable = module_.variable(fresh("private"), "Private", matrix_type);
      line("OpStore " + variable + " " + operand);
      return emit("OpLoad " + matrix_type + " " + variable);
    }
    case Through::Parameter:
      return callOf(s, false);
    case Through::Pointer:
      return callOf(s, true);
    case Through::Structure: {
      const std::string pair = module_.structure({u32(), matrix_type});
      const std::string made =
          emit("OpCompositeConstruct " + pair + " " + module_.number(7) + " " + operand);
      return emit("OpCompositeExtract " + matrix_type + " " + made + " 1");
    }
    case Through::Array: {
      const std::string variable = functionVariable(module_.array(matrix_type, 2));
      auto element = [&](uint32_t index) {
        return emit("OpAccessChain " + module_.pointer("Function", matrix_type) + " " + variable +
                    " " + number(index, Source::Memory));
      };
      line("OpStore " + element(0) + " " + module_.null(matrix_type));
      line("OpStore " + element(1) + " " + operand);
      return emit("OpLoad " + matrix_type + " " + element(1));
    }
    case Through::Select: {
      const std::string box = module_.structure({matrix_type});
      const std::string first = emit("OpCompositeConstruct " + box + " " + operand);
      const std::string second =
          emit("OpCompositeConstruct " + box + " " + module_.undefined(matrix_type));
      const std::string chosen = condition({Condition::Kind::Number, true});
      const std::string selected =
          emit("OpSelect " + box + " " + chosen + " " + first + " " + second);
      return emit("OpCompositeExtract " + matrix_type + " " + selected + " 0");
    }
    case Through::Component: {
      const std::string x = emit("OpCompositeExtract " + component + " " + operand + " 0");
      return emit("OpCompositeInsert " + matrix_type + " " + x + " " + operand + " 0");
    }
    case Through::Components:
    case Through::Count:
      break;
  }
  const std::string from = functionVariable(matrix_type), to = functionVariable(matrix_type);
  line("OpStore " + from + " " + operand);
  forEach(module_.number(0), length(s.result), module_.number(1), [&](const std::string& k) {
    const std::string pointer = module_.pointer("Function", component);
    const std::string x =
        emit("OpLoad " + component + " " + emit("OpAccessChain " + pointer + " " + from + " " + k));
    line("OpStore " + emit("OpAccessChain " + pointer + " " + to + " " + k) + " " + x);
  });
  return emit("OpLoad " + matrix_type + " " + to);
}

void Writer::write(const Pass& s) { set(s.result, passThrough(s)); }

void Writer::write(const ReplaceNegative& s) {
  const ElementType element = type(s.result).component;
  const std::string component = module_.scalar(element), matrix_type = matrix(s.result);
  const std::string variable = functionVariable(matrix_type);
  line("OpStore " + variable + " " + value(s.operand));
  const std::string count = length(s.result);
  forEach(module_.number(0), count, module_.number(1), [&](const std::string& k) {
    const std::string moved = emit("OpIAdd " + u32() + " " + k + " " + lane_);
    const std::string index = emit("OpUMod " + u32() + " " + moved + " " + count);
    const std::string place = emit("OpAccessChain " + module_.pointer("Function", component) + " " +
                                   variable + " " + index);
    std::string x = emit("OpLoad " + component + " " + place);
    const bool is_float = isFloat(element);
    const std::string comparable = asComparable(element, x, body_);
    const std::string zero = module_.constant(comparable == x ? element : ElementType::F32, 0);
    x = comparable;
    const std::string negative = emit(std::string(is_float ? "OpFOrdLessThan " : "OpSLessThan ") +
                                      boolean() + " " + x + " " + zero);
    onlyIf(negative, [&] { line("OpStore " + place + " " + module_.constant(element, s.bits)); });
  });
  set(s.result, emit("OpLoad " + matrix_type + " " + variable));
}

}  // namespace matrices
