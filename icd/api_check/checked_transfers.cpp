// SPDX-License-Identifier: Apache-2.0

// Transfers, events and queries in command buffers, under the check of the API.
#include <span>

#include "icd/api_check/api_check.h"
#include "icd/api_check/checked.h"
#include "icd/entrypoints.h"

namespace icd::checked {

namespace {

void useEvent(VkCommandBuffer buffer, const char* command, std::span<const VkEvent> events) {
  ApiCheck& check = apiCheckOf(buffer);
  check.with([&](Findings&) {
    for (VkEvent event : events) check.use(buffer, command, VK_OBJECT_TYPE_EVENT, numberOf(event));
  });
}

void useQueries(VkCommandBuffer buffer, const char* command, VkQueryPool pool) {
  ApiCheck& check = apiCheckOf(buffer);
  check.with(
      [&](Findings&) { check.use(buffer, command, VK_OBJECT_TYPE_QUERY_POOL, numberOf(pool)); });
}

// By addresses: what they lead to is not known.
void writesAnywhere(VkCommandBuffer buffer) {
  ApiCheck& check = apiCheckOf(buffer);
  check.with([&](Findings&) { check.recordingOf(buffer).writes_anywhere = true; });
}

// A program may wait for it in memory.
void tellsEnd(VkCommandBuffer buffer) {
  ApiCheck& check = apiCheckOf(buffer);
  check.with([&](Findings&) { check.recordingOf(buffer).tells_its_end = true; });
}

}  // namespace

void vkCmdCopyBuffer(VkCommandBuffer buffer, VkBuffer source, VkBuffer destination, uint32_t count,
                     const VkBufferCopy* regions) {
  constexpr const char* kName = "vkCmdCopyBuffer";
  ApiCheck& check = apiCheckOf(buffer);
  for (const VkBufferCopy& region : std::span(regions, count)) {
    check.accessBuffer(buffer, kName, source, region.srcOffset, region.size, false);
    check.accessBuffer(buffer, kName, destination, region.dstOffset, region.size, true);
  }
  icd::vkCmdCopyBuffer(buffer, source, destination, count, regions);
}

void vkCmdCopyBuffer2(VkCommandBuffer buffer, const VkCopyBufferInfo2* info) {
  constexpr const char* kName = "vkCmdCopyBuffer2";
  ApiCheck& check = apiCheckOf(buffer);
  for (const VkBufferCopy2& region : std::span(info->pRegions, info->regionCount)) {
    check.accessBuffer(buffer, kName, info->srcBuffer, region.srcOffset, region.size, false);
    check.accessBuffer(buffer, kName, info->dstBuffer, region.dstOffset, region.size, true);
  }
  icd::vkCmdCopyBuffer2(buffer, info);
}

void vkCmdUpdateBuffer(VkCommandBuffer buffer, VkBuffer destination, VkDeviceSize offset,
                       VkDeviceSize size, const void* data) {
  apiCheckOf(buffer).accessBuffer(buffer, "vkCmdUpdateBuffer", destination, offset, size, true);
  icd::vkCmdUpdateBuffer(buffer, destination, offset, size, data);
}

void vkCmdFillBuffer(VkCommandBuffer buffer, VkBuffer destination, VkDeviceSize offset,
                     VkDeviceSize size, uint32_t value) {
  apiCheckOf(buffer).accessBuffer(buffer, "vkCmdFillBuffer", destination, offset, size, true);
  icd::vkCmdFillBuffer(buffer, destination, offset, size, value);
}

void vkCmdCopyMemoryKHR(VkCommandBuffer buffer, const VkCopyDeviceMemoryInfoKHR* info) {
  writesAnywhere(buffer);
  icd::vkCmdCopyMemoryKHR(buffer, info);
}

void vkCmdUpdateMemoryKHR(VkCommandBuffer buffer, const VkDeviceAddressRangeKHR* range,
                          VkAddressCommandFlagsKHR flags, VkDeviceSize size, const void* data) {
  writesAnywhere(buffer);
  icd::vkCmdUpdateMemoryKHR(buffer, range, flags, size, data);
}

void vkCmdFillMemoryKHR(VkCommandBuffer buffer, const VkDeviceAddressRangeKHR* range,
                        VkAddressCommandFlagsKHR flags, uint32_t value) {
  writesAnywhere(buffer);
  icd::vkCmdFillMemoryKHR(buffer, range, flags, value);
}

void vkCmdCopyMemoryIndirectKHR(VkCommandBuffer buffer, const VkCopyMemoryIndirectInfoKHR* info) {
  writesAnywhere(buffer);
  icd::vkCmdCopyMemoryIndirectKHR(buffer, info);
}

void vkCmdWriteBufferMarkerAMD(VkCommandBuffer buffer, VkPipelineStageFlagBits stage,
                               VkBuffer destination, VkDeviceSize offset, uint32_t marker) {
  tellsEnd(buffer);
  apiCheckOf(buffer).accessBuffer(buffer, "vkCmdWriteBufferMarkerAMD", destination, offset,
                                  sizeof marker, true);
  icd::vkCmdWriteBufferMarkerAMD(buffer, stage, destination, offset, marker);
}

void vkCmdWriteBufferMarker2AMD(VkCommandBuffer buffer, VkPipelineStageFlags2 stage,
                                VkBuffer destination, VkDeviceSize offset, uint32_t marker) {
  tellsEnd(buffer);
  apiCheckOf(buffer).accessBuffer(buffer, "vkCmdWriteBufferMarker2AMD", destination, offset,
                                  sizeof marker, true);
  icd::vkCmdWriteBufferMarker2AMD(buffer, stage, destination, offset, marker);
}

void vkCmdWriteMarkerToMemoryAMD(VkCommandBuffer buffer, const VkMemoryMarkerInfoAMD* info) {
  tellsEnd(buffer);
  writesAnywhere(buffer);
  icd::vkCmdWriteMarkerToMemoryAMD(buffer, info);
}

void vkCmdSetEvent(VkCommandBuffer buffer, VkEvent event, VkPipelineStageFlags stages) {
  useEvent(buffer, "vkCmdSetEvent", {&event, 1});
  icd::vkCmdSetEvent(buffer, event, stages);
}

void vkCmdSetEvent2(VkCommandBuffer buffer, VkEvent event, const VkDependencyInfo* dependency) {
  useEvent(buffer, "vkCmdSetEvent2", {&event, 1});
  icd::vkCmdSetEvent2(buffer, event, dependency);
}

void vkCmdResetEvent(VkCommandBuffer buffer, VkEvent event, VkPipelineStageFlags stages) {
  useEvent(buffer, "vkCmdResetEvent", {&event, 1});
  icd::vkCmdResetEvent(buffer, event, stages);
}

void vkCmdResetEvent2(VkCommandBuffer buffer, VkEvent event, VkPipelineStageFlags2 stages) {
  useEvent(buffer, "vkCmdResetEvent2", {&event, 1});
  icd::vkCmdResetEvent2(buffer, event, stages);
}

void vkCmdWaitEvents(VkCommandBuffer buffer, uint32_t count, const VkEvent* events,
                     VkPipelineStageFlags from, VkPipelineStageFlags to, uint32_t memory_count,
                     const VkMemoryBarrier* memory, uint32_t buffer_count,
                     const VkBufferMemoryBarrier* buffers, uint32_t image_count,
                     const VkImageMemoryBarrier* images) {
  useEvent(buffer, "vkCmdWaitEvents", {events, count});
  icd::vkCmdWaitEvents(buffer, count, events, from, to, memory_count, memory, buffer_count, buffers,
                       image_count, images);
}

void vkCmdWaitEvents2(VkCommandBuffer buffer, uint32_t count, const VkEvent* events,
                      const VkDependencyInfo* dependencies) {
  useEvent(buffer, "vkCmdWaitEvents2", {events, count});
  icd::vkCmdWaitEvents2(buffer, count, events, dependencies);
}

void vkCmdBeginQuery(VkCommandBuffer buffer, VkQueryPool pool, uint32_t query,
                     VkQueryControlFlags flags) {
  useQueries(buffer, "vkCmdBeginQuery", pool);
  icd::vkCmdBeginQuery(buffer, pool, query, flags);
}

void vkCmdEndQuery(VkCommandBuffer buffer, VkQueryPool pool, uint32_t query) {
  useQueries(buffer, "vkCmdEndQuery", pool);
  icd::vkCmdEndQuery(buffer, pool, query);
}

void vkCmdResetQueryPool(VkCommandBuffer buffer, VkQueryPool pool, uint32_t first, uint32_t count) {
  useQueries(buffer, "vkCmdResetQueryPool", pool);
  icd::vkCmdResetQueryPool(buffer, pool, first, count);
}

void vkCmdWriteTimestamp(VkCommandBuffer buffer, VkPipelineStageFlagBits stage, VkQueryPool pool,
                         uint32_t query) {
  useQueries(buffer, "vkCmdWriteTimestamp", pool);
  icd::vkCmdWriteTimestamp(buffer, stage, pool, query);
}

void vkCmdWriteTimestamp2(VkCommandBuffer buffer, VkPipelineStageFlags2 stage, VkQueryPool pool,
                          uint32_t query) {
  useQueries(buffer, "vkCmdWriteTimestamp2", pool);
  icd::vkCmdWriteTimestamp2(buffer, stage, pool, query);
}

void vkCmdCopyQueryPoolResults(VkCommandBuffer buffer, VkQueryPool pool, uint32_t first,
                               uint32_t count, VkBuffer destination, VkDeviceSize offset,
                               VkDeviceSize stride, VkQueryResultFlags flags) {
  constexpr const char* kName = "vkCmdCopyQueryPoolResults";
  useQueries(buffer, kName, pool);
  if (count != 0)
    apiCheckOf(buffer).accessBuffer(buffer, kName, destination, offset,
                                    stride * (count - 1) + sizeof(uint32_t), true);
  icd::vkCmdCopyQueryPoolResults(buffer, pool, first, count, destination, offset, stride, flags);
}

void vkCmdCopyQueryPoolResultsToMemoryKHR(VkCommandBuffer buffer, VkQueryPool pool, uint32_t first,
                                          uint32_t count,
                                          const VkStridedDeviceAddressRangeKHR* range,
                                          VkAddressCommandFlagsKHR address_flags,
                                          VkQueryResultFlags flags) {
  useQueries(buffer, "vkCmdCopyQueryPoolResultsToMemoryKHR", pool);
  writesAnywhere(buffer);
  icd::vkCmdCopyQueryPoolResultsToMemoryKHR(buffer, pool, first, count, range, address_flags,
                                            flags);
}

}  // namespace icd::checked
