// SPDX-License-Identifier: Apache-2.0

// Independent calls that take long, such as compilations, side by side.
#pragma once

#include <cstdint>
#include <functional>

namespace rt {

// Calls work(0) to work(count - 1), in ascending order, on this thread and up to `threads` - 1 more
// that end with the last call. Where threads cannot be had, it takes fewer. `work` must not throw.
void callInParallel(uint32_t count, uint32_t threads, const std::function<void(uint32_t)>& work);

}  // namespace rt
