// SPDX-License-Identifier: Apache-2.0

// Shaders whose results may depend on the order in which invocations run.
#pragma once

#include <cstdint>
#include <span>

namespace kernels {

// Whether a module adds floats atomically, uses what an atomic instruction gives back, stores
// atomically, or reads the clock. Any other shader without a data race gives the same bits whatever
// the order. Looks at the instructions alone: it may say so of a module that does not depend on it.
bool dependsOnOrder(std::span<const uint32_t> spirv);

}  // namespace kernels
