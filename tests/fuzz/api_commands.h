// SPDX-License-Identifier: Apache-2.0

// Command buffers of one sequence of calls: recorded at random, submitted, waited for.
#pragma once

#include "tests/fuzz/api_objects.h"

namespace fuzz {

class ApiCommands : public ApiObjects {
 public:
  ApiCommands(const api_test::Functions& vk, VkDevice device, uint64_t seed);
  ~ApiCommands();

  // Records a command buffer and submits it, with everything that may come with a submission.
  void recordAndSubmit();
  void finish();  // waits for all of it

 private:
  VkCommandBuffer allocate(VkCommandBufferLevel level);
  // Random commands; those that wait come after what they wait for.
  void record(VkCommandBuffer commands, bool secondary);
  void recordOne(VkCommandBuffer commands);
  void bind(VkCommandBuffer commands);
  // Of a careful recording: a pipeline, and a set for each that it may read.
  void bindMatching(VkCommandBuffer commands);
  void pushConstants(VkCommandBuffer commands, VkPipelineLayout layout);
  void dispatch(VkCommandBuffer commands);
  void transfer(VkCommandBuffer commands);
  void queries(VkCommandBuffer commands);
  void events(VkCommandBuffer commands);
  void submit(VkCommandBuffer commands);

  VkQueue queue_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::vector<VkCommandBuffer> secondaries_;
  VkEvent event_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
  VkSemaphore binary_ = VK_NULL_HANDLE, timeline_ = VK_NULL_HANDLE;
  bool ready_ = false;             // a dispatch would have all that it needs
  bool binary_signalled_ = false;  // or will be by what is submitted
  uint64_t timeline_value_ = 0;    // that it will have
  // The workgroup counts of indirect dispatches: nothing else writes there.
  Buffer counts_{};
  Memory counts_memory_{};
};

}  // namespace fuzz
