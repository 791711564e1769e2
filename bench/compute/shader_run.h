// SPDX-License-Identifier: Apache-2.0

// A compute shader with its storage buffers, ready to be dispatched again and again.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/vulkan_host.h"

namespace bench {

struct ShaderDescription {
  std::string name;
  std::string glsl;
  std::vector<std::pair<std::string, std::string>> defines;
  std::vector<uint64_t> buffers;  // bytes of the storage buffers at bindings 0, 1, ...
  std::vector<uint32_t> push_constants;
  uint32_t workgroups = 1;
  uint32_t dispatches = 1;  // with a barrier after each
  bool robust = false;      // the pipeline asks for robust access
  uint32_t workgroups_y = 1, workgroups_z = 1;
  uint32_t subgroup_size = 0;   // 0: the device's own
  std::vector<uint32_t> spirv;  // instead of the text
  // Instead of buffers of its own.
  std::vector<std::shared_ptr<host::Buffer>> shared_buffers = {};
};

class ShaderRun {
 public:
  ShaderRun(const host::Device& device, const ShaderDescription& description);

  // The memory of a buffer as elements of T.
  template <typename T>
  std::span<T> buffer(size_t binding) const {
    const std::span<std::byte> memory = buffers_[binding]->memory();
    return {reinterpret_cast<T*>(memory.data()), memory.size() / sizeof(T)};
  }
  // From now on run() makes so many dispatches.
  void record(uint32_t dispatches);
  void run() const;  // all dispatches, submitted and waited for
  // Processor time of all threads that making the pipeline took.
  double compileSeconds() const { return compile_seconds_; }

 private:
  const host::Device& device_;
  const ShaderDescription description_;
  std::unique_ptr<host::ComputePipeline> pipeline_;
  std::vector<std::shared_ptr<host::Buffer>> buffers_;
  std::unique_ptr<host::DescriptorSets> descriptors_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  double compile_seconds_ = 0;
};

}  // namespace bench
