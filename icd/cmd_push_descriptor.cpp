// SPDX-License-Identifier: Apache-2.0

// VK_KHR_push_descriptor, and its commands in VK_KHR_maintenance6: descriptors whose memory belongs
// to the command buffer.
#include <functional>
#include <memory>
#include <span>

#include "icd/command_buffer.h"
#include "icd/descriptor_write.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"
#include "icd/pipeline_layout.h"

namespace icd {
namespace {

// Dispatches that were recorded keep what was pushed before them, so each push makes a copy of the
// set and changes that. What is not pushed anew stays as it was for the same layout.
void push(const char* command, VkCommandBuffer handle, VkPipelineLayout layout_handle, uint32_t set,
          const std::function<void(const DescriptorMemory&)>& write) {
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  const auto& sets = PipelineLayout::from(layout_handle)->sets;
  if (set >= sets.size() || sets[set] == nullptr) {
    return failCommand<void>(command, "the pipeline layout has no such set", VK_ERROR_UNKNOWN,
                             handle);
  }
  const std::shared_ptr<const DescriptorLayout>& layout = sets[set];
  CommandBuffer::BoundSet& bound = buffer.state.sets[set];
  auto memory = bound.pushed != nullptr && bound.layout == layout
                    ? std::make_shared<std::vector<std::byte>>(*bound.pushed)
                    : std::make_shared<std::vector<std::byte>>(layout->bytes);
  write({*layout, *memory});
  bound.memory = memory->data();
  bound.layout = layout;
  bound.pushed = memory;
  buffer.keep(std::move(memory));
}

}  // namespace

void vkCmdPushDescriptorSetKHR(VkCommandBuffer buffer, VkPipelineBindPoint, VkPipelineLayout layout,
                               uint32_t set, uint32_t count, const VkWriteDescriptorSet* writes) {
  push("vkCmdPushDescriptorSetKHR", buffer, layout, set, [&](const DescriptorMemory& memory) {
    for (const VkWriteDescriptorSet& one : std::span(writes, count)) writeDescriptors(memory, one);
  });
}

void vkCmdPushDescriptorSetWithTemplateKHR(VkCommandBuffer buffer,
                                           VkDescriptorUpdateTemplate update_template,
                                           VkPipelineLayout layout, uint32_t set,
                                           const void* data) {
  push("vkCmdPushDescriptorSetWithTemplateKHR", buffer, layout, set,
       [&](const DescriptorMemory& memory) {
         DescriptorTemplate::from(update_template)->write(memory, data);
       });
}

void vkCmdPushDescriptorSet2KHR(VkCommandBuffer buffer, const VkPushDescriptorSetInfo* info) {
  if ((info->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT) == 0) return;
  vkCmdPushDescriptorSetKHR(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, info->layout, info->set,
                            info->descriptorWriteCount, info->pDescriptorWrites);
}

void vkCmdPushDescriptorSetWithTemplate2KHR(VkCommandBuffer buffer,
                                            const VkPushDescriptorSetWithTemplateInfo* info) {
  vkCmdPushDescriptorSetWithTemplateKHR(buffer, info->descriptorUpdateTemplate, info->layout,
                                        info->set, info->pData);
}

}  // namespace icd
