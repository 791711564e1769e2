#include "icd/query_pool.h"

#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"

namespace icd {

rt::QueryResultFormat resultFormat(VkQueryResultFlags flags) {
  return {.wide = (flags & VK_QUERY_RESULT_64_BIT) != 0,
          .wait = (flags & VK_QUERY_RESULT_WAIT_BIT) != 0,
          .with_availability = (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) != 0,
          .partial = (flags & VK_QUERY_RESULT_PARTIAL_BIT) != 0};
}

VkResult vkCreateQueryPool(VkDevice device, const VkQueryPoolCreateInfo* info,
                           const VkAllocationCallbacks*, VkQueryPool* pool) {
  if (info->queryType != VK_QUERY_TYPE_TIMESTAMP) {
    return failCommand<VkResult>("vkCreateQueryPool", "this device has timestamp queries only",
                                 VK_ERROR_FEATURE_NOT_PRESENT, device);
  }
  return createObject<QueryPool>(pool, info->queryCount);
}

void vkDestroyQueryPool(VkDevice, VkQueryPool pool, const VkAllocationCallbacks*) {
  destroyObject<QueryPool>(pool);
}

void vkResetQueryPool(VkDevice, VkQueryPool pool, uint32_t first, uint32_t count) {
  QueryPool::from(pool)->queries->reset(first, count);
}

VkResult vkGetQueryPoolResults(VkDevice device, VkQueryPool pool, uint32_t first, uint32_t count,
                               size_t, void* data, VkDeviceSize stride, VkQueryResultFlags flags) {
  rt::Device& runtime = Device::from(device)->runtime;
  bool complete =
      QueryPool::from(pool)->queries->read(first, count, static_cast<std::byte*>(data), stride,
                                           resultFormat(flags), &runtime.lostSignal());
  if (complete) return VK_SUCCESS;
  return runtime.lost() ? VK_ERROR_DEVICE_LOST : VK_NOT_READY;
}

}  // namespace icd
