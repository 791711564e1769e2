// SPDX-License-Identifier: Apache-2.0

// Statements that call functions for elements.
#include "tests/matrix/number.h"
#include "tests/matrix/writer.h"

namespace matrices {

std::string Writer::asComparable(ElementType type, const std::string& x, std::string& text) {
  if (!isFloat(type) || type == ElementType::F16 || type == ElementType::F64 ||
      type == ElementType::F32)
    return x;
  const std::string wide = fresh("wide");
  text += wide + " = OpFConvert " + module_.scalar(ElementType::F32) + " " + x + "\n";
  return wide;
}

// (row + 2 * column) % every, which decides what becomes of the element: 0 takes the other
// matrix's, 1 the number.
std::string Writer::chosenElement(const EachElement& s, const std::string& row,
                                  const std::string& column, const std::string& x,
                                  const std::string& other, const std::string& number,
                                  std::string& text) {
  const std::string component = module_.scalar(type(s.operand).component);
  auto made = [&](const std::string& instruction) {
    std::string id = fresh("e");
    text += id + " = " + instruction + "\n";
    return id;
  };
  const std::string twice = made("OpIMul " + u32() + " " + column + " " + module_.number(2));
  const std::string sum = made("OpIAdd " + u32() + " " + row + " " + twice);
  const std::string rest = made("OpUMod " + u32() + " " + sum + " " + module_.number(s.every));
  auto selected = [&](uint32_t value, const std::string& yes, const std::string& no) {
    const std::string is = made("OpIEqual " + boolean() + " " + rest + " " + module_.number(value));
    return made("OpSelect " + component + " " + is + " " + yes + " " + no);
  };
  return selected(0, other, selected(1, number, x));
}

void Writer::write(const EachElement& s) {
  const ElementType element = type(s.operand).component;
  const std::string component = module_.scalar(element), matrix_type = matrix(s.result);
  const std::string number = scalar(element, s.bits, s.source);
  if (s.form == EachElement::Form::Function) {
    module_.capability("CooperativeMatrixPerElementOperationsNV");
    module_.extension("SPV_NV_cooperative_matrix2");
    const std::string name = fresh("function"), row = fresh("row"), column = fresh("column"),
                      x = fresh("x"), other = fresh("other"), extra = fresh("number");
    std::string text = name + " = OpFunction " + component + " None " +
                       module_.function(component, {u32(), u32(), component, component, component});
    for (const auto& [id, of] : {std::pair{row, u32()},
                                 {column, u32()},
                                 {x, component},
                                 {other, component},
                                 {extra, component}})
      text += "\n" + id + " = OpFunctionParameter " + of;
    text += "\n" + fresh("label") + " = OpLabel\n";
    const std::string chosen = chosenElement(s, row, column, x, other, extra, text);
    functions_ += text + "OpReturnValue " + chosen + "\nOpFunctionEnd\n";
    return set(s.result, emit("OpCooperativeMatrixPerElementOpNV " + matrix_type + " " +
                              value(s.operand) + " " + name + " " + value(s.other) + " " + number));
  }
  module_.capability("CooperativeMatrixGetCoordinateEXT");
  module_.extension("SPV_EXT_cooperative_matrix_maintenance1");
  const std::string from = functionVariable(matrix_type), other = functionVariable(matrix_type);
  line("OpStore " + from + " " + value(s.operand));
  line("OpStore " + other + " " + value(s.other));
  const std::string pointer = module_.pointer("Function", component);
  forEach(module_.number(0), length(s.result), module_.number(1), [&](const std::string& k) {
    const std::string at =
        emit("OpCooperativeMatrixGetCoordinateEXT " + module_.vector(ElementType::U32, 2) + " " +
             value(s.operand) + " " + k);
    const std::string row = emit("OpCompositeExtract " + u32() + " " + at + " 0");
    const std::string column = emit("OpCompositeExtract " + u32() + " " + at + " 1");
    const std::string place = emit("OpAccessChain " + pointer + " " + from + " " + k);
    const std::string x = emit("OpLoad " + component + " " + place);
    const std::string y = emit("OpLoad " + component + " " +
                               emit("OpAccessChain " + pointer + " " + other + " " + k));
    const std::string chosen = chosenElement(s, row, column, x, y, number, body_);
    line("OpStore " + place + " " + chosen);
  });
  set(s.result, emit("OpLoad " + matrix_type + " " + from));
}

void Writer::write(const Reduction& s) {
  module_.capability("CooperativeMatrixReductionsNV");
  module_.extension("SPV_NV_cooperative_matrix2");
  const ElementType element = type(s.operand).component;
  const std::string component = module_.scalar(element);
  const std::string name = fresh("function"), x = fresh("x"), y = fresh("y");
  std::string text = name + " = OpFunction " + component + " None " +
                     module_.function(component, {component, component}) + "\n" + x +
                     " = OpFunctionParameter " + component + "\n" + y + " = OpFunctionParameter " +
                     component + "\n" + fresh("label") + " = OpLabel\n";
  const std::string result = fresh("combined");
  if (s.sum) {
    text += result + " = OpIAdd " + component + " " + x + " " + y + "\n";
  } else {
    const std::string wide_x = asComparable(element, x, text),
                      wide_y = asComparable(element, y, text), greater = fresh("greater");
    const bool is_signed = kernels::elementInfo(element).kind == kernels::ElementKind::Signed;
    text += greater +
            (isFloat(element) ? " = OpFOrdGreaterThan "
             : is_signed      ? " = OpSGreaterThan "
                              : " = OpUGreaterThan ") +
            boolean() + " " + wide_x + " " + wide_y + "\n" + result + " = OpSelect " + component +
            " " + greater + " " + x + " " + y + "\n";
  }
  functions_ += text + "OpReturnValue " + result + "\nOpFunctionEnd\n";
  const char* along = "";
  switch (s.along) {
    case Reduction::Along::Rows:
      along = "Row";
      break;
    case Reduction::Along::Columns:
      along = "Column";
      break;
    case Reduction::Along::Everything:
      along = "Row|Column";
      break;
    case Reduction::Along::Quads:
      along = "2x2";
      break;
  }
  set(s.result, emit("OpCooperativeMatrixReduceNV " + matrix(s.result) + " " + value(s.operand) +
                     " " + along + " " + name));
}

}  // namespace matrices
