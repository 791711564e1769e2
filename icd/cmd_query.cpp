// SPDX-License-Identifier: Apache-2.0

// Queries in command buffers.
#include "icd/command_buffer.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"
#include "icd/query_pool.h"

namespace icd {
namespace {

// The pool, if it has these queries; null, and the recording fails, if not.
QueryPool* resolve(const char* command, VkCommandBuffer buffer, VkQueryPool handle, uint32_t first,
                   uint32_t count) {
  QueryPool* pool = QueryPool::from(handle);
  if (pool != nullptr && pool->has(first, count)) return pool;
  failCommand<void>(command, "the queries are not inside the pool", VK_ERROR_UNKNOWN, buffer);
  return nullptr;
}

// Commands take effect one after the other, so every stage of what came before has ended.
void writeTimestamp(const char* command, VkCommandBuffer buffer, VkQueryPool handle,
                    uint32_t query) {
  QueryPool* pool = resolve(command, buffer, handle, query, 1);
  if (pool == nullptr) return;
  if (pool->type != VK_QUERY_TYPE_TIMESTAMP) {
    failCommand<void>(command, "the pool is not one of timestamps", VK_ERROR_UNKNOWN, buffer);
    return;
  }
  CommandBuffer::from(buffer)->record(rt::WriteTimestamp{.pool = pool->queries, .query = query});
}

// vkCmdBeginQuery and vkCmdEndQuery.
template <class Command>
void count(const char* command, VkCommandBuffer buffer, VkQueryPool handle, uint32_t query) {
  QueryPool* pool = resolve(command, buffer, handle, query, 1);
  if (pool == nullptr) return;
  if (!pool->countsInvocations()) {
    failCommand<void>(command, "this queue counts invocations of compute shaders only",
                      VK_ERROR_FEATURE_NOT_PRESENT, buffer);
    return;
  }
  CommandBuffer::from(buffer)->record(Command{.pool = pool->queries, .query = query});
}

// resolveDestination(buffer, bytes) says where the results go.
template <class Resolve>
void copyResults(const char* command, VkCommandBuffer handle, VkQueryPool queries, uint32_t first,
                 uint32_t count, VkDeviceSize stride, VkQueryResultFlags flags,
                 Resolve resolveDestination) {
  if (count == 0) return;
  QueryPool* pool = resolve(command, handle, queries, first, count);
  if (pool == nullptr) return;
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  rt::QueryResultFormat format = resultFormat(flags);
  const bool overflows = count > 1 && stride > UINT64_MAX / count;
  const VkDeviceSize bytes =
      overflows ? UINT64_MAX : stride * (count - 1) + pool->queries->resultBytes(format);
  std::byte* to = resolveDestination(buffer, bytes);
  if (to == nullptr) return;
  buffer.record(rt::CopyQueryResults{.pool = pool->queries,
                                     .first = first,
                                     .count = count,
                                     .destination = to,
                                     .stride = stride,
                                     .format = format});
}

}  // namespace

void vkCmdBeginQuery(VkCommandBuffer buffer, VkQueryPool pool, uint32_t query,
                     VkQueryControlFlags) {
  count<rt::BeginQuery>("vkCmdBeginQuery", buffer, pool, query);
}

void vkCmdEndQuery(VkCommandBuffer buffer, VkQueryPool pool, uint32_t query) {
  count<rt::EndQuery>("vkCmdEndQuery", buffer, pool, query);
}

void vkCmdResetQueryPool(VkCommandBuffer buffer, VkQueryPool handle, uint32_t first,
                         uint32_t count) {
  QueryPool* pool = resolve("vkCmdResetQueryPool", buffer, handle, first, count);
  if (pool == nullptr) return;
  CommandBuffer::from(buffer)->record(
      rt::ResetQueries{.pool = pool->queries, .first = first, .count = count});
}

void vkCmdWriteTimestamp(VkCommandBuffer buffer, VkPipelineStageFlagBits, VkQueryPool pool,
                         uint32_t query) {
  writeTimestamp("vkCmdWriteTimestamp", buffer, pool, query);
}

void vkCmdWriteTimestamp2(VkCommandBuffer buffer, VkPipelineStageFlags2, VkQueryPool pool,
                          uint32_t query) {
  writeTimestamp("vkCmdWriteTimestamp2", buffer, pool, query);
}

void vkCmdCopyQueryPoolResults(VkCommandBuffer handle, VkQueryPool queries, uint32_t first,
                               uint32_t count, VkBuffer destination, VkDeviceSize offset,
                               VkDeviceSize stride, VkQueryResultFlags flags) {
  constexpr const char* kName = "vkCmdCopyQueryPoolResults";
  copyResults(kName, handle, queries, first, count, stride, flags,
              [&](CommandBuffer& buffer, VkDeviceSize bytes) {
                return buffer.resolve(kName, destination, offset, bytes);
              });
}

void vkCmdCopyQueryPoolResultsToMemoryKHR(VkCommandBuffer handle, VkQueryPool queries,
                                          uint32_t first, uint32_t count,
                                          const VkStridedDeviceAddressRangeKHR* range,
                                          VkAddressCommandFlagsKHR, VkQueryResultFlags flags) {
  constexpr const char* kName = "vkCmdCopyQueryPoolResultsToMemoryKHR";
  copyResults(kName, handle, queries, first, count, range->stride, flags,
              [&](CommandBuffer& buffer, VkDeviceSize bytes) {
                return buffer.resolve(kName, {range->address, range->size}, bytes);
              });
}

}  // namespace icd
