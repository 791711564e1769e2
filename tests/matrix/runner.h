// SPDX-License-Identifier: Apache-2.0

// Runs a program on a device and holds what it left against the model.
#pragma once

#include <string>

#include "tests/matrix/model.h"
#include "tests/matrix/program.h"
#include "tests/support/vulkan_host.h"

namespace matrices {

struct Verdict {
  std::string failure;      // empty: the device kept what was promised
  uint64_t components = 0;  // that were looked at
  uint64_t settled = 0;     // that could have one value only
};

Verdict runProgram(const host::Device& device, const Program& program, Promise promise);

}  // namespace matrices
