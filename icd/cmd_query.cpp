// Timestamps in command buffers.
#include "icd/command_buffer.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"
#include "icd/query_pool.h"

namespace icd {
namespace {

// Commands take effect one after the other, so every stage of what came before has ended.
void writeTimestamp(VkCommandBuffer buffer, VkQueryPool pool, uint32_t query) {
  CommandBuffer::from(buffer)->record(
      rt::WriteTimestamp{.pool = QueryPool::from(pool)->queries, .query = query});
}

}  // namespace

void vkCmdBeginQuery(VkCommandBuffer buffer, VkQueryPool, uint32_t, VkQueryControlFlags) {
  failCommand<void>("vkCmdBeginQuery", "this device has timestamp queries only",
                    VK_ERROR_FEATURE_NOT_PRESENT, buffer);
}

void vkCmdEndQuery(VkCommandBuffer buffer, VkQueryPool, uint32_t) {
  failCommand<void>("vkCmdEndQuery", "this device has timestamp queries only",
                    VK_ERROR_FEATURE_NOT_PRESENT, buffer);
}

void vkCmdResetQueryPool(VkCommandBuffer buffer, VkQueryPool pool, uint32_t first, uint32_t count) {
  CommandBuffer::from(buffer)->record(
      rt::ResetQueries{.pool = QueryPool::from(pool)->queries, .first = first, .count = count});
}

void vkCmdWriteTimestamp(VkCommandBuffer buffer, VkPipelineStageFlagBits, VkQueryPool pool,
                         uint32_t query) {
  writeTimestamp(buffer, pool, query);
}

void vkCmdWriteTimestamp2(VkCommandBuffer buffer, VkPipelineStageFlags2, VkQueryPool pool,
                          uint32_t query) {
  writeTimestamp(buffer, pool, query);
}

void vkCmdCopyQueryPoolResults(VkCommandBuffer handle, VkQueryPool pool, uint32_t first,
                               uint32_t count, VkBuffer destination, VkDeviceSize offset,
                               VkDeviceSize stride, VkQueryResultFlags flags) {
  if (count == 0) return;
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  rt::QueryResultFormat format = resultFormat(flags);
  VkDeviceSize result_bytes = (format.wide ? 8 : 4) * (format.with_availability ? 2 : 1);
  std::byte* to = buffer.resolve("vkCmdCopyQueryPoolResults", destination, offset,
                                 stride * (count - 1) + result_bytes);
  if (to == nullptr) return;
  buffer.record(rt::CopyQueryResults{.pool = QueryPool::from(pool)->queries,
                                     .first = first,
                                     .count = count,
                                     .destination = to,
                                     .stride = stride,
                                     .format = format});
}

}  // namespace icd
