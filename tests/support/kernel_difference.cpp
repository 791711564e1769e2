// SPDX-License-Identifier: Apache-2.0

#include "tests/support/kernel_difference.h"

#include <algorithm>

namespace kernels {
namespace {

bool mayUseThreads(const Kernel& kernel) {
  return std::ranges::any_of(kernel.dispatches, [](const Dispatch& dispatch) {
    return dispatch.indirect || dispatch.unordered ||
           std::ranges::any_of(dispatch.groups, [](uint32_t count) { return count > 1; });
  });
}

bool mayHaveDefaultSize(const Kernel& kernel) {
  return kernel.requirements.subgroup_size || kernel.dispatches.empty() ||
         std::ranges::any_of(kernel.dispatches,
                             [](const Dispatch& dispatch) { return dispatch.subgroup_size == 0; });
}

}  // namespace

bool mayDiffer(const Kernel& kernel, const Difference& difference) {
  return (difference.robust && !kernel.robust) || (difference.threads && mayUseThreads(kernel)) ||
         (difference.subgroup_size && mayHaveDefaultSize(kernel));
}

}  // namespace kernels
