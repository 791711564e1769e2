// SPDX-License-Identifier: Apache-2.0

// What generated code calls under TESSERA_CHECK_SHAPES.
#pragma once

#include <cstdint>

namespace rt {

// Says that the result of the module's instruction `id` (0: an address that the one behind it uses)
// is not what jit/analysis/lane_shape.h says of it, and ends the process.
[[noreturn]] void shapeDiffers(uint32_t id);

}  // namespace rt
