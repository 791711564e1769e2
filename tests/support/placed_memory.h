// SPDX-License-Identifier: Apache-2.0

// Memory at certain addresses, as shaders that were captured have pointers to it: mapped there, and
// lent to the device (VK_EXT_external_memory_host). Of use where a device's addresses are the
// host's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/support/vulkan_host.h"

namespace host {

class PlacedMemory {
 public:
  struct Range {
    uint64_t address = 0, bytes = 0;
  };
  // Whole pages around all ranges. Throws std::runtime_error where the device cannot borrow memory,
  // or something else of the process is there.
  PlacedMemory(const Device& device, std::vector<Range> ranges);
  ~PlacedMemory();
  PlacedMemory(const PlacedMemory&) = delete;
  PlacedMemory& operator=(const PlacedMemory&) = delete;

  // The device's memory that has one of the ranges, and where it begins in that.
  std::pair<VkDeviceMemory, VkDeviceSize> find(uint64_t address) const;

 private:
  struct Pages {
    std::byte* begin = nullptr;
    size_t bytes = 0;
    VkDeviceMemory memory = VK_NULL_HANDLE;
  };
  void map(const Range& range);
  void release();

  const Device& device_;
  std::vector<Pages> pages_;
};

}  // namespace host
