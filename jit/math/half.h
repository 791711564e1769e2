// SPDX-License-Identifier: Apache-2.0

// binary16 to binary32 and back in integers and binary32, for machines without F16C.
#pragma once

#include "jit/math/term.h"

namespace jit::math {

// Exact.
Term halfToFloat(Term half);

// To nearest even, subnormal results too. NaNs lose their payloads.
Term floatToHalf(Term x);

}  // namespace jit::math
