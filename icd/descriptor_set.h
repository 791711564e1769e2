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
      : layout(std::move(layout)), bytes_(memoryOf(*this->layout, last_count)) {}

  // What kernels read, laid out as jit::BindingLayout says. Null descriptors and zeros until they
  // are written.
  const std::byte* memory() const { return bytes_.data(); }
  DescriptorMemory writable() { return {*layout, bytes_}; }

  const std::shared_ptr<const DescriptorLayout> layout;
  std::list<DescriptorSet>::iterator place;  // in its pool

 private:
  std::vector<std::byte> bytes_;
};

// A set has memory of its own, so the pool's numbers of descriptors keep nothing in reserve, and
// beyond them an allocation "may" fail but need not (specification, vkAllocateDescriptorSets).
// maxSets is kept, for clients that make another pool when one is full.
struct DescriptorPool : NonDispatchable<DescriptorPool, VkDescriptorPool> {
  explicit DescriptorPool(const VkDescriptorPoolCreateInfo& info) : max_sets(info.maxSets) {}

  const uint32_t max_sets;
  std::list<DescriptorSet> sets;

  // Null when the pool is full.
  DescriptorSet* allocate(std::shared_ptr<const DescriptorLayout> layout, uint32_t last_count);
  void release(DescriptorSet& set) { sets.erase(set.place); }
  void reset() { sets.clear(); }
};

}  // namespace icd
