#include "icd/pipeline.h"

#include <algorithm>

#include "icd/chain.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"
#include "runtime/clock.h"

namespace icd {
namespace {

VkResult createComputePipeline(Device& device, const VkComputePipelineCreateInfo& info,
                               VkPipeline* pipeline) {
  // There is no store of compiled code to look into yet, so every pipeline needs compiling.
  if ((info.flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT) != 0) {
    return VK_PIPELINE_COMPILE_REQUIRED;
  }
  const PipelineRequest request(device, info);
  auto program =
      compile("vkCreateComputePipelines", device, request, *PipelineLayout::from(info.layout));
  if (auto* failure = std::get_if<VkResult>(&program)) return *failure;
  return createObject<Pipeline>(pipeline, std::get<Program>(std::move(program)));
}

// VkPipelineCreationFeedback: valid, how long it took, and no hit in any cache.
void giveFeedback(const VkComputePipelineCreateInfo& info, uint64_t nanoseconds) {
  auto* feedback = findInChain<VkPipelineCreationFeedbackCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
  if (feedback == nullptr) return;
  VkPipelineCreationFeedback result{.flags = VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT,
                                    .duration = nanoseconds};
  *feedback->pPipelineCreationFeedback = result;
  std::fill_n(feedback->pPipelineStageCreationFeedbacks,
              feedback->pipelineStageCreationFeedbackCount, result);
}

}  // namespace

VkResult vkCreateComputePipelines(VkDevice device, VkPipelineCache, uint32_t count,
                                  const VkComputePipelineCreateInfo* infos,
                                  const VkAllocationCallbacks*, VkPipeline* pipelines) {
  std::fill_n(pipelines, count, VkPipeline{VK_NULL_HANDLE});
  VkResult first_failure = VK_SUCCESS;
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t start = rt::now();
    VkResult result;
    try {
      result = createComputePipeline(*Device::from(device), infos[i], &pipelines[i]);
    } catch (const std::bad_alloc&) {  // the others are still made
      result = failCommand<VkResult>("vkCreateComputePipelines", "out of host memory",
                                     VK_ERROR_OUT_OF_HOST_MEMORY, device);
    }
    giveFeedback(infos[i], rt::now() - start);
    if (result == VK_SUCCESS) continue;
    // An error matters more than a pipeline that was not made because it needs compiling.
    if (first_failure == VK_SUCCESS || (first_failure > 0 && result < 0)) first_failure = result;
    if ((infos[i].flags & VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT) != 0) break;
  }
  return first_failure;
}

void vkDestroyPipeline(VkDevice, VkPipeline pipeline, const VkAllocationCallbacks*) {
  destroyObject<Pipeline>(pipeline);
}

}  // namespace icd
