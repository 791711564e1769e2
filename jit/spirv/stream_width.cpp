// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/stream_width.h"

#include <algorithm>

#include "jit/spirv/matrix_scopes.h"

namespace jit::spirv {

uint32_t streamWidth(const Module& module, uint32_t subgroup_size) {
  uint64_t invocations = 1;
  for (uint32_t size : module.workgroup_size)
    invocations *= std::min(size, kMaxWorkgroupInvocations + 1);
  // Too large a workgroup is refused.
  if (invocations > kMaxWorkgroupInvocations || !usesMatrices(module, spv::Scope::Workgroup))
    return subgroup_size;
  const auto count = static_cast<uint32_t>(invocations);
  return (count + subgroup_size - 1) / subgroup_size * subgroup_size;
}

}  // namespace jit::spirv
