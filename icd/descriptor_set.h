// VkDescriptorSet and VkDescriptorPool.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <vector>

#include "icd/descriptor_layout.h"
#include "icd/handles.h"
#include "runtime/kernel_abi.h"

namespace icd {

struct DescriptorSet : NonDispatchable<DescriptorSet, VkDescriptorSet> {
  explicit DescriptorSet(std::shared_ptr<const DescriptorLayout> layout)
      : layout(std::move(layout)), descriptors(this->layout->descriptor_count) {}

  // What kernels read, laid out as jit::BindingLayout says.
  const std::byte* memory() const { return reinterpret_cast<const std::byte*>(descriptors.data()); }

  const std::shared_ptr<const DescriptorLayout> layout;
  std::vector<rt::BufferDescriptor> descriptors;  // null descriptors until they are written
  std::list<DescriptorSet>::iterator place;       // in its pool
};

// A place in a set from which descriptors are written or copied one after the other, rolling over
// into the next binding (specification, vkUpdateDescriptorSets: "consecutive binding updates").
class DescriptorCursor {
 public:
  DescriptorCursor(DescriptorSet& set, uint32_t binding, uint32_t element);

  // The descriptor here; null past the end of the set.
  rt::BufferDescriptor* get() const;
  void advance();

 private:
  DescriptorSet& set_;
  uint32_t index_;
};

struct DescriptorPool : NonDispatchable<DescriptorPool, VkDescriptorPool> {
  explicit DescriptorPool(const VkDescriptorPoolCreateInfo& info);

  const uint32_t max_sets;
  uint64_t free_descriptors;  // of buffers, of all types together
  std::list<DescriptorSet> sets;

  // Null when the pool has no room.
  DescriptorSet* allocate(std::shared_ptr<const DescriptorLayout> layout);
  void release(DescriptorSet& set);
  void reset();
};

// Writes descriptor `info` of a uniform or storage buffer.
void writeDescriptor(const VkDescriptorBufferInfo& info, rt::BufferDescriptor& descriptor);

}  // namespace icd
