// SPDX-License-Identifier: Apache-2.0

// How kernels that count their products are asked for (TESSERA_PROFILE). No LLVM here.
#pragma once

#include "runtime/check/kinds.h"

namespace jit {

// Among the checks of a request: the kernel counts the multiply-adds of its matrix products
// (runtime/kernel_library/count_products.h). It is no check of rt::kChecks.
inline constexpr rt::Check kCountProducts = static_cast<rt::Check>(30);

}  // namespace jit
