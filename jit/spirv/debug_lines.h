// SPDX-License-Identifier: Apache-2.0

// Source locations while the instructions of a function are read in order.
// Source: SPIR-V Specification, OpLine and OpNoLine; NonSemantic.Shader.DebugInfo.100.
#pragma once

#include <map>
#include <string>

#include "jit/spirv/shader_debug_info.h"

namespace jit::spirv {

class DebugLines {
 public:
  explicit DebugLines(const Reading& reading) : reading_(reading), info_(reading) {}

  // Whether `raw` is debug information or another non-semantic instruction, which code
  // generation does not see. Such instructions change the location or do nothing.
  bool read(const RawInstruction& raw);
  void clear() { location_ = {}; }
  const Location& location() const { return location_; }

 private:
  Location located(Id file, uint32_t line, uint32_t column) const;
  void readDebugLine(std::span<const uint32_t> arguments);
  void readScope(std::span<const uint32_t> arguments);
  uint32_t inlinedCall(Id inlined_at, Id scope, int depth);
  std::string functionOf(Id scope) const;
  Id fileOfScope(Id scope) const;

  const Reading& reading_;
  const ShaderDebugInfo info_;
  Location location_;
  std::map<std::pair<Id, Id>, uint32_t> inlined_calls_;  // by DebugInlinedAt and scope
};

}  // namespace jit::spirv
