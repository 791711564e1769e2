// SPDX-License-Identifier: Apache-2.0

// Transfers between buffers, and between device addresses.
#include <cstdint>
#include <span>

#include "icd/buffer.h"
#include "icd/command_buffer.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"

namespace icd {
namespace {

// Region is VkBufferCopy or VkBufferCopy2.
template <class Region>
void copyBuffer(const char* command, VkCommandBuffer handle, VkBuffer source, VkBuffer destination,
                std::span<const Region> regions) {
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  for (const Region& region : regions) {
    std::byte* from = buffer.resolve(command, source, region.srcOffset, region.size);
    std::byte* to = buffer.resolve(command, destination, region.dstOffset, region.size);
    if (from == nullptr || to == nullptr) return;
    buffer.record(rt::CopyBuffer{.destination = to, .source = from, .bytes = region.size});
  }
}

// Nothing if `to` is null, which has been reported.
void recordFill(const char* command, CommandBuffer& buffer, std::byte* to, VkDeviceSize bytes,
                uint32_t value) {
  if (to == nullptr) return;
  if (reinterpret_cast<uintptr_t>(to) % sizeof value != 0 || bytes % sizeof value != 0) {
    return failCommand<void>(command, "the range is not one of whole words", VK_ERROR_UNKNOWN,
                             buffer.handle());
  }
  buffer.record(rt::FillBuffer{.destination = to, .bytes = bytes, .value = value});
}

// What came before has ended, whichever stage was asked for.
void writeMarker(const char* command, VkCommandBuffer handle, VkBuffer destination,
                 VkDeviceSize offset, uint32_t marker) {
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  std::byte* to = buffer.resolve(command, destination, offset, sizeof marker);
  recordFill(command, buffer, to, sizeof marker, marker);
}

}  // namespace

void vkCmdCopyBuffer(VkCommandBuffer buffer, VkBuffer source, VkBuffer destination, uint32_t count,
                     const VkBufferCopy* regions) {
  copyBuffer<VkBufferCopy>("vkCmdCopyBuffer", buffer, source, destination, {regions, count});
}

void vkCmdCopyBuffer2(VkCommandBuffer buffer, const VkCopyBufferInfo2* info) {
  copyBuffer<VkBufferCopy2>("vkCmdCopyBuffer2", buffer, info->srcBuffer, info->dstBuffer,
                            {info->pRegions, info->regionCount});
}

void vkCmdUpdateBuffer(VkCommandBuffer handle, VkBuffer destination, VkDeviceSize offset,
                       VkDeviceSize size, const void* data) {
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  std::byte* to = buffer.resolve("vkCmdUpdateBuffer", destination, offset, size);
  if (to == nullptr) return;
  auto* bytes = static_cast<const std::byte*>(data);
  buffer.record(rt::UpdateBuffer{.destination = to, .data = {bytes, bytes + size}});
}

void vkCmdFillBuffer(VkCommandBuffer handle, VkBuffer destination, VkDeviceSize offset,
                     VkDeviceSize size, uint32_t value) {
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  // VK_WHOLE_SIZE leaves out what is not a whole word at the end.
  VkDeviceSize bytes =
      size == VK_WHOLE_SIZE ? Buffer::from(destination)->clip(offset, VK_WHOLE_SIZE) / 4 * 4 : size;
  std::byte* to = buffer.resolve("vkCmdFillBuffer", destination, offset, bytes);
  recordFill("vkCmdFillBuffer", buffer, to, bytes, value);
}

void vkCmdCopyMemoryKHR(VkCommandBuffer handle, const VkCopyDeviceMemoryInfoKHR* info) {
  constexpr const char* kName = "vkCmdCopyMemoryKHR";
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  for (const VkDeviceMemoryCopyKHR& region : std::span(info->pRegions, info->regionCount)) {
    const VkDeviceSize bytes = region.srcRange.size;
    const std::byte* from = buffer.resolve(kName, region.srcRange, bytes);
    std::byte* to = buffer.resolve(kName, region.dstRange, bytes);
    if (from == nullptr || to == nullptr) return;
    buffer.record(rt::CopyBuffer{.destination = to, .source = from, .bytes = bytes});
  }
}

void vkCmdUpdateMemoryKHR(VkCommandBuffer handle, const VkDeviceAddressRangeKHR* range,
                          VkAddressCommandFlagsKHR, VkDeviceSize size, const void* data) {
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  std::byte* to = buffer.resolve("vkCmdUpdateMemoryKHR", *range, size);
  if (to == nullptr) return;
  auto* bytes = static_cast<const std::byte*>(data);
  buffer.record(rt::UpdateBuffer{.destination = to, .data = {bytes, bytes + size}});
}

void vkCmdFillMemoryKHR(VkCommandBuffer handle, const VkDeviceAddressRangeKHR* range,
                        VkAddressCommandFlagsKHR, uint32_t value) {
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  std::byte* to = buffer.resolve("vkCmdFillMemoryKHR", *range, range->size);
  recordFill("vkCmdFillMemoryKHR", buffer, to, range->size, value);
}

void vkCmdCopyMemoryIndirectKHR(VkCommandBuffer buffer, const VkCopyMemoryIndirectInfoKHR* info) {
  const VkStridedDeviceAddressRangeKHR& range = info->copyAddressRange;
  if (info->copyCount == 0) return;
  if (range.stride < sizeof(VkCopyMemoryIndirectCommandKHR) ||
      info->copyCount > range.size / range.stride) {
    failCommand<void>("vkCmdCopyMemoryIndirectKHR", "the regions are not inside copyAddressRange",
                      VK_ERROR_UNKNOWN, buffer);
    return;
  }
  CommandBuffer::from(buffer)->record(
      rt::CopyMemoryIndirect{.regions = reinterpret_cast<const std::byte*>(range.address),
                             .stride = range.stride,
                             .count = info->copyCount});
}

void vkCmdWriteBufferMarkerAMD(VkCommandBuffer buffer, VkPipelineStageFlagBits,
                               VkBuffer destination, VkDeviceSize offset, uint32_t marker) {
  writeMarker("vkCmdWriteBufferMarkerAMD", buffer, destination, offset, marker);
}

void vkCmdWriteBufferMarker2AMD(VkCommandBuffer buffer, VkPipelineStageFlags2, VkBuffer destination,
                                VkDeviceSize offset, uint32_t marker) {
  writeMarker("vkCmdWriteBufferMarker2AMD", buffer, destination, offset, marker);
}

void vkCmdWriteMarkerToMemoryAMD(VkCommandBuffer handle, const VkMemoryMarkerInfoAMD* info) {
  constexpr const char* kName = "vkCmdWriteMarkerToMemoryAMD";
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  std::byte* to = buffer.resolve(kName, info->dstRange, sizeof info->marker);
  recordFill(kName, buffer, to, sizeof info->marker, info->marker);
}

}  // namespace icd
