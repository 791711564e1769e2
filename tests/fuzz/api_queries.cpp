// SPDX-License-Identifier: Apache-2.0

// Query pools: made, recorded and read.
#include <algorithm>
#include <array>

#include "tests/fuzz/api_commands.h"

namespace fuzz {

void ApiObjects::useQueries() {
  if (const QueryPool* pool = any(query_pools)) {
    std::array<uint64_t, 64> results;
    const auto first = static_cast<uint32_t>(place(8, 1));
    const auto count = static_cast<uint32_t>(extent(8, first, 1));
    vk.vkResetQueryPool(device, pool->handle, first, count);
    // Never a wait for a query that nobody ends.
    const auto flags = static_cast<VkQueryResultFlags>(below(16)) & ~VK_QUERY_RESULT_WAIT_BIT;
    vk.vkGetQueryPoolResults(device, pool->handle, first, std::min(count, 8u),
                             8 * below(results.size() + 1), results.data(), 8 * below(9), flags);
  }
  const VkQueryPoolCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
      .queryType = oneIn(4) ? static_cast<VkQueryType>(below(4)) : VK_QUERY_TYPE_TIMESTAMP,
      .queryCount = oneIn(10) ? 0u : 8u,
      .pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT};
  VkQueryPool pool = VK_NULL_HANDLE;
  if (query_pools.size() < 4 && vk.vkCreateQueryPool(device, &info, nullptr, &pool) == VK_SUCCESS)
    query_pools.push_back({pool, info.queryType, info.queryCount});
}

void ApiCommands::queries(VkCommandBuffer commands) {
  constexpr uint32_t kStride = 16;  // a 64-bit result and whether it is available
  const QueryPool* pool = any(query_pools);
  const Buffer* to = any(buffers);
  if (pool == nullptr || to == nullptr) return;
  if (careful && (pool->count == 0 || !to->bound || to->size < pool->count * kStride)) return;
  const auto first = static_cast<uint32_t>(place(8, 1));
  const auto count = static_cast<uint32_t>(extent(8, first, 1));
  switch (below(4)) {
    case 0:
      return vk.vkCmdResetQueryPool(commands, pool->handle, first, count);
    case 1:
      if (careful && pool->type != VK_QUERY_TYPE_TIMESTAMP) return;
      return vk.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, pool->handle,
                                    first);
    case 2:
      if (careful && pool->type != VK_QUERY_TYPE_PIPELINE_STATISTICS) return;
      vk.vkCmdBeginQuery(commands, pool->handle, first, 0);
      if (oneIn(2)) dispatch(commands);
      return vk.vkCmdEndQuery(commands, pool->handle, mistake(10) ? first + 1 : first);
    default:
      return vk.vkCmdCopyQueryPoolResults(
          commands, pool->handle, first, count, to->handle, careful ? 0 : place(to->size, 8),
          careful ? kStride : 8 * below(9),
          static_cast<VkQueryResultFlags>(below(16)) & ~VK_QUERY_RESULT_WAIT_BIT);
  }
}

}  // namespace fuzz
