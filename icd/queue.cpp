// SPDX-License-Identifier: Apache-2.0

#include "icd/queue.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "icd/chain.h"
#include "icd/command_buffer.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/fence.h"
#include "icd/guarded.h"
#include "icd/semaphore.h"
#include "icd/wait.h"
#include "runtime/queue.h"

namespace icd {
namespace {

// Values of timeline semaphores beside a VkSubmitInfo's arrays; absent or short arrays read 0,
// which binary semaphores ignore.
uint64_t valueAt(const uint64_t* values, uint32_t count, uint32_t index) {
  return values != nullptr && index < count ? values[index] : 0;
}

rt::Submission submissionOf(const VkSubmitInfo& info) {
  auto* timeline = findInChain<VkTimelineSemaphoreSubmitInfo>(
      info.pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  const VkTimelineSemaphoreSubmitInfo none{};
  const VkTimelineSemaphoreSubmitInfo& values = timeline != nullptr ? *timeline : none;
  rt::Submission submission;
  for (uint32_t i = 0; i < info.waitSemaphoreCount; ++i) {
    uint64_t value = valueAt(values.pWaitSemaphoreValues, values.waitSemaphoreValueCount, i);
    submission.waits.push_back(Semaphore::from(info.pWaitSemaphores[i])->waitPoint(value));
  }
  for (uint32_t i = 0; i < info.commandBufferCount; ++i) {
    submission.lists.push_back(CommandBuffer::from(info.pCommandBuffers[i])->list());
  }
  for (uint32_t i = 0; i < info.signalSemaphoreCount; ++i) {
    uint64_t value = valueAt(values.pSignalSemaphoreValues, values.signalSemaphoreValueCount, i);
    submission.signals.push_back(Semaphore::from(info.pSignalSemaphores[i])->signalPoint(value));
  }
  return submission;
}

rt::Submission submissionOf(const VkSubmitInfo2& info) {
  rt::Submission submission;
  for (uint32_t i = 0; i < info.waitSemaphoreInfoCount; ++i) {
    const VkSemaphoreSubmitInfo& wait = info.pWaitSemaphoreInfos[i];
    submission.waits.push_back(Semaphore::from(wait.semaphore)->waitPoint(wait.value));
  }
  for (uint32_t i = 0; i < info.commandBufferInfoCount; ++i) {
    VkCommandBuffer buffer = info.pCommandBufferInfos[i].commandBuffer;
    submission.lists.push_back(CommandBuffer::from(buffer)->list());
  }
  for (uint32_t i = 0; i < info.signalSemaphoreInfoCount; ++i) {
    const VkSemaphoreSubmitInfo& signal = info.pSignalSemaphoreInfos[i];
    submission.signals.push_back(Semaphore::from(signal.semaphore)->signalPoint(signal.value));
  }
  return submission;
}

bool areExecutable(const VkSubmitInfo& info) {
  return std::ranges::all_of(
      std::span(info.pCommandBuffers, info.commandBufferCount),
      [](VkCommandBuffer buffer) { return CommandBuffer::from(buffer)->isExecutable(); });
}

bool areExecutable(const VkSubmitInfo2& info) {
  return std::ranges::all_of(std::span(info.pCommandBufferInfos, info.commandBufferInfoCount),
                             [](const VkCommandBufferSubmitInfo& buffer) {
                               return CommandBuffer::from(buffer.commandBuffer)->isExecutable();
                             });
}

void addNames(const VkSubmitInfo& info, std::vector<std::string>& names) {
  for (VkCommandBuffer buffer : std::span(info.pCommandBuffers, info.commandBufferCount))
    names.push_back(CommandBuffer::from(buffer)->name);
}

void addNames(const VkSubmitInfo2& info, std::vector<std::string>& names) {
  for (const auto& buffer : std::span(info.pCommandBufferInfos, info.commandBufferInfoCount))
    names.push_back(CommandBuffer::from(buffer.commandBuffer)->name);
}

// For the timeline: how the command buffers are called, and arrows to where they run. A submission
// without an info is the fence's.
template <class SubmitInfo>
void describe(std::vector<rt::Submission>& submissions, rt::Trace& trace, rt::TraceSpan& span,
              const SubmitInfo* infos) {
  std::vector<std::string> all;
  for (size_t k = 0; k < submissions.size(); ++k) {
    rt::Submission& submission = submissions[k];
    if (!submission.lists.empty()) addNames(infos[k], submission.names);
    submission.arrow = trace.beginArrow(rt::TraceTrack::Application, "submission");
    all.insert(all.end(), submission.names.begin(), submission.names.end());
  }
  span.add("batches", uint64_t{submissions.size()});
  if (std::ranges::any_of(all, [](const std::string& name) { return !name.empty(); }))
    span.add("command buffers", std::span<const std::string>(all));
}

template <class SubmitInfo>
VkResult submit(const char* command, VkQueue queue, uint32_t count, const SubmitInfo* infos,
                VkFence fence) {
  Device& device = Queue::from(queue)->device;
  if (!device.runtime.isHere()) return VK_ERROR_DEVICE_LOST;
  // What is still being recorded would change while it runs.
  if (!std::all_of(infos, infos + count, [](const auto& info) { return areExecutable(info); })) {
    return failCommand<VkResult>(command, "a command buffer is not in the executable state",
                                 VK_ERROR_UNKNOWN, queue);
  }
  std::vector<rt::Submission> submissions;
  submissions.reserve(count + 1);
  for (uint32_t i = 0; i < count; ++i) submissions.push_back(submissionOf(infos[i]));
  if (fence != VK_NULL_HANDLE) {
    // Without work of its own, the fence follows everything submitted before.
    if (submissions.empty()) submissions.emplace_back();
    submissions.back().signals.push_back(Fence::from(fence)->event().point());
  }
  rt::TraceSpan span(device.trace.get(), rt::TraceTrack::Application, "api", command);
  if (device.trace != nullptr) describe(submissions, *device.trace, span, infos);
  if (!submissions.empty()) device.runtime.queue().submit(std::move(submissions));
  return device.status();
}

VkResult waitIdle(const char* command, Device& device) {
  if (device.status() != VK_SUCCESS) return VK_ERROR_DEVICE_LOST;
  const rt::TimelinePoint idle[] = {device.runtime.queue().idlePoint()};
  return waitFor(command, device, idle, rt::WaitMode::All, UINT64_MAX);
}

}  // namespace

rt::Log* logOf(VkQueue queue) {
  return queue != nullptr ? &Queue::from(queue)->device.log() : nullptr;
}

VkResult vkQueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos, VkFence fence) {
  return submit("vkQueueSubmit", queue, count, infos, fence);
}

VkResult vkQueueSubmit2(VkQueue queue, uint32_t count, const VkSubmitInfo2* infos, VkFence fence) {
  return submit("vkQueueSubmit2", queue, count, infos, fence);
}

VkResult vkQueueWaitIdle(VkQueue queue) {
  return waitIdle("vkQueueWaitIdle", Queue::from(queue)->device);
}

VkResult vkDeviceWaitIdle(VkDevice device) {
  return waitIdle("vkDeviceWaitIdle", *Device::from(device));
}

VkResult vkQueueBindSparse(VkQueue queue, uint32_t, const VkBindSparseInfo*, VkFence) {
  return failCommand<VkResult>("vkQueueBindSparse", "this device has no sparse memory",
                               VK_ERROR_FEATURE_NOT_PRESENT, queue);
}

}  // namespace icd
