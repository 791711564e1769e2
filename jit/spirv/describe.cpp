// SPDX-License-Identifier: Apache-2.0

// How messages and dumps name ids and instructions.
#include "jit/spirv/module.h"
#include "jit/spirv/spelling.h"

namespace jit::spirv {

std::string Module::describe(Id id) const {
  std::string text = "%" + std::to_string(id);
  auto name = names.find(id);
  if (name != names.end() && !name->second.empty()) text += " '" + printable(name->second) + "'";
  return text;
}

std::string Module::describe(const Instruction& instruction) const {
  std::string text = spell(instruction.op);
  if (instruction.result != 0) text += " " + describe(instruction.result);
  const Location& location = instruction.location;
  if (location.line == 0) return text;
  auto file = strings.find(location.file);
  text += " (";
  text += file == strings.end() ? "line" : printable(file->second);
  text += ":" + std::to_string(location.line);
  if (location.column != 0) text += ":" + std::to_string(location.column);
  return text + ")";
}

std::string Module::functionName(Id id) const {
  auto name = names.find(id);
  if (name == names.end()) return {};
  return printable(name->second.substr(0, name->second.find('(')));
}

}  // namespace jit::spirv
