// SPDX-License-Identifier: Apache-2.0

// How kernels that say which of their code runs are asked for (TESSERA_COVERAGE). No LLVM here.
#pragma once

#include <cstdint>

#include "runtime/check/kinds.h"

namespace jit {

// Among the checks of a request: the kernel sets the bytes of rt::DispatchArgs::coverage. It is no
// check that has a name, or finds anything.
inline constexpr rt::Check kCoverage = static_cast<rt::Check>(31);

// The most bytes that a kernel has. The first is of no meaning; of a shader that has more, the last
// is of all that are beyond.
inline constexpr uint32_t kMostCoverageFlags = 1 << 18;

}  // namespace jit
