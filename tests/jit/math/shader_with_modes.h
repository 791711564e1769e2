// SPDX-License-Identifier: Apache-2.0

// Shaders with the capabilities of SPV_KHR_float_controls.
#pragma once

#include "tests/jit/math/function_kernel.h"

namespace jit::test {

// `code` on `operands` numbers of `type` with a result of that type, under the execution `modes`,
// which are whole instructions of SPIR-V text.
inline FunctionShader shaderWithModes(const std::string& type, const char* code, uint32_t operands,
                                      const std::string& modes) {
  FunctionShader shader;
  shader.from = shader.to = type;
  shader.code = code;
  shader.operands = operands;
  shader.capabilities = R"(
    OpCapability DenormPreserve
    OpCapability DenormFlushToZero
    OpCapability RoundingModeRTE
    OpCapability RoundingModeRTZ
    OpCapability SignedZeroInfNanPreserve
)";
  shader.extensions = "OpExtension \"SPV_KHR_float_controls\"\n";
  shader.execution_modes = modes;
  return shader;
}

}  // namespace jit::test
