#include "icd/descriptor_set.h"

#include <algorithm>
#include <span>

#include "icd/buffer.h"
#include "icd/device.h"
#include "icd/entrypoints.h"

namespace icd {

DescriptorCursor::DescriptorCursor(DescriptorSet& set, uint32_t binding, uint32_t element)
    : set_(set) {
  const DescriptorBinding* found = set.layout->find(binding);
  index_ = found != nullptr ? found->first + element : set.layout->descriptor_count;
}

// The elements of all bindings lie one after the other in ascending order of binding, so rolling
// over is no more than counting on.
rt::BufferDescriptor* DescriptorCursor::get() const {
  return index_ < set_.descriptors.size() ? &set_.descriptors[index_] : nullptr;
}

void DescriptorCursor::advance() { ++index_; }

void writeDescriptor(const VkDescriptorBufferInfo& info, rt::BufferDescriptor& descriptor) {
  const Buffer* buffer = Buffer::from(info.buffer);
  if (buffer == nullptr || buffer->address == nullptr) {
    descriptor = {};
    return;
  }
  VkDeviceSize size = buffer->clip(info.offset, info.range);
  descriptor = {.address = size != 0 ? buffer->address + info.offset : nullptr, .size = size};
}

DescriptorPool::DescriptorPool(const VkDescriptorPoolCreateInfo& info)
    : max_sets(info.maxSets), free_descriptors(0) {
  for (const VkDescriptorPoolSize& size : std::span(info.pPoolSizes, info.poolSizeCount)) {
    if (isBuffer(size.type)) free_descriptors += size.descriptorCount;
  }
}

DescriptorSet* DescriptorPool::allocate(std::shared_ptr<const DescriptorLayout> layout) {
  if (sets.size() >= max_sets || layout->descriptor_count > free_descriptors) return nullptr;
  DescriptorSet& set = sets.emplace_back(std::move(layout));
  set.place = std::prev(sets.end());
  free_descriptors -= set.layout->descriptor_count;
  return &set;
}

void DescriptorPool::release(DescriptorSet& set) {
  free_descriptors += set.layout->descriptor_count;
  sets.erase(set.place);
}

void DescriptorPool::reset() {
  while (!sets.empty()) release(sets.back());
}

VkResult vkCreateDescriptorPool(VkDevice, const VkDescriptorPoolCreateInfo* info,
                                const VkAllocationCallbacks*, VkDescriptorPool* pool) {
  return createObject<DescriptorPool>(pool, *info);
}

void vkDestroyDescriptorPool(VkDevice, VkDescriptorPool pool, const VkAllocationCallbacks*) {
  destroyObject<DescriptorPool>(pool);
}

VkResult vkResetDescriptorPool(VkDevice, VkDescriptorPool pool, VkDescriptorPoolResetFlags) {
  DescriptorPool::from(pool)->reset();
  return VK_SUCCESS;
}

VkResult vkAllocateDescriptorSets(VkDevice, const VkDescriptorSetAllocateInfo* info,
                                  VkDescriptorSet* sets) {
  DescriptorPool& pool = *DescriptorPool::from(info->descriptorPool);
  std::fill_n(sets, info->descriptorSetCount, VkDescriptorSet{VK_NULL_HANDLE});
  uint32_t made = 0;
  auto giveBack = [&] {
    while (made > 0) pool.release(*DescriptorSet::from(sets[--made]));
    std::fill_n(sets, info->descriptorSetCount, VkDescriptorSet{VK_NULL_HANDLE});
  };
  try {
    for (; made < info->descriptorSetCount; ++made) {
      DescriptorSet* set =
          pool.allocate(DescriptorSetLayout::from(info->pSetLayouts[made])->layout);
      if (set == nullptr) {
        giveBack();
        return VK_ERROR_OUT_OF_POOL_MEMORY;
      }
      sets[made] = set->handle();
    }
  } catch (const std::bad_alloc&) {
    giveBack();
    throw;
  }
  return VK_SUCCESS;
}

VkResult vkFreeDescriptorSets(VkDevice, VkDescriptorPool pool, uint32_t count,
                              const VkDescriptorSet* sets) {
  for (VkDescriptorSet set : std::span(sets, count)) {
    if (set != VK_NULL_HANDLE) DescriptorPool::from(pool)->release(*DescriptorSet::from(set));
  }
  return VK_SUCCESS;
}

void vkUpdateDescriptorSets(VkDevice, uint32_t write_count, const VkWriteDescriptorSet* writes,
                            uint32_t copy_count, const VkCopyDescriptorSet* copies) {
  for (const VkWriteDescriptorSet& write : std::span(writes, write_count)) {
    DescriptorCursor to(*DescriptorSet::from(write.dstSet), write.dstBinding,
                        write.dstArrayElement);
    for (uint32_t i = 0; i < write.descriptorCount && to.get() != nullptr; ++i, to.advance()) {
      writeDescriptor(write.pBufferInfo[i], *to.get());
    }
  }
  for (const VkCopyDescriptorSet& copy : std::span(copies, copy_count)) {
    DescriptorCursor from(*DescriptorSet::from(copy.srcSet), copy.srcBinding, copy.srcArrayElement);
    DescriptorCursor to(*DescriptorSet::from(copy.dstSet), copy.dstBinding, copy.dstArrayElement);
    for (uint32_t i = 0; i < copy.descriptorCount; ++i, from.advance(), to.advance()) {
      if (from.get() == nullptr || to.get() == nullptr) break;
      *to.get() = *from.get();
    }
  }
}

}  // namespace icd
