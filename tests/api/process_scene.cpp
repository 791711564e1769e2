// SPDX-License-Identifier: Apache-2.0

#include "tests/api/process_scene.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "tests/support/shader_compiler.h"
#include "tests/support/validation.h"

namespace api_test {
namespace {

constexpr uint32_t kWords = 100'000;

// Ends what hangs; far from what any scene needs on a machine that has other work to do.
constexpr unsigned kHangSeconds = 1200;

}  // namespace

void play(const std::function<void()>& scene, const std::string& said) {
  SKIP_UNDER_VALIDATION("a new process, which may be unable to load the layer");
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        alarm(kHangSeconds);
        try {
          scene();
        } catch (const std::exception& error) {
          std::fprintf(stderr, "%s\n", error.what());
          _exit(1);
        }
        std::exit(0);
      },
      testing::ExitedWithCode(0), said);
}

void require(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

std::vector<uint32_t> countingShader() {
  return host::compileGlsl(R"(#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint words[]; };
void main() {
  if (gl_GlobalInvocationID.x < 100000) words[gl_GlobalInvocationID.x]++;
})",
                           "count.comp", {});
}

Counter::Counter(const std::vector<uint32_t>& shader, const std::string& device)
    : device_(host::Device::withAllFeatures(instance_, instance_.choose(device), false)),
      pipeline_(*device_, {.spirv = shader, .bindings = {{}}}),
      buffer_(*device_, 4 * kWords),
      sets_(*device_, pipeline_, std::vector<host::BufferBinding>{{.buffer = buffer_.handle()}}) {
  std::ranges::fill(buffer_.memory(), std::byte{0});
}

VkCommandBuffer Counter::record() const {
  const host::Functions& vk = device_->functions();
  VkCommandBuffer commands = device_->begin();
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.handle());
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.layout(), 0, 1,
                             sets_.handles().data(), 0, nullptr);
  vk.vkCmdDispatch(commands, (kWords + 63) / 64, 1, 1);
  device_->barrier(commands);
  device_->end(commands);
  return commands;
}

void Counter::run() {
  device_->submitAndWait(record());
  ++runs_;
  const auto* words = reinterpret_cast<const uint32_t*>(buffer_.memory().data());
  for (uint32_t i = 0; i < kWords; ++i)
    if (words[i] != runs_) throw std::runtime_error("word " + std::to_string(i));
}

}  // namespace api_test
