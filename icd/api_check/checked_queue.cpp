// SPDX-License-Identifier: Apache-2.0

// Submissions, and how a program hears of their end, under the check of the API.
#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "icd/api_check/api_check.h"
#include "icd/api_check/checked.h"
#include "icd/chain.h"
#include "icd/entrypoints.h"
#include "icd/fence.h"
#include "icd/semaphore.h"

namespace icd::checked {

namespace {

ApiCheck::Batch batchOf(const VkSubmitInfo& info) {
  ApiCheck::Batch batch;
  batch.buffers.assign(info.pCommandBuffers, info.pCommandBuffers + info.commandBufferCount);
  batch.waits.assign(info.pWaitSemaphores, info.pWaitSemaphores + info.waitSemaphoreCount);
  auto* values = findInChain<VkTimelineSemaphoreSubmitInfo>(
      info.pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  for (uint32_t i = 0; i < info.signalSemaphoreCount; ++i) {
    const bool has_value = values != nullptr && i < values->signalSemaphoreValueCount;
    batch.signals.emplace_back(info.pSignalSemaphores[i],
                               has_value ? values->pSignalSemaphoreValues[i] : 0);
  }
  return batch;
}

ApiCheck::Batch batchOf(const VkSubmitInfo2& info) {
  ApiCheck::Batch batch;
  for (const auto& one : std::span(info.pCommandBufferInfos, info.commandBufferInfoCount))
    batch.buffers.push_back(one.commandBuffer);
  for (const auto& one : std::span(info.pWaitSemaphoreInfos, info.waitSemaphoreInfoCount))
    batch.waits.push_back(one.semaphore);
  for (const auto& one : std::span(info.pSignalSemaphoreInfos, info.signalSemaphoreInfoCount))
    batch.signals.emplace_back(one.semaphore, one.value);
  return batch;
}

// A submission with those of its command buffers that can be run.
struct UsableSubmit {
  VkSubmitInfo info;
  std::vector<VkCommandBuffer> kept;

  UsableSubmit(const VkSubmitInfo& from, std::vector<VkCommandBuffer> usable)
      : info(from), kept(std::move(usable)) {
    info.commandBufferCount = static_cast<uint32_t>(kept.size());
    info.pCommandBuffers = kept.data();
  }
};

struct UsableSubmit2 {
  VkSubmitInfo2 info;
  std::vector<VkCommandBufferSubmitInfo> kept;

  UsableSubmit2(const VkSubmitInfo2& from, const std::vector<VkCommandBuffer>& usable)
      : info(from) {
    for (const auto& one : std::span(from.pCommandBufferInfos, from.commandBufferInfoCount))
      if (std::ranges::find(usable, one.commandBuffer) != usable.end()) kept.push_back(one);
    info.commandBufferInfoCount = static_cast<uint32_t>(kept.size());
    info.pCommandBufferInfos = kept.data();
  }
};

// What is gone may be accessed no more: command buffers that refer to it are left out, and all else
// of the submission is done, so that nobody waits for ever.
template <typename Usable, typename SubmitInfo, typename Submit>
VkResult submitChecked(const char* command, VkQueue queue, std::span<const SubmitInfo> infos,
                       VkFence fence, Submit submit) {
  ApiCheck& check = apiCheckOf(queue);
  VkResult result = VK_SUCCESS;
  check.with([&](Findings& found) {
    if (fence != VK_NULL_HANDLE)
      check.expectUnused(
          {command, std::is_same_v<SubmitInfo, VkSubmitInfo2> ? "VUID-vkQueueSubmit2-fence-04895"
                                                              : "VUID-vkQueueSubmit-fence-00064"},
          VK_OBJECT_TYPE_FENCE, numberOf(fence), found);
    std::vector<ApiCheck::Batch> batches;
    std::vector<Usable> usable;
    usable.reserve(infos.size());
    std::vector<SubmitInfo> submitted;
    for (const SubmitInfo& info : infos) {
      ApiCheck::Batch& batch = batches.emplace_back(batchOf(info));
      std::erase_if(batch.buffers, [&](VkCommandBuffer buffer) {
        return !check.expectUsable(command, buffer, found);
      });
      submitted.push_back(usable.emplace_back(info, batch.buffers).info);
    }
    if (fence != VK_NULL_HANDLE) {
      if (batches.empty()) batches.emplace_back();
      batches.back().fence = fence;
    }
    const uint64_t first = check.objects().next();
    for (size_t k = 0; k < batches.size(); ++k) check.watch(batches[k], first + k);
    result = submit(submitted);
    if (result != VK_SUCCESS) return check.hostWatch().cancel(first);
    for (const ApiCheck::Batch& batch : batches) check.submitted(command, batch);
  });
  check.discard();
  return result;
}

// After what tells that all submissions up to `number` have ended, or that the device is lost.
VkResult learnUpTo(VkDevice device, uint64_t number, VkResult result) {
  ApiCheck& check = apiCheckOf(device);
  if (result == VK_SUCCESS) check.with([&](Findings&) { check.objects().learn(number); });
  check.discard();
  return result;
}

// The program is about to wait, or to ask for something, that comes with submissions.
uint64_t releaseAll(ApiCheck& check) {
  uint64_t last = 0;
  check.with([&](Findings&) { last = check.objects().next() - 1; });
  check.hostWatch().release(last);
  return last;
}

// Of what says that some commands have ended, and is handed out by commands of its own or to
// others.
void mayLearn(VkDevice device) {
  ApiCheck& check = apiCheckOf(device);
  check.with([&](Findings&) { check.objects().mayLearnAll(); });
}

}  // namespace

VkResult vkQueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos, VkFence fence) {
  return submitChecked<UsableSubmit, VkSubmitInfo>(
      "vkQueueSubmit", queue, {infos, count}, fence, [&](std::span<const VkSubmitInfo> all) {
        return icd::vkQueueSubmit(queue, static_cast<uint32_t>(all.size()), all.data(), fence);
      });
}

VkResult vkQueueSubmit2(VkQueue queue, uint32_t count, const VkSubmitInfo2* infos, VkFence fence) {
  return submitChecked<UsableSubmit2, VkSubmitInfo2>(
      "vkQueueSubmit2", queue, {infos, count}, fence, [&](std::span<const VkSubmitInfo2> all) {
        return icd::vkQueueSubmit2(queue, static_cast<uint32_t>(all.size()), all.data(), fence);
      });
}

VkResult vkQueueWaitIdle(VkQueue queue) {
  VkDevice device = Queue::from(queue)->device.handle();
  const uint64_t last = releaseAll(apiCheckOf(queue));
  return learnUpTo(device, last, icd::vkQueueWaitIdle(queue));
}

VkResult vkDeviceWaitIdle(VkDevice device) {
  const uint64_t last = releaseAll(apiCheckOf(device));
  return learnUpTo(device, last, icd::vkDeviceWaitIdle(device));
}

VkResult vkWaitForFences(VkDevice device, uint32_t count, const VkFence* fences, VkBool32 all,
                         uint64_t timeout) {
  ApiCheck& check = apiCheckOf(device);
  releaseAll(check);
  const VkResult result = icd::vkWaitForFences(device, count, fences, all, timeout);
  if (result != VK_SUCCESS) return result;
  check.with([&](Findings&) {
    for (VkFence fence : std::span(fences, count))
      if (all != VK_FALSE || Fence::from(fence)->event().isSet()) check.learnFence(fence);
  });
  check.discard();
  return result;
}

VkResult vkGetFenceStatus(VkDevice device, VkFence fence) {
  ApiCheck& check = apiCheckOf(device);
  releaseAll(check);
  const VkResult result = icd::vkGetFenceStatus(device, fence);
  if (result == VK_SUCCESS) check.with([&](Findings&) { check.learnFence(fence); });
  return result;
}

VkResult vkWaitSemaphores(VkDevice device, const VkSemaphoreWaitInfo* info, uint64_t timeout) {
  ApiCheck& check = apiCheckOf(device);
  releaseAll(check);
  const VkResult result = icd::vkWaitSemaphores(device, info, timeout);
  if (result != VK_SUCCESS) return result;
  check.with([&](Findings&) {
    for (uint32_t i = 0; i < info->semaphoreCount; ++i) {
      const bool is_reached =
          Semaphore::from(info->pSemaphores[i])->timeline()->value() >= info->pValues[i];
      if (is_reached) check.learnSemaphore(info->pSemaphores[i], info->pValues[i]);
    }
  });
  check.discard();
  return result;
}

VkResult vkGetSemaphoreCounterValue(VkDevice device, VkSemaphore semaphore, uint64_t* value) {
  ApiCheck& check = apiCheckOf(device);
  releaseAll(check);
  const VkResult result = icd::vkGetSemaphoreCounterValue(device, semaphore, value);
  if (result == VK_SUCCESS) check.with([&](Findings&) { check.learnSemaphore(semaphore, *value); });
  return result;
}

// What the host did before is ordered before what waits for it.
VkResult vkSignalSemaphore(VkDevice device, const VkSemaphoreSignalInfo* info) {
  apiCheckOf(device).hostWatch().refresh();
  return icd::vkSignalSemaphore(device, info);
}

VkResult vkSetEvent(VkDevice device, VkEvent event) {
  apiCheckOf(device).hostWatch().refresh();
  return icd::vkSetEvent(device, event);
}

VkResult vkGetEventStatus(VkDevice device, VkEvent event) {
  releaseAll(apiCheckOf(device));
  const VkResult result = icd::vkGetEventStatus(device, event);
  if (result == VK_EVENT_SET) mayLearn(device);
  return result;
}

VkResult vkGetQueryPoolResults(VkDevice device, VkQueryPool pool, uint32_t first, uint32_t count,
                               size_t size, void* data, VkDeviceSize stride,
                               VkQueryResultFlags flags) {
  releaseAll(apiCheckOf(device));
  const VkResult result =
      icd::vkGetQueryPoolResults(device, pool, first, count, size, data, stride, flags);
  if (result == VK_SUCCESS) mayLearn(device);
  return result;
}

VkResult vkGetFenceFdKHR(VkDevice device, const VkFenceGetFdInfoKHR* info, int* descriptor) {
  releaseAll(apiCheckOf(device));
  const VkResult result = icd::vkGetFenceFdKHR(device, info, descriptor);
  mayLearn(device);
  return result;
}

VkResult vkGetSemaphoreFdKHR(VkDevice device, const VkSemaphoreGetFdInfoKHR* info,
                             int* descriptor) {
  releaseAll(apiCheckOf(device));
  const VkResult result = icd::vkGetSemaphoreFdKHR(device, info, descriptor);
  mayLearn(device);
  return result;
}

}  // namespace icd::checked
