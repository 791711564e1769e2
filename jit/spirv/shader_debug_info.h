// SPDX-License-Identifier: Apache-2.0

// Instructions of NonSemantic.Shader.DebugInfo, by id. What a malformed one lacks reads as nothing.
// Source: NonSemantic.Shader.DebugInfo.100 to .102.
#pragma once

#include <string>

#include "jit/spirv/reading.h"

namespace jit::spirv {

class ShaderDebugInfo {
 public:
  explicit ShaderDebugInfo(const Reading& reading) : reading_(reading) {}

  // Whether an instruction is one of the set; its number is operand 1.
  bool has(const RawInstruction& raw) const;
  // The instruction that defines `id`, where that is `number` of the set; else null.
  const RawInstruction* find(Id id, uint32_t number) const;
  // The OpString with the name of the file that a DebugSource describes; 0 when it is none.
  Id fileOf(Id source) const;
  // The value of a constant; 0 when it is none.
  uint32_t number(Id constant) const;
  // An operand of an instruction; 0 when there are fewer.
  static Id operand(const RawInstruction& raw, size_t index) {
    return index < raw.operands.size() ? raw.operands[index] : 0;
  }
  // Of an OpString.
  std::string text(Id string) const;

 private:
  const Reading& reading_;
};

}  // namespace jit::spirv
