// SPDX-License-Identifier: Apache-2.0

// VkDescriptorSetLayout: where the descriptors of a set lie in its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "icd/handles.h"
#include "jit/compiler.h"

namespace icd {

// One binding. Its elements are `count` rt::BufferDescriptor from `offset` on, or as many bytes of
// an inline uniform block.
struct DescriptorBinding {
  uint32_t binding;
  VkDescriptorType type;
  uint32_t count;          // may be 0: reserved
  uint32_t offset;         // bytes from the start of the set's memory to element 0
  uint32_t first_dynamic;  // index of element 0 among the set's dynamic descriptors, if dynamic
  VkDescriptorBindingFlags flags = 0;

  // As far as the memory of a set tells.
  bool operator==(const DescriptorBinding& other) const {
    return binding == other.binding && type == other.type && count == other.count &&
           offset == other.offset && first_dynamic == other.first_dynamic;
  }
};

bool isDynamic(VkDescriptorType type);
// Types other than buffers and inline uniform blocks are not supported.
bool isBuffer(VkDescriptorType type);
bool isInline(VkDescriptorType type);
// Bytes of one element in the memory of a set.
size_t elementBytes(VkDescriptorType type);

// Immutable; shared with the sets and pipeline layouts made from it, which may outlive the handle.
struct DescriptorLayout {
  explicit DescriptorLayout(const VkDescriptorSetLayoutCreateInfo& info);

  // Identically defined, as far as the memory of a set tells (specification, "Pipeline Layout
  // Compatibility").
  bool operator==(const DescriptorLayout&) const = default;

  // The binding, always the last, whose number of elements each set chooses, up to the layout's
  // (VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT).
  bool last_is_variable = false;

  // Null for a binding that the layout lacks.
  const DescriptorBinding* find(uint32_t binding) const;

  std::vector<DescriptorBinding> bindings;  // ascending, as elements and dynamic offsets are
  uint32_t dynamic_count = 0;
  uint32_t bytes = 0;  // of the memory of a set
};

struct DescriptorSetLayout : NonDispatchable<DescriptorSetLayout, VkDescriptorSetLayout> {
  explicit DescriptorSetLayout(const VkDescriptorSetLayoutCreateInfo& info)
      : layout(std::make_shared<DescriptorLayout>(info)) {}

  const std::shared_ptr<const DescriptorLayout> layout;
};

}  // namespace icd
