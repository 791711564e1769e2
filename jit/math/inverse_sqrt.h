// SPDX-License-Identifier: Apache-2.0

// 1 / sqrt(x) for binary32, in line.
#pragma once

#include "jit/base/target.h"
#include "jit/math/term.h"

namespace jit::math {

// Within 1.5 ULP. Where the target has an estimate of 14 bits that knows denormals (AVX-512), one
// step of Newton's method refines it, in a tenth of the time of a root and a division.
Term inverseSqrt(const Target& target, Term x);

}  // namespace jit::math
