// SPDX-License-Identifier: Apache-2.0

// VkDescriptorUpdateTemplate.
#include "icd/descriptor_set.h"
#include "icd/descriptor_write.h"
#include "icd/entrypoints.h"

namespace icd {

VkResult vkCreateDescriptorUpdateTemplate(VkDevice,
                                          const VkDescriptorUpdateTemplateCreateInfo* info,
                                          const VkAllocationCallbacks*,
                                          VkDescriptorUpdateTemplate* update_template) {
  return createObject<DescriptorTemplate>(update_template, *info);
}

void vkDestroyDescriptorUpdateTemplate(VkDevice, VkDescriptorUpdateTemplate update_template,
                                       const VkAllocationCallbacks*) {
  destroyObject<DescriptorTemplate>(update_template);
}

void vkUpdateDescriptorSetWithTemplate(VkDevice, VkDescriptorSet set,
                                       VkDescriptorUpdateTemplate update_template,
                                       const void* data) {
  DescriptorTemplate::from(update_template)->write(DescriptorSet::from(set)->writable(), data);
}

}  // namespace icd
