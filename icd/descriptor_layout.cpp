// SPDX-License-Identifier: Apache-2.0

#include "icd/descriptor_layout.h"

#include <algorithm>
#include <optional>
#include <span>

#include "icd/chain.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"

namespace icd {
namespace {

// Which of pBindings has a number of elements that each set chooses (Vulkan Specification,
// VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT: the one of the largest number). The other
// binding flags permit what is always so: descriptors are read when a kernel uses them.
std::optional<uint32_t> variableBinding(const VkDescriptorSetLayoutCreateInfo& info) {
  auto* flags = findInChain<VkDescriptorSetLayoutBindingFlagsCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
  if (flags == nullptr) return std::nullopt;
  for (uint32_t i = 0; i < std::min(flags->bindingCount, info.bindingCount); ++i) {
    if ((flags->pBindingFlags[i] & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT) != 0)
      return i;
  }
  return std::nullopt;
}

// What keeps the layout from being made, or null.
const char* obstacle(VkDevice device, const VkDescriptorSetLayoutCreateInfo& info) {
  const Properties& limits = Device::from(device)->physical_device.properties;
  constexpr VkDescriptorSetLayoutCreateFlags kKnownFlags =
      VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT |
      VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT;
  if ((info.flags & ~kKnownFlags) != 0) return "unknown flags";
  uint64_t count = 0, dynamic = 0;
  for (const VkDescriptorSetLayoutBinding& binding : std::span(info.pBindings, info.bindingCount)) {
    if (binding.descriptorCount == 0) continue;
    if (isInline(binding.descriptorType)) {
      if (binding.descriptorCount > limits.v13.maxInlineUniformBlockSize)
        return "an inline uniform block larger than maxInlineUniformBlockSize";
      ++count;
      continue;
    }
    if (!isBuffer(binding.descriptorType)) {
      return "only uniform and storage buffers and inline uniform blocks can be bound";
    }
    count += binding.descriptorCount;
    if (isDynamic(binding.descriptorType)) dynamic += binding.descriptorCount;
  }
  const bool pushed = (info.flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT) != 0;
  if (pushed && dynamic != 0) return "push descriptors cannot be dynamic";
  if (pushed && count > limits.push_descriptor.maxPushDescriptors)
    return "more descriptors than maxPushDescriptors";
  return count <= limits.v11.maxPerSetDescriptors ? nullptr
                                                  : "more descriptors than maxPerSetDescriptors";
}

// The most elements that the binding of variable count may have, beside those of the others.
uint32_t maxVariableCount(VkDevice device, const VkDescriptorSetLayoutCreateInfo& info) {
  const Properties& limits = Device::from(device)->physical_device.properties;
  const std::optional<uint32_t> variable = variableBinding(info);
  if (!variable) return 0;
  if (isInline(info.pBindings[*variable].descriptorType))
    return limits.v13.maxInlineUniformBlockSize;
  uint32_t others = 0;
  for (uint32_t i = 0; i < info.bindingCount; ++i) {
    const VkDescriptorSetLayoutBinding& binding = info.pBindings[i];
    if (i != *variable) others += isInline(binding.descriptorType) ? 1 : binding.descriptorCount;
  }
  return limits.v11.maxPerSetDescriptors - others;
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

bool isInline(VkDescriptorType type) { return type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK; }

size_t elementBytes(VkDescriptorType type) {
  return isInline(type) ? 1 : sizeof(rt::BufferDescriptor);
}

DescriptorLayout::DescriptorLayout(const VkDescriptorSetLayoutCreateInfo& info) {
  auto* flags = findInChain<VkDescriptorSetLayoutBindingFlagsCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
  for (uint32_t i = 0; i < info.bindingCount; ++i) {
    const VkDescriptorSetLayoutBinding& binding = info.pBindings[i];
    bindings.push_back(
        {.binding = binding.binding,
         .type = binding.descriptorType,
         .count = binding.descriptorCount,
         .offset = 0,
         .first_dynamic = 0,
         .flags = flags != nullptr && i < flags->bindingCount ? flags->pBindingFlags[i] : 0});
  }
  std::ranges::sort(bindings, {}, &DescriptorBinding::binding);
  for (DescriptorBinding& binding : bindings) {
    binding.offset = bytes;
    binding.first_dynamic = dynamic_count;
    const size_t size = binding.count * elementBytes(binding.type);
    constexpr size_t kAlignment = sizeof(rt::BufferDescriptor);
    bytes += static_cast<uint32_t>((size + kAlignment - 1) / kAlignment * kAlignment);
    if (isDynamic(binding.type)) dynamic_count += binding.count;
  }
  const std::optional<uint32_t> variable = variableBinding(info);
  last_is_variable =
      variable && !bindings.empty() && info.pBindings[*variable].binding == bindings.back().binding;
}

const DescriptorBinding* DescriptorLayout::find(uint32_t binding) const {
  auto found = std::ranges::lower_bound(bindings, binding, {}, &DescriptorBinding::binding);
  return found != bindings.end() && found->binding == binding ? &*found : nullptr;
}

VkResult vkCreateDescriptorSetLayout(VkDevice device, const VkDescriptorSetLayoutCreateInfo* info,
                                     const VkAllocationCallbacks*, VkDescriptorSetLayout* layout) {
  if (const char* reason = obstacle(device, *info)) {
    return failCommand<VkResult>("vkCreateDescriptorSetLayout", reason,
                                 VK_ERROR_FEATURE_NOT_PRESENT, device);
  }
  return createObject<DescriptorSetLayout>(layout, *info);
}

void vkDestroyDescriptorSetLayout(VkDevice, VkDescriptorSetLayout layout,
                                  const VkAllocationCallbacks*) {
  destroyObject<DescriptorSetLayout>(layout);
}

void vkGetDescriptorSetLayoutSupport(VkDevice device, const VkDescriptorSetLayoutCreateInfo* info,
                                     VkDescriptorSetLayoutSupport* support) {
  support->supported = obstacle(device, *info) == nullptr;
  auto* variable = findInChain<VkDescriptorSetVariableDescriptorCountLayoutSupport>(
      support->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT);
  if (variable != nullptr)
    variable->maxVariableDescriptorCount = support->supported ? maxVariableCount(device, *info) : 0;
}

}  // namespace icd
