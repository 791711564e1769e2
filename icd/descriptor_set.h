// VkDescriptorSet and VkDescriptorPool.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <vector>

#include "icd/descriptor_write.h"
#include "icd/handles.h"

namespace icd {

struct DescriptorSet : NonDispatchable<DescriptorSet, VkDescriptorSet> {
  // With `last_count` elements in the layout's last binding.
  DescriptorSet(std::shared_ptr<const DescriptorLayout> layout, uint32_t last_count)
      : layout(std::move(layout)),
        amount(amountOf(*this->layout, last_count)),
        bytes_(memoryOf(*this->layout, last_count)) {}

  // What kernels read, laid out as jit::BindingLayout says. Null descriptors and zeros until they
  // are written.
  const std::byte* memory() const { return bytes_.data(); }
  DescriptorMemory writable() { return {*layout, bytes_}; }

  const std::shared_ptr<const DescriptorLayout> layout;
  const DescriptorAmount amount;             // taken from the pool
  std::list<DescriptorSet>::iterator place;  // in its pool

 private:
  std::vector<std::byte> bytes_;
};

struct DescriptorPool : NonDispatchable<DescriptorPool, VkDescriptorPool> {
  explicit DescriptorPool(const VkDescriptorPoolCreateInfo& info);

  const uint32_t max_sets;
  DescriptorAmount free;
  std::list<DescriptorSet> sets;

  // Null when the pool has no room.
  DescriptorSet* allocate(std::shared_ptr<const DescriptorLayout> layout, uint32_t last_count);
  void release(DescriptorSet& set);
  void reset();
};

}  // namespace icd
