// SPDX-License-Identifier: Apache-2.0

// Shaders that give the same bits in each run.
#pragma once

#include <cstdint>
#include <span>

namespace kernels {

// False of a module that adds floats atomically, uses what an atomic instruction gives back, stores
// atomically, reads the clock, or has addresses, which buffers may hold. Any other shader without a
// data race gives the same bits in whatever order its invocations run. Looks at the instructions
// alone, so a module of which it is false may do so as well.
bool isRepeatable(std::span<const uint32_t> spirv);

}  // namespace kernels
