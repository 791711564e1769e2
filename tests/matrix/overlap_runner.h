// SPDX-License-Identifier: Apache-2.0

// Runs a program about memory and holds what it left against the model.
#pragma once

#include <string>

#include "tests/matrix/overlap_program.h"
#include "tests/support/vulkan_host.h"

namespace matrices::overlaps {

// Empty if every byte is what it must be.
std::string failureOf(const host::Device& device, const Program& program);

}  // namespace matrices::overlaps
