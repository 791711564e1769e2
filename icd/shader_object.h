// SPDX-License-Identifier: Apache-2.0

// VkShaderEXT: a compute shader that is bound without a pipeline.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "icd/handles.h"
#include "icd/program.h"

namespace icd {

struct ShaderObject : NonDispatchable<ShaderObject, VkShaderEXT>, Program {
  ShaderObject(Program program, std::vector<uint32_t> words)
      : Program(std::move(program)), words(std::move(words)) {}

  const std::vector<uint32_t> words;  // SPIR-V, of which its binary is made
};

}  // namespace icd
