// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/cover.h"

namespace rt {

void cover(const DispatchArgs* dispatch, uint32_t flag) { dispatch->coverage[flag] = std::byte{1}; }

}  // namespace rt
