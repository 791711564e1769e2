// SPDX-License-Identifier: Apache-2.0

// How fast this machine multiplies matrices at most: measured, with the loops of peak_loops.h.
#pragma once

#include <cstdint>

#include "runtime/cpu_features.h"
#include "runtime/profile.h"

namespace rt {

struct MachinePeak {
  const char* instruction = nullptr;  // null: there is none for this kind of products
  double operations_per_second = 0;   // of all threads; a multiply and an add are two
};

// Of `threads` threads that run nothing but the fastest instruction that processors up to this
// ceiling have for the kind, all at the same time, as workers do: of each its best piece of half a
// millisecond. Measured when first asked for, in about 20 ms; a machine that is busy with something
// else then gives less. Throws std::bad_alloc.
MachinePeak machinePeak(ProductKind kind, Isa ceiling, uint32_t threads);

}  // namespace rt
