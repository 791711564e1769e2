// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/api_sequence.h"

#include "tests/fuzz/api_commands.h"

namespace fuzz {

ApiDevice::ApiDevice()
    : device_(host::Device::withAllFeatures(instance_, instance_.choose(), /*robust=*/true)) {
  vk_.vkGetDeviceProcAddr = device_->functions().vkGetDeviceProcAddr;
  vk_.loadDevice(device_->handle());
}

std::string ApiDevice::runSequence(uint64_t seed) const {
  std::mt19937_64 random(seed * 0x9e3779b97f4a7c15);
  ApiCommands commands(vk_, device_->handle(), seed);
  for (uint64_t i = 0, calls = 50 + random() % 150; i < calls && commands.complaint.empty(); ++i) {
    if (random() % 10 != 0) {
      commands.call();
    } else {
      commands.recordAndSubmit();
    }
  }
  commands.finish();
  return commands.complaint;
}

}  // namespace fuzz
