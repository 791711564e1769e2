// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/shape_check.h"

#include <cstdio>
#include <cstdlib>

namespace rt {

void shapeDiffers(uint32_t id) {
  std::fprintf(
      stderr,
      "tessera: error: invocations have other values of %%%u than the compiler took for sure "
      "(TESSERA_CHECK_SHAPES; a defect of the driver)\n",
      id);
  std::abort();
}

}  // namespace rt
