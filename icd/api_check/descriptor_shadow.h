// SPDX-License-Identifier: Apache-2.0

// Which descriptors of a set have been written, and with which buffers. Part of the check of the
// API (api_check.h), under its lock.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "icd/api_check/object_uses.h"
#include "icd/descriptor_write.h"

namespace icd {

// Beside the memory of a set there is one more of the same layout, in which each descriptor is the
// ObjectId of its buffer, and each byte of an inline uniform block that was written is 1.
class DescriptorShadow {
 public:
  // With `last_count` elements of the last binding, as DescriptorMemory has it.
  DescriptorShadow(std::shared_ptr<const DescriptorLayout> layout, uint32_t last_count);

  const DescriptorLayout& layout() const { return *layout_; }

  // As vkUpdateDescriptorSets, vkUpdateDescriptorSetWithTemplate do it.
  void write(const VkWriteDescriptorSet& write, ObjectUses& objects);
  void write(const VkDescriptorUpdateTemplateEntry& entry, const void* data, ObjectUses& objects);
  void copy(DescriptorShadow& from, const VkCopyDescriptorSet& copy);

  // Of a binding that the layout has.
  uint32_t countOf(const DescriptorBinding& binding) const;
  enum class State : uint8_t { NeverWritten, Null, Written };
  State stateOf(const DescriptorBinding& binding, uint32_t element) const;
  // Of one that is Written, of a buffer.
  ObjectId bufferOf(const DescriptorBinding& binding, uint32_t element) const;

 private:
  DescriptorMemory memory() { return {*layout_, bytes_, last_count_}; }
  ObjectId at(const DescriptorBinding& binding, uint32_t element) const;

  std::shared_ptr<const DescriptorLayout> layout_;
  uint32_t last_count_;
  std::vector<std::byte> bytes_;
};

}  // namespace icd
