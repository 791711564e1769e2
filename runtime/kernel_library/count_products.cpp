// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/count_products.h"

#include "runtime/profile.h"

namespace rt {

void countProducts(const DispatchArgs* dispatch, uint32_t kind, uint64_t multiply_adds) {
  dispatch->products->add(static_cast<ProductKind>(kind), multiply_adds);
}

}  // namespace rt
