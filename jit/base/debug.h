// SPDX-License-Identifier: Apache-2.0

// How kernels that can be stopped in and looked at by a debugger are asked for (TESSERA_DEBUG). No
// LLVM here.
#pragma once

#include "runtime/check/kinds.h"

namespace jit {

// Among the checks of a request: the kernel keeps its variables in memory, a slot for each
// invocation, and has debug information that says where (docs/architecture/debugger.md). It is no
// check of rt::kChecks.
inline constexpr rt::Check kDebug = static_cast<rt::Check>(29);

}  // namespace jit
