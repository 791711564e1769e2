// SPDX-License-Identifier: Apache-2.0

// Random sequences of calls: mostly as the specification wants them, some a little off: sizes and
// offsets beyond the end, indices and flags that do not exist, states that do not fit. Handles are
// always real, since no driver can tell; so is the order of waits and signals, since nothing would
// end otherwise.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tests/support/vulkan_fixture.h"
#include "tests/support/vulkan_host.h"

namespace fuzz {

// A device with all its features, robust access to buffers and null descriptors among them, for any
// number of sequences.
class ApiDevice {
 public:
  ApiDevice();  // throws std::runtime_error

  // Empty, or what was wrong: a valid call that failed, a device that was lost.
  std::string runSequence(uint64_t seed) const;

 private:
  host::Instance instance_;
  const std::unique_ptr<host::Device> device_;
  api_test::Functions vk_;
};

}  // namespace fuzz
