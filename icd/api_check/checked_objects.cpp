// SPDX-License-Identifier: Apache-2.0

// Objects that come, get names and go, under the check of the API.
#include <algorithm>
#include <span>

#include "icd/api_check/api_check.h"
#include "icd/api_check/checked.h"
#include "icd/entrypoints.h"
#include "icd/memory.h"
#include "icd/shader_object.h"
#include "runtime/printable.h"

namespace icd::checked {

namespace {

// Returns whether it is in use.
bool destroyChecked(VkDevice device, const UseRule& rule, VkObjectType type, uint64_t handle) {
  bool is_in_use = false;
  ApiCheck& check = apiCheckOf(device);
  check.with([&](Findings& found) { is_in_use = check.destroy(rule, type, handle, found); });
  return is_in_use;
}

void bound(VkDevice device, VkBuffer buffer, VkDeviceMemory memory) {
  ApiCheck& check = apiCheckOf(device);
  check.with([&](Findings&) {
    ObjectUses& objects = check.objects();
    objects.contain(objects.find(VK_OBJECT_TYPE_BUFFER, numberOf(buffer)),
                    objects.find(VK_OBJECT_TYPE_DEVICE_MEMORY, numberOf(memory)));
  });
}

HostWatch::Bytes bytesOf(VkDeviceMemory memory) {
  const rt::Allocation& allocation = DeviceMemory::from(memory)->allocation;
  const uint64_t begin = reinterpret_cast<uintptr_t>(allocation.address());
  return {begin, begin + allocation.bytes()};
}

// What others can have too, they may write.
void mapped(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size) {
  if (DeviceMemory::from(memory)->allocation.file()) return;
  HostWatch::Bytes bytes = bytesOf(memory);
  bytes.begin += offset;
  if (size != VK_WHOLE_SIZE) bytes.end = std::min(bytes.end, bytes.begin + size);
  apiCheckOf(device).hostWatch().map(numberOf(memory), bytes);
}

}  // namespace

VkResult vkMapMemory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
                     VkMemoryMapFlags flags, void** data) {
  const VkResult result = icd::vkMapMemory(device, memory, offset, size, flags, data);
  if (result == VK_SUCCESS) mapped(device, memory, offset, size);
  return result;
}

VkResult vkMapMemory2KHR(VkDevice device, const VkMemoryMapInfo* info, void** data) {
  const VkResult result = icd::vkMapMemory2KHR(device, info, data);
  if (result == VK_SUCCESS) mapped(device, info->memory, info->offset, info->size);
  return result;
}

void vkUnmapMemory(VkDevice device, VkDeviceMemory memory) {
  apiCheckOf(device).hostWatch().unmap(numberOf(memory));
  icd::vkUnmapMemory(device, memory);
}

VkResult vkUnmapMemory2KHR(VkDevice device, const VkMemoryUnmapInfo* info) {
  apiCheckOf(device).hostWatch().unmap(numberOf(info->memory));
  return icd::vkUnmapMemory2KHR(device, info);
}

void vkDestroyBuffer(VkDevice device, VkBuffer buffer, const VkAllocationCallbacks* callbacks) {
  destroyChecked(device, {"vkDestroyBuffer", "VUID-vkDestroyBuffer-buffer-00922"},
                 VK_OBJECT_TYPE_BUFFER, numberOf(buffer));
  icd::vkDestroyBuffer(device, buffer, callbacks);
}

VkResult vkBindBufferMemory(VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
                            VkDeviceSize offset) {
  const VkResult result = icd::vkBindBufferMemory(device, buffer, memory, offset);
  if (result == VK_SUCCESS) bound(device, buffer, memory);
  return result;
}

VkResult vkBindBufferMemory2(VkDevice device, uint32_t count, const VkBindBufferMemoryInfo* infos) {
  const VkResult result = icd::vkBindBufferMemory2(device, count, infos);
  if (result != VK_SUCCESS) return result;
  for (const VkBindBufferMemoryInfo& info : std::span(infos, count))
    bound(device, info.buffer, info.memory);
  return result;
}

// What commands access stays there until they have ended.
void vkFreeMemory(VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks* callbacks) {
  ApiCheck& check = apiCheckOf(device);
  bool is_put_off = false;
  if (memory != VK_NULL_HANDLE) check.hostWatch().free(bytesOf(memory));
  check.with([&](Findings& found) {
    const auto type = VK_OBJECT_TYPE_DEVICE_MEMORY;
    const uint64_t last = check.objects().lastUse(check.objects().find(type, numberOf(memory)));
    is_put_off = check.destroy({"vkFreeMemory", "VUID-vkFreeMemory-memory-00677"}, type,
                               numberOf(memory), found);
    if (is_put_off)
      check.objects().atEnd(last, [=] { icd::vkFreeMemory(device, memory, nullptr); });
  });
  if (!is_put_off) icd::vkFreeMemory(device, memory, callbacks);
  check.discard();
}

VkResult vkCreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                  const VkComputePipelineCreateInfo* infos,
                                  const VkAllocationCallbacks* callbacks, VkPipeline* pipelines) {
  const VkResult result =
      icd::vkCreateComputePipelines(device, cache, count, infos, callbacks, pipelines);
  for (uint32_t i = 0; i < count; ++i) {
    if (pipelines[i] == VK_NULL_HANDLE) continue;
    const PipelineRequest request(*Device::from(device), infos[i]);
    apiCheckOf(device).addProgram(VK_OBJECT_TYPE_PIPELINE, numberOf(pipelines[i]), request.kernel(),
                                  PipelineLayout::from(infos[i].layout)->push_constants);
  }
  return result;
}

void vkDestroyPipeline(VkDevice device, VkPipeline pipeline,
                       const VkAllocationCallbacks* callbacks) {
  destroyChecked(device, {"vkDestroyPipeline", "VUID-vkDestroyPipeline-pipeline-00765"},
                 VK_OBJECT_TYPE_PIPELINE, numberOf(pipeline));
  icd::vkDestroyPipeline(device, pipeline, callbacks);
}

VkResult vkCreateShadersEXT(VkDevice device, uint32_t count, const VkShaderCreateInfoEXT* infos,
                            const VkAllocationCallbacks* callbacks, VkShaderEXT* shaders) {
  const VkResult result = icd::vkCreateShadersEXT(device, count, infos, callbacks, shaders);
  for (uint32_t i = 0; i < count; ++i) {
    if (shaders[i] == VK_NULL_HANDLE) continue;
    const VkPipelineLayoutCreateInfo layout_info{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = infos[i].setLayoutCount,
        .pSetLayouts = infos[i].pSetLayouts,
        .pushConstantRangeCount = infos[i].pushConstantRangeCount,
        .pPushConstantRanges = infos[i].pPushConstantRanges};
    const PipelineLayout layout(layout_info);
    const PipelineRequest request(*Device::from(device), infos[i],
                                  ShaderObject::from(shaders[i])->words, layout);
    apiCheckOf(device).addProgram(VK_OBJECT_TYPE_SHADER_EXT, numberOf(shaders[i]), request.kernel(),
                                  layout.push_constants);
  }
  return result;
}

void vkDestroyShaderEXT(VkDevice device, VkShaderEXT shader,
                        const VkAllocationCallbacks* callbacks) {
  destroyChecked(device, {"vkDestroyShaderEXT", "VUID-vkDestroyShaderEXT-None-08481"},
                 VK_OBJECT_TYPE_SHADER_EXT, numberOf(shader));
  icd::vkDestroyShaderEXT(device, shader, callbacks);
}

void vkDestroyFence(VkDevice device, VkFence fence, const VkAllocationCallbacks* callbacks) {
  destroyChecked(device, {"vkDestroyFence", "VUID-vkDestroyFence-fence-01120"},
                 VK_OBJECT_TYPE_FENCE, numberOf(fence));
  icd::vkDestroyFence(device, fence, callbacks);
}

VkResult vkResetFences(VkDevice device, uint32_t count, const VkFence* fences) {
  ApiCheck& check = apiCheckOf(device);
  check.with([&](Findings& found) {
    for (VkFence fence : std::span(fences, count))
      check.expectUnused({"vkResetFences", "VUID-vkResetFences-pFences-01123"},
                         VK_OBJECT_TYPE_FENCE, numberOf(fence), found);
  });
  return icd::vkResetFences(device, count, fences);
}

void vkDestroySemaphore(VkDevice device, VkSemaphore semaphore,
                        const VkAllocationCallbacks* callbacks) {
  destroyChecked(device, {"vkDestroySemaphore", "VUID-vkDestroySemaphore-semaphore-05149"},
                 VK_OBJECT_TYPE_SEMAPHORE, numberOf(semaphore));
  icd::vkDestroySemaphore(device, semaphore, callbacks);
}

void vkDestroyEvent(VkDevice device, VkEvent event, const VkAllocationCallbacks* callbacks) {
  destroyChecked(device, {"vkDestroyEvent", "VUID-vkDestroyEvent-event-01145"},
                 VK_OBJECT_TYPE_EVENT, numberOf(event));
  icd::vkDestroyEvent(device, event, callbacks);
}

void vkDestroyQueryPool(VkDevice device, VkQueryPool pool, const VkAllocationCallbacks* callbacks) {
  destroyChecked(device, {"vkDestroyQueryPool", "VUID-vkDestroyQueryPool-queryPool-00793"},
                 VK_OBJECT_TYPE_QUERY_POOL, numberOf(pool));
  icd::vkDestroyQueryPool(device, pool, callbacks);
}

VkResult vkSetDebugUtilsObjectNameEXT(VkDevice device, const VkDebugUtilsObjectNameInfoEXT* info) {
  ApiCheck& check = apiCheckOf(device);
  check.with([&](Findings&) {
    check.objects().rename(info->objectType, info->objectHandle,
                           rt::printable(info->pObjectName != nullptr ? info->pObjectName : ""));
  });
  return icd::vkSetDebugUtilsObjectNameEXT(device, info);
}

}  // namespace icd::checked
