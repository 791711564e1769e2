// SPDX-License-Identifier: Apache-2.0

#include "tests/matrix/module_text.h"

#include <cstdio>

namespace matrices {
namespace {

using kernels::ElementInfo;
using kernels::elementInfo;
using kernels::ElementKind;

// Literals as words: SPIR-V text has no number format for every type.
std::string literal(ElementType type, uint64_t bits) {
  const ElementInfo& info = elementInfo(type);
  auto word = [](uint64_t value) {
    char text[16];
    std::snprintf(text, sizeof text, "!0x%08x", static_cast<uint32_t>(value));
    return std::string(text);
  };
  if (info.bits == 64) return word(bits) + " " + word(bits >> 32);
  const int unused = 64 - static_cast<int>(info.bits);
  bits = bits << unused >> unused;
  if (info.kind == ElementKind::Signed)
    bits = static_cast<uint64_t>(static_cast<int64_t>(bits << unused) >> unused);
  return word(bits);
}

}  // namespace

const char* useName(Use use) {
  switch (use) {
    case Use::A:
      return "A";
    case Use::B:
      return "B";
    case Use::Accumulator:
      return "C";
  }
  return "";
}

std::string ModuleText::declared(const std::string& hint, const std::string& text) {
  const auto [found, is_new] = ids_.try_emplace(text, "%" + hint);
  if (is_new) declarations_ += found->second + " = " + text + "\n";
  return found->second;
}

std::string ModuleText::declare(const std::string& id, const std::string& text) {
  declarations_ += id + " = " + text + "\n";
  return id;
}

std::string ModuleText::variable(const std::string& id, const std::string& storage,
                                 const std::string& type) {
  interface_ += " " + id;
  return declare(id, "OpVariable " + pointer(storage, type) + " " + storage);
}

std::string ModuleText::untypedVariable(const std::string& id, const std::string& storage,
                                        const std::string& type) {
  interface_ += " " + id;
  return declare(id,
                 "OpUntypedVariableKHR " + untypedPointer(storage) + " " + storage + " " + type);
}

std::string ModuleText::untypedPointer(const std::string& storage) {
  return declared("untyped_" + storage, "OpTypeUntypedPointerKHR " + storage);
}

std::string ModuleText::scalar(ElementType type) {
  const ElementInfo& info = elementInfo(type);
  const std::string bits = std::to_string(info.bits);
  if (info.kind != ElementKind::Float) {
    if (info.bits != 32) capability("Int" + bits);
    return declared(info.name,
                    "OpTypeInt " + bits + (info.kind == ElementKind::Signed ? " 1" : " 0"));
  }
  switch (type) {
    case ElementType::BF16:
      capability("BFloat16TypeKHR");
      extension("SPV_KHR_bfloat16");
      return declared(info.name, "OpTypeFloat 16 BFloat16KHR");
    case ElementType::E4M3:
    case ElementType::E5M2:
      capability("Float8EXT");
      extension("SPV_EXT_float8");
      return declared(info.name, std::string("OpTypeFloat 8 Float8E") +
                                     (type == ElementType::E4M3 ? "4M3" : "5M2") + "EXT");
    default:
      if (info.bits != 32) capability("Float" + bits);
      return declared(info.name, "OpTypeFloat " + bits);
  }
}

std::string ModuleText::vector(ElementType type, uint32_t width) {
  std::string element = scalar(type);
  if (width == 1) return element;
  const std::string count = std::to_string(width);
  return declared("v" + count + elementInfo(type).name, "OpTypeVector " + element + " " + count);
}

std::string ModuleText::matrix(const MatrixType& type, bool specialized) {
  if (type.component == ElementType::BF16) capability("BFloat16CooperativeMatrixKHR");
  if (type.component == ElementType::E4M3 || type.component == ElementType::E5M2)
    capability("Float8CooperativeMatrixEXT");
  auto dimension = [&](uint32_t value) {
    return specialized ? specialization(ElementType::U32, value) : number(value);
  };
  constexpr uint32_t kWorkgroup = 2, kSubgroup = 3;
  const std::string hint = std::string(elementInfo(type.component).name) + "_" +
                           std::to_string(type.rows) + "x" + std::to_string(type.columns) +
                           useName(type.use) + (type.scope == Scope::Workgroup ? "_workgroup" : "");
  std::string text = "OpTypeCooperativeMatrixKHR " + scalar(type.component) + " " +
                     dimension(type.scope == Scope::Workgroup ? kWorkgroup : kSubgroup) + " " +
                     dimension(type.rows) + " ";
  text += dimension(type.columns) + " ";
  // The validator wants to know the use.
  text += number(static_cast<uint32_t>(type.use));
  return declared(hint, text);
}

std::string ModuleText::pointer(const std::string& storage, const std::string& pointee) {
  return declared("ptr_" + storage + "_" + pointee.substr(1),
                  "OpTypePointer " + storage + " " + pointee);
}

std::string ModuleText::structure(const std::vector<std::string>& members) {
  std::string text = "OpTypeStruct", hint = "struct";
  for (const std::string& member : members) {
    text += " " + member;
    hint += "_" + member.substr(1);
  }
  return declared(hint, text);
}

std::string ModuleText::array(const std::string& element, uint32_t length) {
  return declared("array_" + std::to_string(length) + "_" + element.substr(1),
                  "OpTypeArray " + element + " " + number(length));
}

std::string ModuleText::function(const std::string& result,
                                 const std::vector<std::string>& parameters) {
  std::string text = "OpTypeFunction " + result, hint = "function_" + result.substr(1);
  for (const std::string& parameter : parameters) {
    text += " " + parameter;
    hint += "_" + parameter.substr(1);
  }
  return declared(hint, text);
}

std::string ModuleText::constant(ElementType type, uint64_t bits) {
  const std::string value = literal(type, bits);
  std::string hint = std::string("c_") + elementInfo(type).name + "_";
  for (char c : value) hint += c == '!' ? "" : c == ' ' ? "_" : std::string(1, c);
  return declared(hint, "OpConstant " + scalar(type) + " " + value);
}

std::string ModuleText::null(const std::string& type) {
  return declared("null_" + type.substr(1), "OpConstantNull " + type);
}

std::string ModuleText::undefined(const std::string& type) {
  return declared("undef_" + type.substr(1), "OpUndef " + type);
}

std::string ModuleText::composite(const std::string& type, const std::string& constituent) {
  return declared("all_" + type.substr(1) + "_" + constituent.substr(1),
                  "OpConstantComposite " + type + " " + constituent);
}

std::string ModuleText::specialization(ElementType type, uint64_t bits) {
  const auto id = static_cast<uint32_t>(specializations_.size());
  // Names tell those of one value apart, so that a type has one declaration.
  std::string name = std::string("%spec_") + elementInfo(type).name + "_" + std::to_string(bits);
  const auto [found, is_new] = ids_.try_emplace(name, name);
  if (!is_new) return name;
  specializations_.push_back({id, bits, elementInfo(type).bytes()});
  decorate(name + " SpecId " + std::to_string(id));
  return declare(name, "OpSpecConstant " + scalar(type) + " " + literal(type, 1));
}

std::string ModuleText::assemble(const std::string& memory_model,
                                 const std::string& functions) const {
  std::string text;
  for (const std::string& name : capabilities_) text += "OpCapability " + name + "\n";
  for (const std::string& name : extensions_) text += "OpExtension \"" + name + "\"\n";
  text += "OpMemoryModel " + memory_model + "\n";
  text += "OpEntryPoint GLCompute %main \"main\"" + interface_ + "\n";
  return text + execution_modes_ + decorations_ + declarations_ + functions;
}

}  // namespace matrices
