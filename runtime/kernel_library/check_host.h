// SPDX-License-Identifier: Apache-2.0

// Calls of kernels that check whether the host writes what they access (TESSERA_CHECK=api), at
// accesses to buffers while there is anything in Checker::host_writes; for matrices always.
#pragma once

#include <cstdint>

#include "runtime/kernel_library/check_access.h"
#include "runtime/kernel_library/tensor_copy.h"

namespace rt {

void hostAccess(const DispatchArgs* dispatch, const char* site, const CheckedAccess* access);

// A load or store of a matrix at an address.
void hostMatrix(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y, uint32_t z,
                uint32_t subgroup, uint64_t address, int64_t stride, uint64_t form);

// The same through a tensor layout.
void hostTensor(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y, uint32_t z,
                uint32_t subgroup, uint64_t address, const TensorForm* form,
                const TensorState* state, uint32_t is_store);

}  // namespace rt
