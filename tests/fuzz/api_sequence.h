// Random sequences of calls: mostly as the specification wants them, some a little off: sizes and
// offsets beyond the end, indices and flags that do not exist, states that do not fit. Handles are
// always real, since no driver can tell; so is the order of waits and signals, since nothing would
// end otherwise.
#pragma once

#include <cstdint>
#include <string>

#include "tests/support/vulkan_fixture.h"

namespace fuzz {

// A device with robust access to buffers and null descriptors, for any number of sequences.
class ApiDevice {
 public:
  ApiDevice();  // throws std::runtime_error
  ~ApiDevice();
  ApiDevice(const ApiDevice&) = delete;
  ApiDevice& operator=(const ApiDevice&) = delete;

  // Empty, or what was wrong: a valid call that failed, a device that was lost.
  std::string runSequence(uint64_t seed) const;

 private:
  api_test::Functions vk_;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
};

}  // namespace fuzz
