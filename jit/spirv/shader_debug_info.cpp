// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/shader_debug_info.h"

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

namespace jit::spirv {

bool ShaderDebugInfo::has(const RawInstruction& raw) const {
  if (raw.op != spv::Op::OpExtInst && raw.op != spv::Op::OpExtInstWithForwardRefsKHR) return false;
  if (raw.operands.size() < 2) return false;
  auto set = reading_.module.extended_instruction_sets.find(raw.operands[0]);
  return set != reading_.module.extended_instruction_sets.end() &&
         set->second.starts_with("NonSemantic.Shader.DebugInfo");
}

const RawInstruction* ShaderDebugInfo::find(Id id, uint32_t number) const {
  const RawInstruction* raw = reading_.binary.definition(id);
  return raw != nullptr && has(*raw) && raw->operands[1] == number ? raw : nullptr;
}

Id ShaderDebugInfo::fileOf(Id source) const {
  const RawInstruction* raw = find(source, NonSemanticShaderDebugInfo100DebugSource);
  return raw != nullptr ? operand(*raw, 2) : 0;
}

uint32_t ShaderDebugInfo::number(Id constant) const {
  const Constant* value = reading_.module.constant(constant);
  return value && !value->leaves.empty() ? static_cast<uint32_t>(value->leaves[0]) : 0;
}

std::string ShaderDebugInfo::text(Id string) const {
  auto found = reading_.module.strings.find(string);
  return found == reading_.module.strings.end() ? std::string() : found->second;
}

}  // namespace jit::spirv
