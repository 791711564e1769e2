#include "icd/descriptor_layout.h"

#include <algorithm>
#include <span>

#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"
#include "icd/limits.h"

namespace icd {
namespace {

// What keeps the layout from being made, or null.
const char* obstacle(const VkDescriptorSetLayoutCreateInfo& info) {
  constexpr VkDescriptorSetLayoutCreateFlags kKnownFlags = 0;
  if ((info.flags & ~kKnownFlags) != 0) return "no push or update-after-bind descriptors";
  uint64_t count = 0;
  for (const VkDescriptorSetLayoutBinding& binding : std::span(info.pBindings, info.bindingCount)) {
    if (binding.descriptorCount != 0 && !isBuffer(binding.descriptorType)) {
      return "only uniform and storage buffers can be bound";
    }
    count += binding.descriptorCount;
  }
  return count <= kMaxDescriptors ? nullptr : "more descriptors than maxPerSetDescriptors";
}

}  // namespace

bool isDynamic(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

bool isBuffer(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
         isDynamic(type);
}

DescriptorLayout::DescriptorLayout(const VkDescriptorSetLayoutCreateInfo& info) {
  for (const VkDescriptorSetLayoutBinding& binding : std::span(info.pBindings, info.bindingCount)) {
    bindings.push_back({.binding = binding.binding,
                        .type = binding.descriptorType,
                        .count = binding.descriptorCount,
                        .first = 0,
                        .first_dynamic = 0});
  }
  std::ranges::sort(bindings, {}, &DescriptorBinding::binding);
  for (DescriptorBinding& binding : bindings) {
    binding.first = descriptor_count;
    binding.first_dynamic = dynamic_count;
    descriptor_count += binding.count;
    if (isDynamic(binding.type)) dynamic_count += binding.count;
  }
}

const DescriptorBinding* DescriptorLayout::find(uint32_t binding) const {
  auto found = std::ranges::lower_bound(bindings, binding, {}, &DescriptorBinding::binding);
  return found != bindings.end() && found->binding == binding ? &*found : nullptr;
}

VkResult vkCreateDescriptorSetLayout(VkDevice device, const VkDescriptorSetLayoutCreateInfo* info,
                                     const VkAllocationCallbacks*, VkDescriptorSetLayout* layout) {
  if (const char* reason = obstacle(*info)) {
    return failCommand<VkResult>("vkCreateDescriptorSetLayout", reason,
                                 VK_ERROR_FEATURE_NOT_PRESENT, device);
  }
  return createObject<DescriptorSetLayout>(layout, *info);
}

void vkDestroyDescriptorSetLayout(VkDevice, VkDescriptorSetLayout layout,
                                  const VkAllocationCallbacks*) {
  destroyObject<DescriptorSetLayout>(layout);
}

void vkGetDescriptorSetLayoutSupport(VkDevice, const VkDescriptorSetLayoutCreateInfo* info,
                                     VkDescriptorSetLayoutSupport* support) {
  support->supported = obstacle(*info) == nullptr;
}

}  // namespace icd
