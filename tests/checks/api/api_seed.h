// SPDX-License-Identifier: Apache-2.0

// Seeds of TESSERA_CHECK=api: small host programs with one bug each, and without it. Those that are
// after tests of the validation layer (Vulkan-ValidationLayers, tests/unit) say which; the text is
// our own.
#pragma once

#include <functional>
#include <initializer_list>
#include <vector>

#include "tests/api/check_fixture.h"

namespace api_test {

class ApiSeedTest;

struct ApiSeed {
  const char* kind;
  const char* name;
  const char* id;       // of the message
  const char* pattern;  // a regular expression that the report has
  std::function<void(ApiSeedTest& test, bool has_bug)> run;
};

// results[i] = inputs[i] for each of 16 invocations; lines 6 has both accesses.
inline constexpr const char* kCopyingShader = R"(#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(set = 0, binding = 1) readonly buffer Input { uint inputs[]; };
void main() {
  results[gl_LocalInvocationIndex] = inputs[gl_LocalInvocationIndex];
})";

class ApiSeedTest : public CheckTest {
 public:
  ApiSeedTest() { useCheck("api"); }
  void TestBody() override;
  void SetUp() override;
  void TearDown() override { CheckTest::TearDown(); }

  // A set layout and a pipeline layout from it: storage buffers at bindings 0 and 1, and 16 bytes
  // of push constants.
  void useBuffers();
  struct Binding {
    VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    uint32_t count = 1;
    VkDescriptorBindingFlags flags = 0;
  };
  void useBindings(std::initializer_list<Binding> bindings,
                   VkDescriptorSetLayoutCreateFlags flags = 0);

  VkPipeline makeProgram(const char* glsl);  // destroyed with the test
  VkDescriptorSet newSet();                  // of `pool`, which allows to free it
  void write(VkDescriptorSet set, uint32_t binding, VkBuffer buffer, uint32_t element = 0,
             VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  // With two buffers of 16 words: `results` and `inputs`.
  VkDescriptorSet copyingSet();
  // On the memory of `like`; for the seed to destroy.
  VkBuffer aliasOf(const WordBuffer& like);

  void bind(VkCommandBuffer to, VkPipeline program, VkDescriptorSet set);
  void push(VkCommandBuffer to, VkPipelineLayout with, uint32_t offset, uint32_t size);
  // One workgroup.
  VkCommandBuffer dispatchOf(VkPipeline program, VkDescriptorSet set);
  VkFence submit(VkCommandBuffer commands);
  void waitFor(VkFence fence);

  const ApiSeed* seed = nullptr;
  bool has_bug = false;
  WordBuffer results{}, inputs{};
  VkDescriptorPool pool = VK_NULL_HANDLE;  // destroyed with the test unless it is null then

  using CheckTest::allocateCommands;
  using CheckTest::atEnd;
  using CheckTest::command_pool;
  using CheckTest::device;
  using CheckTest::layout;
  using CheckTest::makeBuffer;
  using CheckTest::makeFence;
  using CheckTest::makePipelineLayout;
  using CheckTest::makeSemaphore;
  using CheckTest::makeTimeline;
  using CheckTest::moduleOf;
  using CheckTest::name;
  using CheckTest::queue;
  using CheckTest::recordCommands;
  using CheckTest::set_layout;
  using CheckTest::vk;

 private:
  VkPhysicalDeviceShaderObjectFeaturesEXT shader_object_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT};
};

// By files.
std::vector<ApiSeed> destroyedInUseSeeds();
std::vector<ApiSeed> changedInUseSeeds();
std::vector<ApiSeed> descriptorSeeds();
std::vector<ApiSeed> pushConstantSeeds();
std::vector<ApiSeed> hostAccessSeeds();

}  // namespace api_test
