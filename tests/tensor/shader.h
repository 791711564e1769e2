// SPDX-License-Identifier: Apache-2.0

// The shader of a case: GLSL that loads or stores one matrix through a tensor layout and view.
#pragma once

#include <string>
#include <vector>

#include "tests/support/tensor_cases.h"

namespace tensors {

enum class Access { Load, Decode, Store };

struct Program {
  Case c;
  Access access = Access::Load;
  uint32_t bytes = 4;        // of a component, which is an unsigned integer: 1, 2 or 4
  uint32_t block_words = 1;  // 32-bit words of a decoded block
  bool workgroup = false;    // the matrix's scope
  bool constants = false;    // the numbers of layout and view are known when it is compiled
  std::string text;
  std::vector<uint32_t> numbers;  // of the layout and view otherwise, in a buffer

  std::string describe() const;
};

Program randomProgram(matrices::Random& random);

// What the shader's decode function makes of a block's first word.
uint32_t decoded(const Program& program, uint32_t word, const Element& element);

inline constexpr uint32_t kWorkgroupSize = 128;  // where the scope is a workgroup, else 32

}  // namespace tensors
