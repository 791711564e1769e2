// SPDX-License-Identifier: Apache-2.0

// A call of kernels that say which parts of their code run (TESSERA_COVERAGE).
#pragma once

#include <cstdint>

#include "runtime/kernel_abi.h"

namespace rt {

// Sets a byte of dispatch->coverage.
void cover(const DispatchArgs* dispatch, uint32_t flag);

}  // namespace rt
