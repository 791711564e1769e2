// SPDX-License-Identifier: Apache-2.0

// Matrices of double, which SPIR-V has and GLSL has not.
#pragma once

#include <cstdint>
#include <vector>

namespace bench {

// The module with each 32-bit float in it made a double: types, constants, strides of arrays. It
// must have no double of its own, and floats in buffers only as elements of arrays.
std::vector<uint32_t> withDoubles(const std::vector<uint32_t>& spirv);

}  // namespace bench
