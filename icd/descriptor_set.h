// SPDX-License-Identifier: Apache-2.0

// VkDescriptorSet and VkDescriptorPool.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <list>
#include <memory>

#include "icd/descriptor_write.h"
#include "icd/handles.h"

namespace icd {

struct DescriptorSet : NonDispatchable<DescriptorSet, VkDescriptorSet> {
  // With `last_count` elements of the last binding, if the layout has more. Throws std::bad_alloc.
  DescriptorSet(std::shared_ptr<const DescriptorLayout> layout, uint32_t last_count);

  // What kernels read, laid out as jit::BindingLayout says: null descriptors and zeros until they
  // are written. A set whose last binding has fewer elements than the layout (variable count) has
  // memory for all nevertheless, as kernels know the layout and no more; what is not written is
  // address space alone.
  const std::byte* memory() const { return bytes_.get(); }
  DescriptorMemory writable() { return {*layout, {bytes_.get(), layout->bytes}, last_count}; }

  const std::shared_ptr<const DescriptorLayout> layout;
  const uint32_t last_count;
  std::list<DescriptorSet>::iterator position;  // in its pool

 private:
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<std::byte, Free> bytes_;
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
  void release(DescriptorSet& set) { sets.erase(set.position); }
  void reset() { sets.clear(); }
};

}  // namespace icd
