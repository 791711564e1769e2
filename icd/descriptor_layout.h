// VkDescriptorSetLayout: where the descriptors of a set lie in its memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "icd/handles.h"
#include "jit/compiler.h"

namespace icd {

// One binding. Its elements are `count` rt::BufferDescriptor from `first` on.
struct DescriptorBinding {
  uint32_t binding;
  VkDescriptorType type;
  uint32_t count;          // may be 0: reserved
  uint32_t first;          // index of element 0 among the set's descriptors
  uint32_t first_dynamic;  // index of element 0 among the set's dynamic descriptors, if dynamic
};

bool isDynamic(VkDescriptorType type);
// Types other than buffers are not supported.
bool isBuffer(VkDescriptorType type);

// Immutable; shared with the sets and pipeline layouts made from it, which may outlive the handle.
struct DescriptorLayout {
  explicit DescriptorLayout(const VkDescriptorSetLayoutCreateInfo& info);

  // Null for a binding that the layout lacks.
  const DescriptorBinding* find(uint32_t binding) const;

  std::vector<DescriptorBinding> bindings;  // ascending, as elements and dynamic offsets are
  uint32_t descriptor_count = 0;
  uint32_t dynamic_count = 0;
};

struct DescriptorSetLayout : NonDispatchable<DescriptorSetLayout, VkDescriptorSetLayout> {
  explicit DescriptorSetLayout(const VkDescriptorSetLayoutCreateInfo& info)
      : layout(std::make_shared<DescriptorLayout>(info)) {}

  const std::shared_ptr<const DescriptorLayout> layout;
};

}  // namespace icd
