// SPDX-License-Identifier: Apache-2.0

// Writing into the memory of a descriptor set, or into that of pushed descriptors.
#pragma once

#include <cstddef>
#include <span>

#include "icd/descriptor_layout.h"
#include "runtime/kernel_abi.h"

namespace icd {

// The memory of descriptors laid out as `layout` says.
struct DescriptorMemory {
  const DescriptorLayout& layout;
  std::span<std::byte> bytes;
  // Elements of the last binding, where the set chose fewer than the layout has. What lies behind
  // them is never written: kernels find null descriptors and zeros there.
  uint32_t last_count = ~0u;
};

// A position in such memory from which elements are written or copied one after the other, rolling
// over into the next binding (specification, vkUpdateDescriptorSets: "consecutive binding
// updates").
class DescriptorCursor {
 public:
  DescriptorCursor(const DescriptorMemory& memory, uint32_t binding, uint32_t element);

  // Elements from here to the end of their binding; 0 past the end of the set.
  uint32_t left() const;
  // Of what kind the next elements are; neither past the end of the set. Bytes of inline uniform
  // blocks never become descriptors: kernels trust those.
  bool isInline() const { return left() != 0 && icd::isInline(type()); }
  bool isBuffer() const { return left() != 0 && !icd::isInline(type()); }
  // The next `count` elements, at most left(), and goes behind them.
  std::span<std::byte> take(uint32_t count);

 private:
  void skipFullBindings();
  uint32_t countOf(size_t index) const;
  VkDescriptorType type() const { return memory_.layout.bindings[index_].type; }

  const DescriptorMemory memory_;
  size_t index_;  // of the binding
  uint32_t element_;
};

// Writes the descriptor of a buffer.
void writeBuffer(const VkDescriptorBufferInfo& info, std::span<std::byte> descriptor);

// What of a VkWriteDescriptorSet is not about the set.
void writeDescriptors(const DescriptorMemory& memory, const VkWriteDescriptorSet& write);

// A recipe for reading descriptors out of the application's memory.
struct DescriptorTemplate : NonDispatchable<DescriptorTemplate, VkDescriptorUpdateTemplate> {
  explicit DescriptorTemplate(const VkDescriptorUpdateTemplateCreateInfo& info);

  void write(const DescriptorMemory& memory, const void* data) const;
  const std::vector<VkDescriptorUpdateTemplateEntry>& entries() const { return entries_; }

 private:
  std::vector<VkDescriptorUpdateTemplateEntry> entries_;
};

}  // namespace icd
