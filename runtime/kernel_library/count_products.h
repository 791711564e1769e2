// SPDX-License-Identifier: Apache-2.0

// A call of kernels that count their products (TESSERA_PROFILE).
#pragma once

#include <cstdint>

#include "runtime/kernel_abi.h"

namespace rt {

// A subgroup, or a workgroup where that runs as one, has done so many multiply-adds of matrices.
// `kind`: a ProductKind.
void countProducts(const DispatchArgs* dispatch, uint32_t kind, uint64_t multiply_adds);

}  // namespace rt
