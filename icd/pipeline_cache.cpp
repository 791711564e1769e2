// VkPipelineCache: the header that the specification asks for, and no contents. Compiled code
// refers to this process's addresses, so there is nothing in it that another could use.
#include <cstring>

#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/handles.h"

namespace icd {
namespace {

struct PipelineCache : NonDispatchable<PipelineCache, VkPipelineCache> {};

}  // namespace

VkResult vkCreatePipelineCache(VkDevice, const VkPipelineCacheCreateInfo*,
                               const VkAllocationCallbacks*, VkPipelineCache* cache) {
  return createObject<PipelineCache>(cache);
}

void vkDestroyPipelineCache(VkDevice, VkPipelineCache cache, const VkAllocationCallbacks*) {
  destroyObject<PipelineCache>(cache);
}

VkResult vkGetPipelineCacheData(VkDevice device, VkPipelineCache, size_t* size, void* data) {
  const VkPhysicalDeviceProperties& properties =
      Device::from(device)->physical_device.properties.v10.properties;
  VkPipelineCacheHeaderVersionOne header{.headerSize = sizeof header,
                                         .headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE,
                                         .vendorID = properties.vendorID,
                                         .deviceID = properties.deviceID};
  std::memcpy(header.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE);
  if (data == nullptr) {
    *size = sizeof header;
    return VK_SUCCESS;
  }
  if (*size < sizeof header) {
    *size = 0;
    return VK_INCOMPLETE;
  }
  *size = sizeof header;
  std::memcpy(data, &header, sizeof header);
  return VK_SUCCESS;
}

VkResult vkMergePipelineCaches(VkDevice, VkPipelineCache, uint32_t, const VkPipelineCache*) {
  return VK_SUCCESS;
}

}  // namespace icd
