// SPDX-License-Identifier: Apache-2.0

// Scenes that are played in processes of their own, to see what becomes of the process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/vulkan_host.h"

namespace api_test {

// Plays a scene in a new process, which has to end well within a minute (in ten with
// TESSERA_TEST_SWEEP), and to have written what matches the regular expression `said` to stderr.
// What the scene throws fails the test.
void play(const std::function<void()>& scene, const std::string& said = "");

// Throws.
void require(bool condition, const char* what);

// For Counter. Compiled before it, so that no compiler but the driver's runs meanwhile.
std::vector<uint32_t> countingShader();

// An instance and a device that adds 1 to many words at each run.
class Counter {
 public:
  // The device as for host::Instance::choose.
  explicit Counter(const std::vector<uint32_t>& shader, const std::string& device = "");

  std::string deviceName() const { return device_->physical().name; }
  // Throws unless every word counts the runs.
  void run();

 private:
  VkCommandBuffer record() const;

  host::Instance instance_;
  std::unique_ptr<host::Device> device_;
  host::ComputePipeline pipeline_;
  host::Buffer buffer_;
  host::DescriptorSets sets_;
  uint32_t runs_ = 0;
};

}  // namespace api_test
