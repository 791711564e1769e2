// SPDX-License-Identifier: Apache-2.0

// Moves and fills memory, large pieces on all workers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/worker.h"

namespace rt {

// Where the two overlap, some of the bytes copied may be such as have been copied before.
void copyBytes(std::byte* destination, const std::byte* source, uint64_t bytes,
               WorkerPool& workers);

// Repeats `value`; `bytes` is a multiple of 4, `destination` aligned to 4.
void fillBytes(std::byte* destination, uint64_t bytes, uint32_t value, WorkerPool& workers);

}  // namespace rt
