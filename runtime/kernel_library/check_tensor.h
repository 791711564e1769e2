// SPDX-License-Identifier: Apache-2.0

// The check of a cooperative matrix's load or store through a tensor layout (TESSERA_CHECK=memory),
// element by element. Called by generated code.
//
// Source: SPV_NV_cooperative_matrix2, "Tensor Layout and View"; SPV_NV_tensor_addressing.
#pragma once

#include <cstdint>

#include "runtime/kernel_abi.h"
#include "runtime/kernel_library/tensor_copy.h"

namespace rt {

// Where a checked tensor lies: `offset` bytes into an object of `size` bytes at address `base`.
struct CheckedTensor {
  uint64_t base, offset, size;
  uint32_t workgroup[3];
  uint32_t subgroup;  // kNoSubgroup: the whole workgroup's
  uint32_t is_store;
  uint32_t by_address;  // a device address, `size` says nothing
};

void checkTensor(const DispatchArgs* dispatch, const char* site, const CheckedTensor* tensor,
                 const TensorForm* form, const TensorState* state);

}  // namespace rt
