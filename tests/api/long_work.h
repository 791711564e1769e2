// SPDX-License-Identifier: Apache-2.0

// Work of a device that takes as long as a scene wants, and whose results can be checked at any
// time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "tests/support/vulkan_host.h"

namespace api_test {

// For LongWork. Compiled before it, so that no compiler but the driver's runs meanwhile.
std::vector<uint32_t> steppingShader();

// A device whose kernel takes many words some steps further in a random sequence. Throws what
// fails. Used by one thread at a time, but for compile().
class LongWork {
 public:
  explicit LongWork(const std::vector<uint32_t>& shader);

  const host::Device& device() const { return *device_; }
  VkQueue queue() const { return queue_; }
  VkFence fence() const { return fence_; }

  static constexpr uint32_t kWorkgroups = 512;

  // Submits `dispatches` of so many steps each, for all workers: ten thousand steps of all
  // workgroups take in the order of a second. The fence is signalled at their end.
  void submit(uint32_t dispatches, uint32_t steps, uint32_t workgroups = kWorkgroups);
  // Waits for what has been submitted, and requires the results to be right.
  void finish();

  // Makes a pipeline that nobody has made yet, unless the kernel has `number` already.
  void compile(uint32_t number) const;

 private:
  const std::vector<uint32_t> shader_;
  host::Instance instance_;
  std::unique_ptr<host::Device> device_;
  host::ComputePipeline pipeline_;
  host::Buffer words_, steps_;
  host::DescriptorSets sets_;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
  std::array<uint64_t, kWorkgroups> done_{};  // steps of each workgroup
};

}  // namespace api_test
