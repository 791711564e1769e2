// SPDX-License-Identifier: Apache-2.0

#include "icd/descriptor_set.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "icd/chain.h"
#include "icd/device.h"
#include "icd/entrypoints.h"

namespace icd {

namespace {

// Elements of the last binding of the `index`-th set: of a variable count, 0 unless the set says
// (specification, VkDescriptorSetVariableDescriptorCountAllocateInfo).
uint32_t lastCount(const VkDescriptorSetAllocateInfo& info, const DescriptorLayout& layout,
                   uint32_t index) {
  if (!layout.last_is_variable) return ~0u;
  auto* counts = findInChain<VkDescriptorSetVariableDescriptorCountAllocateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
  return counts != nullptr && index < counts->descriptorSetCount ? counts->pDescriptorCounts[index]
                                                                 : 0;
}

}  // namespace

DescriptorSet::DescriptorSet(std::shared_ptr<const DescriptorLayout> layout, uint32_t last_count)
    : layout(std::move(layout)),
      last_count(last_count),
      bytes_(static_cast<std::byte*>(std::calloc(std::max(this->layout->bytes, 1u), 1))) {
  if (bytes_ == nullptr) throw std::bad_alloc();
}

DescriptorSet* DescriptorPool::allocate(std::shared_ptr<const DescriptorLayout> layout,
                                        uint32_t last_count) {
  if (sets.size() >= max_sets) return nullptr;
  DescriptorSet& set = sets.emplace_back(std::move(layout), last_count);
  set.position = std::prev(sets.end());
  return &set;
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
      const auto& layout = DescriptorSetLayout::from(info->pSetLayouts[made])->layout;
      DescriptorSet* set = pool.allocate(layout, lastCount(*info, *layout, made));
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
  for (const VkWriteDescriptorSet& write : std::span(writes, write_count))
    writeDescriptors(DescriptorSet::from(write.dstSet)->writable(), write);
  for (const VkCopyDescriptorSet& copy : std::span(copies, copy_count)) {
    DescriptorCursor from(DescriptorSet::from(copy.srcSet)->writable(), copy.srcBinding,
                          copy.srcArrayElement);
    DescriptorCursor to(DescriptorSet::from(copy.dstSet)->writable(), copy.dstBinding,
                        copy.dstArrayElement);
    for (uint32_t rest = copy.descriptorCount; rest != 0;) {
      const uint32_t count = std::min({rest, from.left(), to.left()});
      if (count == 0 || from.isInline() != to.isInline()) break;
      const std::span<std::byte> source = from.take(count), target = to.take(count);
      std::memmove(target.data(), source.data(), source.size());
      rest -= count;
    }
  }
}

}  // namespace icd
