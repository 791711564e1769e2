// SPDX-License-Identifier: Apache-2.0

#include "icd/shader_module.h"

#include "icd/entrypoints.h"

namespace icd {

VkResult vkCreateShaderModule(VkDevice, const VkShaderModuleCreateInfo* info,
                              const VkAllocationCallbacks*, VkShaderModule* module) {
  return createObject<ShaderModule>(module, *info);
}

void vkDestroyShaderModule(VkDevice, VkShaderModule module, const VkAllocationCallbacks*) {
  destroyObject<ShaderModule>(module);
}

}  // namespace icd
