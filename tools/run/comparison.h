// SPDX-License-Identifier: Apache-2.0

// Results of two drivers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tests/support/kernel_file.h"

namespace run {

struct Comparison {
  bool are_same = true;  // as far as the tolerance goes
  std::string text;      // of each buffer that differs: how many elements, the first, and how far
};

// `here` and `there`: the contents of the kernel's buffers after it ran. What the kernel says does
// not matter is passed over. NaN is NaN, whatever its bits.
Comparison compare(const kernels::Kernel& kernel, const std::vector<std::vector<std::byte>>& here,
                   const std::vector<std::vector<std::byte>>& there,
                   const kernels::Tolerance& tolerance);

}  // namespace run
