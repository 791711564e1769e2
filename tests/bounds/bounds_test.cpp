// SPDX-License-Identifier: Apache-2.0

// Random shaders whose indices are in and out of bounds, on a device with robust access: every word
// must be as the model has it, and nothing else may change.
//
// TESSERA_TEST_BOUNDS_PROGRAMS: how many instead of kPrograms. TESSERA_TEST_SEED: the first one's
// seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/cpu_features.h"
#include "tests/bounds/program.h"
#include "tests/support/environment.h"
#include "tests/support/shader_compiler.h"
#include "tests/support/vulkan_host.h"

namespace bounds {
namespace {

constexpr uint64_t kPrograms = 40;
constexpr size_t kGuardWords = 64;
constexpr uint32_t kGuard = 0xa5a5a5a5;

using Words = std::vector<uint32_t>;

// A buffer with words that are bound, and words behind them that nobody may change.
class GuardedBuffer {
 public:
  GuardedBuffer(const host::Device& device, const Words& words)
      : bytes_(words.size() * sizeof(uint32_t)),
        buffer_(device, bytes_ + kGuardWords * sizeof(uint32_t)) {
    std::ranges::fill(all(), kGuard);
    std::ranges::copy(words, all().begin());
  }

  host::BufferBinding binding(uint32_t number, uint32_t element = 0) const {
    host::BufferBinding binding;
    binding.binding = number;
    binding.element = element;
    binding.buffer = buffer_.handle();
    binding.range = bytes_;
    return binding;
  }

  void compare(const std::string& name, const Words& expected) const {
    const auto found = all();
    for (size_t k = 0; k < found.size(); ++k) {
      const uint32_t wanted = k < expected.size() ? expected[k] : kGuard;
      if (found[k] == wanted) continue;
      ADD_FAILURE() << name << "[" << k << "] is " << found[k] << ", expected " << wanted;
      return;
    }
  }

 private:
  std::span<uint32_t> all() const {
    const auto memory = buffer_.memory();
    return {reinterpret_cast<uint32_t*>(memory.data()), bytes_ / sizeof(uint32_t) + kGuardWords};
  }

  const size_t bytes_;
  const host::Buffer buffer_;
};

void run(const host::Device& device, const Program& program) {
  const std::vector<uint32_t> spirv = host::compileGlsl(program.text, "bounds.comp", {});
  host::PipelineDescription description;
  description.spirv = spirv;
  description.subgroup_size = program.subgroup_size;
  description.push_bytes = kPushWords * sizeof(uint32_t);
  description.bindings = {{0, 0, 1}, {0, 1, 1}, {0, 2, kDescriptors}};
  for (uint32_t k = 0; k < program.constants.size(); ++k)
    description.specializations.push_back({k, static_cast<uint32_t>(program.constants[k]), 4});
  const GuardedBuffer output(device, Words(program.output.size(), 0));
  const GuardedBuffer numbers(device, program.numbers);
  std::vector<std::unique_ptr<GuardedBuffer>> buffers;
  std::vector<host::BufferBinding> bindings = {output.binding(0), numbers.binding(1)};
  for (uint32_t k = 0; k < kDescriptors; ++k) {
    buffers.push_back(std::make_unique<GuardedBuffer>(device, program.buffers[k]));
    bindings.push_back(buffers.back()->binding(2, k));
  }
  const host::ComputePipeline pipeline(device, description);
  const host::DescriptorSets sets(device, pipeline, bindings);
  const VkCommandBuffer commands = device.begin();
  const host::Functions& functions = device.functions();
  functions.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle());
  functions.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout(), 0,
                                    1, sets.handles().data(), 0, nullptr);
  functions.vkCmdPushConstants(commands, pipeline.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                               description.push_bytes, program.push.data());
  functions.vkCmdDispatch(commands, 1, 1, 1);
  device.barrier(commands);
  device.end(commands);
  device.submitAndWait(commands);
  output.compare("results", program.output);
  numbers.compare("numbers", program.numbers);
  for (uint32_t k = 0; k < kDescriptors; ++k)
    buffers[k]->compare("buffers[" + std::to_string(k) + "]", program.changed_buffers[k]);
}

TEST(Bounds, RandomIndices) {
  const char* isa = std::getenv("TESSERA_ISA");
  const std::optional<rt::Isa> wanted = rt::parseIsa(isa ? isa : "");
  if (wanted && *wanted > rt::hostIsa()) GTEST_SKIP() << "this machine has no " << isa;
  host::Instance instance;
  const std::unique_ptr<host::Device> device =
      host::Device::withAllFeatures(instance, instance.choose(), true);
  const uint64_t first = test::numberFromEnvironment("TESSERA_TEST_SEED", 1);
  const uint64_t count = test::numberFromEnvironment("TESSERA_TEST_BOUNDS_PROGRAMS", kPrograms);
  std::cout << "seeds " << first << " to " << first + count - 1 << '\n' << std::flush;
  for (uint64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
    matrices::Random random(seed);
    const Program program = randomProgram(random);
    SCOPED_TRACE("TESSERA_TEST_BOUNDS_PROGRAMS=1 TESSERA_TEST_SEED=" + std::to_string(seed) +
                 ":\n" + program.text);
    try {
      run(*device, program);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
      for (const std::string& message : instance.takeMessages()) ADD_FAILURE() << message;
    }
  }
}

}  // namespace
}  // namespace bounds
