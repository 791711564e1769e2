// SPDX-License-Identifier: Apache-2.0

// Descriptors that are written, bound, pushed and freed, under the check of the API.
#include <list>
#include <memory>
#include <span>

#include "icd/api_check/api_check.h"
#include "icd/api_check/checked.h"
#include "icd/descriptor_set.h"
#include "icd/entrypoints.h"

namespace icd::checked {

namespace {

// A set may not change while it is in use, but for bindings that allow it.
void expectChangeable(ApiCheck& check, const char* command, VkDescriptorSet set,
                      std::span<const uint32_t> bindings, Findings& found) {
  constexpr VkDescriptorBindingFlags kChangeable =
      VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
      VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT;
  for (const uint32_t number : bindings) {
    const DescriptorBinding* binding = DescriptorSet::from(set)->layout->find(number);
    if (binding == nullptr || (binding->flags & kChangeable) != 0) continue;
    check.expectUnused({command, "VUID-vkUpdateDescriptorSets-None-03047"},
                       VK_OBJECT_TYPE_DESCRIPTOR_SET, numberOf(set), found);
    return;
  }
}

constexpr auto kSet = VK_OBJECT_TYPE_DESCRIPTOR_SET;

// Takes the sets of a pool, and keeps those that are in use until that ends.
void takeSets(ApiCheck& check, DescriptorPool& pool) {
  uint64_t last = 0;
  for (DescriptorSet& set : pool.sets) {
    const uint64_t handle = numberOf(set.handle());
    last = std::max(last, check.objects().lastUse(check.objects().find(kSet, handle)));
    check.forgetSet(handle);
    check.objects().remove(handle);
  }
  auto kept = std::make_shared<std::list<DescriptorSet>>();
  kept->splice(kept->end(), pool.sets);
  if (!check.objects().hasEnded(last)) check.objects().atEnd(last, [kept] { kept->clear(); });
}

// Of a pool that is reset or destroyed: its sets are not in use.
void expectUnusedSets(ApiCheck& check, const UseRule& rule, VkDescriptorPool pool,
                      Findings& found) {
  for (DescriptorSet& set : DescriptorPool::from(pool)->sets)
    check.expectUnused(rule, kSet, numberOf(set.handle()), found);
}

void bindSets(VkCommandBuffer buffer, const char* command, uint32_t first, uint32_t count,
              const VkDescriptorSet* sets) {
  ApiCheck& check = apiCheckOf(buffer);
  check.with([&](Findings&) {
    Recording& recording = check.recordingOf(buffer);
    for (uint32_t i = 0; i < count && first + uint64_t{i} < recording.sets.size(); ++i) {
      Recording::Set& bound = recording.sets[first + i];
      bound = {};
      if (sets[i] == VK_NULL_HANDLE) continue;
      bound.id = check.objects().find(kSet, numberOf(sets[i]));
      bound.shadow = check.shadowOf(sets[i]);
      check.use(buffer, command, kSet, numberOf(sets[i]));
    }
  });
}

template <typename Write>
void pushSet(VkCommandBuffer buffer, VkPipelineLayout layout, uint32_t set, Write write) {
  ApiCheck& check = apiCheckOf(buffer);
  const auto& layouts = PipelineLayout::from(layout)->sets;
  if (set >= layouts.size() || layouts[set] == nullptr) return;
  check.with([&](Findings&) {
    Recording::Set& bound = check.recordingOf(buffer).sets[set];
    const bool goes_on =
        bound.shadow != nullptr && bound.id.serial == 0 && bound.shadow->layout() == *layouts[set];
    bound = {.id = {},
             .shadow = goes_on ? std::make_shared<DescriptorShadow>(*bound.shadow)
                               : std::make_shared<DescriptorShadow>(layouts[set], ~0u)};
    write(*bound.shadow, check.objects());
  });
}

}  // namespace

void vkUpdateDescriptorSets(VkDevice device, uint32_t write_count,
                            const VkWriteDescriptorSet* writes, uint32_t copy_count,
                            const VkCopyDescriptorSet* copies) {
  constexpr const char* kName = "vkUpdateDescriptorSets";
  ApiCheck& check = apiCheckOf(device);
  check.with([&](Findings& found) {
    for (const VkWriteDescriptorSet& write : std::span(writes, write_count)) {
      expectChangeable(check, kName, write.dstSet, {&write.dstBinding, 1}, found);
      check.shadowOf(write.dstSet)->write(write, check.objects());
    }
    for (const VkCopyDescriptorSet& copy : std::span(copies, copy_count)) {
      expectChangeable(check, kName, copy.dstSet, {&copy.dstBinding, 1}, found);
      check.shadowOf(copy.dstSet)->copy(*check.shadowOf(copy.srcSet), copy);
    }
  });
  icd::vkUpdateDescriptorSets(device, write_count, writes, copy_count, copies);
}

void vkUpdateDescriptorSetWithTemplate(VkDevice device, VkDescriptorSet set,
                                       VkDescriptorUpdateTemplate update_template,
                                       const void* data) {
  ApiCheck& check = apiCheckOf(device);
  check.with([&](Findings& found) {
    for (const auto& entry : DescriptorTemplate::from(update_template)->entries()) {
      expectChangeable(check, "vkUpdateDescriptorSetWithTemplate", set, {&entry.dstBinding, 1},
                       found);
      check.shadowOf(set)->write(entry, data, check.objects());
    }
  });
  icd::vkUpdateDescriptorSetWithTemplate(device, set, update_template, data);
}

VkResult vkFreeDescriptorSets(VkDevice device, VkDescriptorPool pool, uint32_t count,
                              const VkDescriptorSet* sets) {
  ApiCheck& check = apiCheckOf(device);
  std::vector<VkDescriptorSet> free;
  check.with([&](Findings& found) {
    for (VkDescriptorSet set : std::span(sets, count)) {
      if (set == VK_NULL_HANDLE) continue;
      const uint64_t last = check.objects().lastUse(check.objects().find(kSet, numberOf(set)));
      check.destroy({"vkFreeDescriptorSets", "VUID-vkFreeDescriptorSets-pDescriptorSets-00309"},
                    kSet, numberOf(set), found);
      check.forgetSet(numberOf(set));
      if (check.objects().hasEnded(last)) {
        free.push_back(set);
        continue;
      }
      auto kept = std::make_shared<std::list<DescriptorSet>>();
      kept->splice(kept->end(), DescriptorPool::from(pool)->sets,
                   DescriptorSet::from(set)->position);
      check.objects().atEnd(last, [kept] { kept->clear(); });
    }
  });
  check.discard();
  return icd::vkFreeDescriptorSets(device, pool, static_cast<uint32_t>(free.size()), free.data());
}

VkResult vkResetDescriptorPool(VkDevice device, VkDescriptorPool pool,
                               VkDescriptorPoolResetFlags flags) {
  ApiCheck& check = apiCheckOf(device);
  check.with([&](Findings& found) {
    expectUnusedSets(check,
                     {"vkResetDescriptorPool", "VUID-vkResetDescriptorPool-descriptorPool-00313"},
                     pool, found);
    takeSets(check, *DescriptorPool::from(pool));
  });
  check.discard();
  return icd::vkResetDescriptorPool(device, pool, flags);
}

void vkDestroyDescriptorPool(VkDevice device, VkDescriptorPool pool,
                             const VkAllocationCallbacks* callbacks) {
  ApiCheck& check = apiCheckOf(device);
  if (pool != VK_NULL_HANDLE) {
    check.with([&](Findings& found) {
      expectUnusedSets(
          check, {"vkDestroyDescriptorPool", "VUID-vkDestroyDescriptorPool-descriptorPool-00303"},
          pool, found);
      takeSets(check, *DescriptorPool::from(pool));
      check.objects().remove(numberOf(pool));
    });
    check.discard();
  }
  icd::vkDestroyDescriptorPool(device, pool, callbacks);
}

void vkCmdBindDescriptorSets(VkCommandBuffer buffer, VkPipelineBindPoint bind_point,
                             VkPipelineLayout layout, uint32_t first_set, uint32_t set_count,
                             const VkDescriptorSet* sets, uint32_t dynamic_offset_count,
                             const uint32_t* dynamic_offsets) {
  if (bind_point == VK_PIPELINE_BIND_POINT_COMPUTE)
    bindSets(buffer, "vkCmdBindDescriptorSets", first_set, set_count, sets);
  icd::vkCmdBindDescriptorSets(buffer, bind_point, layout, first_set, set_count, sets,
                               dynamic_offset_count, dynamic_offsets);
}

void vkCmdBindDescriptorSets2KHR(VkCommandBuffer buffer, const VkBindDescriptorSetsInfo* info) {
  if ((info->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT) != 0)
    bindSets(buffer, "vkCmdBindDescriptorSets2", info->firstSet, info->descriptorSetCount,
             info->pDescriptorSets);
  icd::vkCmdBindDescriptorSets2KHR(buffer, info);
}

void vkCmdPushDescriptorSetKHR(VkCommandBuffer buffer, VkPipelineBindPoint bind_point,
                               VkPipelineLayout layout, uint32_t set, uint32_t count,
                               const VkWriteDescriptorSet* writes) {
  pushSet(buffer, layout, set, [&](DescriptorShadow& shadow, ObjectUses& objects) {
    for (const VkWriteDescriptorSet& one : std::span(writes, count)) shadow.write(one, objects);
  });
  icd::vkCmdPushDescriptorSetKHR(buffer, bind_point, layout, set, count, writes);
}

void vkCmdPushDescriptorSetWithTemplateKHR(VkCommandBuffer buffer,
                                           VkDescriptorUpdateTemplate update_template,
                                           VkPipelineLayout layout, uint32_t set,
                                           const void* data) {
  pushSet(buffer, layout, set, [&](DescriptorShadow& shadow, ObjectUses& objects) {
    for (const auto& entry : DescriptorTemplate::from(update_template)->entries())
      shadow.write(entry, data, objects);
  });
  icd::vkCmdPushDescriptorSetWithTemplateKHR(buffer, update_template, layout, set, data);
}

void vkCmdPushDescriptorSet2KHR(VkCommandBuffer buffer, const VkPushDescriptorSetInfo* info) {
  if ((info->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT) == 0) return;
  checked::vkCmdPushDescriptorSetKHR(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, info->layout,
                                     info->set, info->descriptorWriteCount,
                                     info->pDescriptorWrites);
}

void vkCmdPushDescriptorSetWithTemplate2KHR(VkCommandBuffer buffer,
                                            const VkPushDescriptorSetWithTemplateInfo* info) {
  checked::vkCmdPushDescriptorSetWithTemplateKHR(buffer, info->descriptorUpdateTemplate,
                                                 info->layout, info->set, info->pData);
}

}  // namespace icd::checked
