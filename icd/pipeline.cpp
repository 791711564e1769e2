// SPDX-License-Identifier: Apache-2.0

#include "icd/pipeline.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "icd/chain.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"
#include "icd/pipeline_binary.h"
#include "runtime/clock.h"
#include "runtime/parallel_calls.h"

namespace icd {
namespace {

constexpr const char* kCommand = "vkCreateComputePipelines";

constexpr VkPipelineCreateFlags2 kCaptureRepresentations =
    VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
constexpr VkPipelineCreateFlags2 kCaptureData = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
constexpr VkPipelineCreateFlags2 kFailOnCompile =
    VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;

VkPipelineCreateFlags2 flagsOf(const VkComputePipelineCreateInfo& info) {
  auto* flags = findInChain<VkPipelineCreateFlags2CreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO);
  return flags != nullptr ? flags->flags : info.flags;
}

std::variant<Program, VkResult> programOf(Device& device, const VkComputePipelineCreateInfo& info,
                                          const PipelineRequest& request,
                                          const PipelineLayout& layout, PipelineCache* cache) {
  const VkPipelineCreateFlags2 flags = flagsOf(info);
  const bool capture = (flags & kCaptureData) != 0;
  auto* binaries =
      findInChain<VkPipelineBinaryInfoKHR>(info.pNext, VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR);
  if (binaries != nullptr && binaries->binaryCount != 0) {
    if (binaries->binaryCount != 1)
      return failCommand<VkResult>(kCommand, "a pipeline has one pipeline binary",
                                   VK_ERROR_INVALID_SHADER_NV, device.handle());
    return loadProgram(kCommand, device, request.kernel().name,
                       PipelineBinary::from(binaries->pPipelineBinaries[0])->kernel, layout,
                       capture);
  }
  return makeProgram(kCommand, device, request, layout,
                     {.cache = cache,
                      .representations = (flags & kCaptureRepresentations) != 0,
                      .capture = capture,
                      .may_compile = (flags & kFailOnCompile) == 0});
}

VkResult createComputePipeline(VkDevice device, const VkComputePipelineCreateInfo& info,
                               PipelineCache* cache, VkPipeline* pipeline) {
  Device& owner = *Device::from(device);
  const PipelineLayout& layout = *PipelineLayout::from(info.layout);
  const PipelineRequest request(owner, info);
  auto program = programOf(owner, info, request, layout, cache);
  if (auto* failure = std::get_if<VkResult>(&program)) return *failure;
  Program& made = std::get<Program>(program);
  made.coverage = owner.coverageFor(request.kernel());
  made.captured_shader = capturedShader(owner, request, layout);
  return createObject<Pipeline>(pipeline, std::move(made));
}

// VkPipelineCreationFeedback: valid, how long it took, and whether the application's cache had it.
void giveFeedback(const VkComputePipelineCreateInfo& info, VkPipeline pipeline,
                  uint64_t nanoseconds) {
  auto* feedback = findInChain<VkPipelineCreationFeedbackCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
  if (feedback == nullptr) return;
  VkPipelineCreationFeedback result{.flags = VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT,
                                    .duration = nanoseconds};
  if (pipeline != VK_NULL_HANDLE && Pipeline::from(pipeline)->origin == CodeOrigin::PipelineCache)
    result.flags |= VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
  *feedback->pPipelineCreationFeedback = result;
  std::fill_n(feedback->pPipelineStageCreationFeedbacks,
              feedback->pipelineStageCreationFeedbackCount, result);
}

}  // namespace

// One thread for each pipeline, as far as the device has processors.
VkResult vkCreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                  const VkComputePipelineCreateInfo* infos,
                                  const VkAllocationCallbacks*, VkPipeline* pipelines) {
  std::fill_n(pipelines, count, VkPipeline{VK_NULL_HANDLE});
  std::vector<VkResult> results(count, VK_SUCCESS);
  rt::TraceSpan span(Device::from(device)->trace.get(), rt::TraceTrack::Application, "api",
                     kCommand);
  span.add("pipelines", uint64_t{count});
  rt::callInParallel(count, Device::from(device)->physical_device.threads, [&](uint32_t i) {
    const uint64_t start = rt::now();
    results[i] = Guarded<&createComputePipeline, "vkCreateComputePipelines">::call(
        device, infos[i], PipelineCache::from(cache), &pipelines[i]);
    giveFeedback(infos[i], pipelines[i], rt::now() - start);
  });
  VkResult first_failure = VK_SUCCESS;
  for (uint32_t i = 0; i < count; ++i) {
    const VkResult result = results[i];
    if (result == VK_SUCCESS) continue;
    // An error matters more than a pipeline that was not made because it needs compiling.
    if (first_failure == VK_SUCCESS || (first_failure > 0 && result < 0)) first_failure = result;
    if ((flagsOf(infos[i]) & VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT) == 0) continue;
    // The application has been promised that none behind this one is made.
    for (VkPipeline& pipeline : std::span(pipelines, count).subspan(i + 1))
      destroyObject<Pipeline>(std::exchange(pipeline, VK_NULL_HANDLE));
    break;
  }
  return first_failure;
}

void vkDestroyPipeline(VkDevice, VkPipeline pipeline, const VkAllocationCallbacks*) {
  destroyObject<Pipeline>(pipeline);
}

}  // namespace icd
