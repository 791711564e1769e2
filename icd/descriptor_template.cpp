// VkDescriptorUpdateTemplate: a recipe for reading buffer infos out of the application's memory.
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "icd/descriptor_set.h"
#include "icd/entrypoints.h"

namespace icd {
namespace {

struct DescriptorTemplate : NonDispatchable<DescriptorTemplate, VkDescriptorUpdateTemplate> {
  explicit DescriptorTemplate(const VkDescriptorUpdateTemplateCreateInfo& info)
      : entries(info.pDescriptorUpdateEntries,
                info.pDescriptorUpdateEntries + info.descriptorUpdateEntryCount) {}

  const std::vector<VkDescriptorUpdateTemplateEntry> entries;
};

}  // namespace

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
  for (const VkDescriptorUpdateTemplateEntry& entry :
       DescriptorTemplate::from(update_template)->entries) {
    DescriptorCursor to(*DescriptorSet::from(set), entry.dstBinding, entry.dstArrayElement);
    auto* from = static_cast<const std::byte*>(data) + entry.offset;
    for (uint32_t i = 0; i < entry.descriptorCount && to.get() != nullptr; ++i, to.advance()) {
      VkDescriptorBufferInfo info;  // the application's memory need not be aligned
      std::memcpy(&info, from + i * entry.stride, sizeof info);
      writeDescriptor(info, *to.get());
    }
  }
}

}  // namespace icd
