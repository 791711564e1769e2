// SPDX-License-Identifier: Apache-2.0

#include "icd/query_pool.h"

#include <algorithm>
#include <bit>

#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"

namespace icd {
namespace {

VkQueryPipelineStatisticFlags statisticsOf(const VkQueryPoolCreateInfo& info) {
  return info.queryType == VK_QUERY_TYPE_PIPELINE_STATISTICS ? info.pipelineStatistics : 0;
}

// A number for each statistic; other queries have one.
uint32_t numbersOf(const VkQueryPoolCreateInfo& info) {
  return std::max(std::popcount(statisticsOf(info)), 1);
}

constexpr const char* kOutside = "the queries are not inside the pool";

}  // namespace

QueryPool::QueryPool(const VkQueryPoolCreateInfo& info)
    : type(info.queryType),
      statistics(statisticsOf(info)),
      queries(std::make_shared<rt::QueryPool>(info.queryCount, numbersOf(info))) {}

bool QueryPool::has(uint32_t first, uint32_t count) const {
  return first <= queries->count() && count <= queries->count() - first;
}

bool QueryPool::countsInvocations() const {
  return statistics == VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT;
}

rt::QueryResultFormat resultFormat(VkQueryResultFlags flags) {
  return {.wide = (flags & VK_QUERY_RESULT_64_BIT) != 0,
          .wait = (flags & VK_QUERY_RESULT_WAIT_BIT) != 0,
          .with_availability = (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) != 0,
          .partial = (flags & VK_QUERY_RESULT_PARTIAL_BIT) != 0};
}

VkResult vkCreateQueryPool(VkDevice device, const VkQueryPoolCreateInfo* info,
                           const VkAllocationCallbacks*, VkQueryPool* pool) {
  switch (info->queryType) {
    case VK_QUERY_TYPE_TIMESTAMP:
    case VK_QUERY_TYPE_OCCLUSION:
    case VK_QUERY_TYPE_PIPELINE_STATISTICS:
      return createObject<QueryPool>(pool, *info);
    default:
      return failCommand<VkResult>("vkCreateQueryPool", "this device has no queries of that type",
                                   VK_ERROR_FEATURE_NOT_PRESENT, device);
  }
}

void vkDestroyQueryPool(VkDevice, VkQueryPool pool, const VkAllocationCallbacks*) {
  destroyObject<QueryPool>(pool);
}

void vkResetQueryPool(VkDevice device, VkQueryPool handle, uint32_t first, uint32_t count) {
  if (!Device::from(device)->runtime.isHere()) return;
  QueryPool& pool = *QueryPool::from(handle);
  if (pool.has(first, count)) {
    pool.queries->reset(first, count);
  } else {
    failCommand<void>("vkResetQueryPool", kOutside, VK_ERROR_UNKNOWN, device);
  }
}

VkResult vkGetQueryPoolResults(VkDevice device, VkQueryPool handle, uint32_t first, uint32_t count,
                               size_t size, void* data, VkDeviceSize stride,
                               VkQueryResultFlags flags) {
  constexpr const char* kName = "vkGetQueryPoolResults";
  if (!Device::from(device)->runtime.isHere()) return VK_ERROR_DEVICE_LOST;
  QueryPool& pool = *QueryPool::from(handle);
  if (count == 0) return VK_SUCCESS;
  if (!pool.has(first, count)) {
    return failCommand<VkResult>(kName, kOutside, VK_ERROR_UNKNOWN, device);
  }
  const rt::QueryResultFormat format = resultFormat(flags);
  const uint64_t bytes = pool.queries->resultBytes(format);
  if (size < bytes || (count > 1 && stride > (size - bytes) / (count - 1))) {
    return failCommand<VkResult>(kName, "dataSize is less than the results take", VK_ERROR_UNKNOWN,
                                 device);
  }
  rt::Device& runtime = Device::from(device)->runtime;
  bool complete = pool.queries->read(first, count, static_cast<std::byte*>(data), stride, format,
                                     &runtime.lostSignal());
  if (runtime.lost()) return VK_ERROR_DEVICE_LOST;
  return complete ? VK_SUCCESS : VK_NOT_READY;
}

}  // namespace icd
