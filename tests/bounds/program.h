// SPDX-License-Identifier: Apache-2.0

// Random shaders, not optimized before the driver sees them, since SPIRV-Tools makes several
// variables of one, whose indices are in and out of bounds, and a model that knows what comes of
// them on a device with robust access: reads outside of a variable give 0 and writes are dropped, a
// value that is partly outside is outside, and what is inside of the whole variable is inside.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/matrix/random.h"

namespace bounds {

inline constexpr uint32_t kDescriptors = 3;       // in the array of descriptors
inline constexpr uint32_t kDescriptorWords = 24;  // in each of its buffers
inline constexpr uint32_t kPushWords = 12;        // an array in push constants

// Bindings: 0: the output, 1: numbers that the shader reads, 2: the array of descriptors.
struct Program {
  std::string text;  // GLSL
  uint32_t invocations = 32;
  uint32_t subgroup_size = 32;
  std::vector<int32_t> constants;  // specialization constants 0, 1, ...
  std::vector<uint32_t> push;
  std::vector<uint32_t> numbers;
  std::vector<std::vector<uint32_t>> buffers;  // of the descriptors, before the run

  // What the model has after it.
  std::vector<uint32_t> output;
  std::vector<std::vector<uint32_t>> changed_buffers;
};

Program randomProgram(matrices::Random& random);

}  // namespace bounds
