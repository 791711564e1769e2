// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/debug_lines.h"

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include <string_view>

namespace jit::spirv {

namespace {

constexpr std::string_view kNonSemantic = "NonSemantic.";
constexpr std::string_view kDebugPrintf = "NonSemantic.DebugPrintf";
constexpr std::string_view kShaderDebugInfo = "NonSemantic.Shader.DebugInfo";
constexpr std::string_view kOpenClDebugInfo = "OpenCL.DebugInfo.100";  // lines are OpLine there

}  // namespace

bool DebugLines::read(const RawInstruction& raw) {
  if (raw.op == spv::Op::OpLine) {
    if (raw.operands.size() >= 3) location_ = {raw.operands[0], raw.operands[1], raw.operands[2]};
    return true;
  }
  if (raw.op == spv::Op::OpNoLine) {
    location_ = {};
    return true;
  }
  if (raw.op != spv::Op::OpExtInst || raw.operands.size() < 2) return false;
  auto set = reading_.module.extended_instruction_sets.find(raw.operands[0]);
  if (set == reading_.module.extended_instruction_sets.end()) return false;
  if (set->second.starts_with(kShaderDebugInfo)) {
    if (raw.operands[1] == NonSemanticShaderDebugInfo100DebugLine)
      readDebugLine(raw.operands.subspan(2));
    if (raw.operands[1] == NonSemanticShaderDebugInfo100DebugNoLine) location_ = {};
  }
  // Of these only debugPrintf does something.
  if (set->second == kDebugPrintf) return false;
  return set->second.starts_with(kNonSemantic) || set->second == kOpenClDebugInfo;
}

// Source, first line, last line, first column, last column: ids.
void DebugLines::readDebugLine(std::span<const uint32_t> arguments) {
  if (arguments.size() < 5) return;
  location_ = {fileOf(arguments[0]), number(arguments[1]), number(arguments[3])};
}

// The OpString with the name of the file that a DebugSource describes; 0 when it is none.
Id DebugLines::fileOf(Id source) const {
  const RawInstruction* definition = reading_.binary.definition(source);
  if (!definition || definition->op != spv::Op::OpExtInst || definition->operands.size() < 3 ||
      definition->operands[1] != NonSemanticShaderDebugInfo100DebugSource)
    return 0;
  return definition->operands[2];
}

uint32_t DebugLines::number(Id constant) const {
  const Constant* value = reading_.module.constant(constant);
  return value && !value->leaves.empty() ? static_cast<uint32_t>(value->leaves[0]) : 0;
}

}  // namespace jit::spirv
