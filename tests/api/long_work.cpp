// SPDX-License-Identifier: Apache-2.0

#include "tests/api/long_work.h"

#include <cstring>
#include <stdexcept>
#include <string>

#include "tests/support/shader_compiler.h"

namespace api_test {
namespace {

constexpr uint32_t kWords = 64 * LongWork::kWorkgroups;
constexpr uint32_t kFactor = 1664525, kIncrement = 1013904223;

// The sequence `steps` further, in as many squarings as that has bits.
uint32_t advance(uint32_t word, uint64_t steps) {
  uint32_t factor = kFactor, increment = kIncrement;
  for (; steps != 0; steps /= 2) {
    if (steps % 2 != 0) word = word * factor + increment;
    increment *= factor + 1;
    factor *= factor;
  }
  return word;
}

}  // namespace

std::vector<uint32_t> steppingShader() {
  return host::compileGlsl(R"(#version 450
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint number = 0;
layout(binding = 0) buffer Words { uint words[]; };
layout(binding = 1) readonly buffer Steps { uint steps; };
void main() {
  uint word = words[gl_GlobalInvocationID.x];
  for (uint i = 0; i < steps; ++i) word = word * 1664525u + 1013904223u;
  words[gl_GlobalInvocationID.x] = word + number;
})",
                           "steps.comp", {});
}

LongWork::LongWork(const std::vector<uint32_t>& shader)
    : shader_(shader),
      device_(host::Device::withAllFeatures(instance_, instance_.choose(), false)),
      pipeline_(*device_, {.spirv = shader_, .bindings = {{}, {.binding = 1}}}),
      words_(*device_, 4 * kWords),
      steps_(*device_, 4),
      sets_(*device_, pipeline_,
            std::vector<host::BufferBinding>{{.buffer = words_.handle()},
                                             {.binding = 1, .buffer = steps_.handle()}}) {
  const host::Functions& vk = device_->functions();
  vk.vkGetDeviceQueue(device_->handle(), 0, 0, &queue_);
  const VkFenceCreateInfo info{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  host::check(vk.vkCreateFence(device_->handle(), &info, nullptr, &fence_), "vkCreateFence");
  auto* words = reinterpret_cast<uint32_t*>(words_.memory().data());
  for (uint32_t i = 0; i < kWords; ++i) words[i] = i;
}

void LongWork::submit(uint32_t dispatches, uint32_t steps, uint32_t workgroups) {
  const host::Functions& vk = device_->functions();
  std::memcpy(steps_.memory().data(), &steps, sizeof steps);
  VkCommandBuffer commands = device_->begin();
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.handle());
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.layout(), 0, 1,
                             sets_.handles().data(), 0, nullptr);
  for (uint32_t i = 0; i < dispatches; ++i) {
    vk.vkCmdDispatch(commands, workgroups, 1, 1);
    device_->barrier(commands);
  }
  device_->end(commands);
  const VkSubmitInfo info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                          .commandBufferCount = 1,
                          .pCommandBuffers = &commands};
  host::check(vk.vkQueueSubmit(queue_, 1, &info, fence_), "vkQueueSubmit");
  for (uint32_t i = 0; i < workgroups; ++i) done_[i] += uint64_t{dispatches} * steps;
}

void LongWork::finish() {
  const host::Functions& vk = device_->functions();
  host::check(vk.vkWaitForFences(device_->handle(), 1, &fence_, VK_TRUE, UINT64_MAX),
              "vkWaitForFences");
  host::check(vk.vkResetFences(device_->handle(), 1, &fence_), "vkResetFences");
  const auto* words = reinterpret_cast<const uint32_t*>(words_.memory().data());
  for (uint32_t i = 0; i < kWords; ++i)
    if (words[i] != advance(i, done_[i / 64]))
      throw std::runtime_error("word " + std::to_string(i));
}

void LongWork::compile(uint32_t number) const {
  const host::ComputePipeline pipeline(
      *device_, {.spirv = shader_,
                 .bindings = {{}, {.binding = 1}},
                 .specializations = {{.id = 0, .value = number, .bytes = 4}}});
}

}  // namespace api_test
