// SPDX-License-Identifier: Apache-2.0

// Source locations while the instructions of a function are read in order.
// Source: SPIR-V Specification, OpLine and OpNoLine; NonSemantic.Shader.DebugInfo.100.
#pragma once

#include <unordered_map>

#include "jit/spirv/reading.h"

namespace jit::spirv {

class DebugLines {
 public:
  explicit DebugLines(const Reading& reading) : reading_(reading) {}

  // Whether `raw` is debug information or another non-semantic instruction, which code
  // generation does not see. Such instructions change the location or do nothing.
  bool read(const RawInstruction& raw);
  void clear() { location_ = {}; }
  const Location& location() const { return location_; }

 private:
  void readDebugLine(std::span<const uint32_t> arguments);
  Id fileOf(Id source) const;
  uint32_t number(Id constant) const;

  const Reading& reading_;
  Location location_;
};

}  // namespace jit::spirv
