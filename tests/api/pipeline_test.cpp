// SPDX-License-Identifier: Apache-2.0

// Compute pipelines: that the arguments of dispatches reach the shader.
#include <array>
#include <thread>

#include "tests/support/shader_compiler.h"
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

// Adds the push constant to the workgroup's number and stores it at its place.
constexpr const char* kStoreShader = R"(#version 450
layout(local_size_x = 1) in;
layout(push_constant) uniform Push { uint value; };
layout(set = 0, binding = 0) buffer Output { uint words[]; };
void main() { words[gl_WorkGroupID.x] = value + gl_WorkGroupID.x; })";

class DispatchTest : public PipelineTest {
 protected:
  void SetUp() override {
    PipelineTest::SetUp();
    if (HasFatalFailure()) return;
    output = makeBuffer(256);
  }

  // A layout of one set with the bindings, and the set.
  void useBindings(std::span<const VkDescriptorSetLayoutBinding> bindings, uint32_t push_bytes,
                   VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) {
    set_layout = makeSetLayout(bindings);
    layout = makePipelineLayout({&set_layout, 1}, push_bytes);
    const VkDescriptorPoolSize sizes[] = {{type, 64}};
    VkDescriptorSetAllocateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                     .descriptorPool = makeDescriptorPool(1, sizes),
                                     .descriptorSetCount = 1,
                                     .pSetLayouts = &set_layout};
    ASSERT_EQ(vk.vkAllocateDescriptorSets(device, &info, &set), VK_SUCCESS);
  }

  void useStorageBuffers(uint32_t count, uint32_t push_bytes,
                         VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (uint32_t i = 0; i < count; ++i) {
      bindings.push_back({.binding = i,
                          .descriptorType = type,
                          .descriptorCount = 1,
                          .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT});
    }
    useBindings(bindings, push_bytes, type);
  }

  void write(uint32_t binding, std::span<const VkDescriptorBufferInfo> infos,
             VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) {
    VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                               .dstSet = set,
                               .dstBinding = binding,
                               .descriptorCount = static_cast<uint32_t>(infos.size()),
                               .descriptorType = type,
                               .pBufferInfo = infos.data()};
    vk.vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  }

  void bind(VkCommandBuffer commands, VkPipeline pipeline,
            std::span<const uint32_t> dynamic_offsets = {}) {
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set,
                               static_cast<uint32_t>(dynamic_offsets.size()),
                               dynamic_offsets.data());
  }

  void push(VkCommandBuffer commands, uint32_t value) {
    vk.vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof value, &value);
  }

  VkDescriptorBufferInfo whole(const WordBuffer& buffer, VkDeviceSize first_word = 0) {
    return {.buffer = buffer.buffer, .offset = first_word * 4, .range = VK_WHOLE_SIZE};
  }

  WordBuffer output{};
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
};

TEST_F(DispatchTest, EachDispatchKeepsItsPushConstants) {
  useStorageBuffers(1, 4);
  VkPipeline pipeline = makePipeline(layout, kStoreShader);
  ASSERT_NE(pipeline, VkPipeline{VK_NULL_HANDLE});
  const VkDescriptorBufferInfo infos[] = {whole(output)};
  write(0, infos);
  run([&](VkCommandBuffer commands) {
    bind(commands, pipeline);
    push(commands, 100);
    vk.vkCmdDispatch(commands, 8, 1, 1);
    push(commands, 500);
    barrier(commands);
    vk.vkCmdDispatch(commands, 4, 1, 1);
    barrier(commands);
    vk.vkCmdDispatch(commands, 0, 1, 1);
  });
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(output.words[i], (i < 4 ? 500 : 100) + i);
  EXPECT_EQ(output.words[8], 0u);
}

TEST_F(DispatchTest, BaseAndIndirect) {
  useStorageBuffers(1, 4);
  VkPipeline pipeline =
      makePipeline(layout, kStoreShader, nullptr, VK_PIPELINE_CREATE_DISPATCH_BASE_BIT);
  ASSERT_NE(pipeline, VkPipeline{VK_NULL_HANDLE});
  const VkDescriptorBufferInfo infos[] = {whole(output)};
  write(0, infos);
  WordBuffer counts = makeBuffer(4);
  run([&](VkCommandBuffer commands) {
    const uint32_t size[] = {3, 1, 1};
    vk.vkCmdUpdateBuffer(commands, counts.buffer, 4, sizeof size, size);
    barrier(commands);
    bind(commands, pipeline);
    push(commands, 1000);
    vk.vkCmdDispatchBase(commands, 10, 0, 0, 2, 1, 1);
    barrier(commands);
    vk.vkCmdDispatchIndirect(commands, counts.buffer, 4);
  });
  for (uint32_t i = 0; i < 14; ++i) {
    bool written = i < 3 || i == 10 || i == 11;
    EXPECT_EQ(output.words[i], written ? 1000 + i : 0) << i;
  }
}

TEST_F(DispatchTest, WritesRollOverIntoTheNextBindings) {
  useStorageBuffers(3, 0);
  VkPipeline pipeline = makePipeline(layout, R"(#version 450
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
void main() { c[0] = a[0] * 1000 + b[0]; c[1] = a.length(); c[2] = b.length(); })");
  ASSERT_NE(pipeline, VkPipeline{VK_NULL_HANDLE});
  WordBuffer a = makeBuffer(40), b = makeBuffer(50);
  a.words[0] = 4;
  b.words[16] = 7;
  const VkDescriptorBufferInfo infos[] = {
      {.buffer = a.buffer, .offset = 0, .range = 48}, whole(b, 16), whole(output)};
  write(0, infos);
  run([&](VkCommandBuffer commands) {
    bind(commands, pipeline);
    vk.vkCmdDispatch(commands, 1, 1, 1);
  });
  EXPECT_EQ(output.words[0], 4007u);
  EXPECT_EQ(output.words[1], 12u);
  EXPECT_EQ(output.words[2], 34u);
}

TEST_F(DispatchTest, ArrayOfBuffersIsIndexedByTheWorkgroup) {
  const VkDescriptorSetLayoutBinding bindings[] = {
      {.binding = 2,
       .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
       .descriptorCount = 3,
       .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT}};
  useBindings(bindings, 0);
  VkPipeline pipeline = makePipeline(layout, R"(#version 450
layout(set = 0, binding = 2) buffer Output { uint words[]; } outputs[3];
void main() { outputs[gl_WorkGroupID.x].words[0] = 5 + gl_WorkGroupID.x; })");
  ASSERT_NE(pipeline, VkPipeline{VK_NULL_HANDLE});
  const VkDescriptorBufferInfo infos[] = {whole(output), whole(output, 64), whole(output, 128)};
  write(2, infos);
  run([&](VkCommandBuffer commands) {
    bind(commands, pipeline);
    vk.vkCmdDispatch(commands, 3, 1, 1);
  });
  EXPECT_EQ(output.words[0], 5u);
  EXPECT_EQ(output.words[64], 6u);
  EXPECT_EQ(output.words[128], 7u);
}

// Reads beyond the range give 0 and writes are dropped; the device has robustBufferAccess on.
TEST_F(DispatchTest, RangeOfTheDescriptorIsTheBound) {
  useStorageBuffers(2, 0);
  VkPipeline pipeline = makePipeline(layout, R"(#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Input { uint from[]; };
layout(set = 0, binding = 1) buffer Output { uint to[]; };
void main() { to[gl_LocalInvocationID.x] = from[gl_LocalInvocationID.x] + 1; })");
  ASSERT_NE(pipeline, VkPipeline{VK_NULL_HANDLE});
  WordBuffer from = makeBuffer(64);
  for (uint32_t i = 0; i < 64; ++i) from.words[i] = 100 + i;
  const VkDescriptorBufferInfo infos[] = {{.buffer = from.buffer, .offset = 0, .range = 40},
                                          {.buffer = output.buffer, .offset = 0, .range = 80}};
  write(0, infos);
  run([&](VkCommandBuffer commands) {
    bind(commands, pipeline);
    vk.vkCmdDispatch(commands, 1, 1, 1);
  });
  for (uint32_t i = 0; i < 32; ++i) {
    uint32_t expected = i < 10 ? 101 + i : i < 20 ? 1 : 0;
    EXPECT_EQ(output.words[i], expected) << i;
  }
}

TEST_F(DispatchTest, TemplateAndCopyWriteTheSame) {
  useStorageBuffers(1, 4);
  VkPipeline pipeline = makePipeline(layout, kStoreShader);
  ASSERT_NE(pipeline, VkPipeline{VK_NULL_HANDLE});
  struct {
    uint32_t unrelated;
    VkDescriptorBufferInfo info;
  } data{1, whole(output, 64)};
  VkDescriptorUpdateTemplateEntry entry{.descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .offset = offsetof(decltype(data), info),
                                        .stride = sizeof data};
  VkDescriptorUpdateTemplateCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
      .descriptorUpdateEntryCount = 1,
      .pDescriptorUpdateEntries = &entry,
      .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
      .descriptorSetLayout = set_layout};
  VkDescriptorUpdateTemplate update = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateDescriptorUpdateTemplate(device, &info, nullptr, &update), VK_SUCCESS);
  VkDescriptorSet source = makeSet(set_layout);
  vk.vkUpdateDescriptorSetWithTemplate(device, source, update, &data);
  vk.vkDestroyDescriptorUpdateTemplate(device, update, nullptr);
  VkCopyDescriptorSet copy{.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                           .srcSet = source,
                           .dstSet = set,
                           .descriptorCount = 1};
  vk.vkUpdateDescriptorSets(device, 0, nullptr, 1, &copy);
  run([&](VkCommandBuffer commands) {
    bind(commands, pipeline);
    push(commands, 3);
    vk.vkCmdDispatch(commands, 2, 1, 1);
  });
  EXPECT_EQ(output.words[63], 0u);
  EXPECT_EQ(output.words[64], 3u);
  EXPECT_EQ(output.words[65], 4u);
}

TEST_F(DispatchTest, DynamicOffsetsMoveTheBuffer) {
  useStorageBuffers(1, 4, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC);
  VkPipeline pipeline = makePipeline(layout, kStoreShader);
  ASSERT_NE(pipeline, VkPipeline{VK_NULL_HANDLE});
  const VkDescriptorBufferInfo infos[] = {{.buffer = output.buffer, .offset = 0, .range = 64}};
  write(0, infos, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC);
  run([&](VkCommandBuffer commands) {
    for (uint32_t offset : {0u, 128u, 256u}) {
      bind(commands, pipeline, {&offset, 1});
      push(commands, 10 + offset);
      vk.vkCmdDispatch(commands, 2, 1, 1);
    }
  });
  EXPECT_EQ(output.words[0], 10u);
  EXPECT_EQ(output.words[33], 139u);
  EXPECT_EQ(output.words[64], 266u);
  EXPECT_EQ(output.words[2], 0u);
}

TEST_F(DispatchTest, SpecializationConstants) {
  useStorageBuffers(1, 0);
  const VkSpecializationMapEntry entries[] = {{.constantID = 0, .offset = 4, .size = 4},
                                              {.constantID = 5, .offset = 0, .size = 4}};
  const uint32_t data[] = {13, 17};
  VkSpecializationInfo specialization{
      .mapEntryCount = 2, .pMapEntries = entries, .dataSize = sizeof data, .pData = data};
  const char* shader = R"(#version 450
layout(constant_id = 0) const uint first = 1;
layout(constant_id = 5) const uint second = 2;
layout(set = 0, binding = 0) buffer Output { uint words[]; };
void main() { words[0] = first; words[1] = second; })";
  VkPipeline special = makePipeline(layout, shader, &specialization);
  VkPipeline plain = makePipeline(layout, shader);
  ASSERT_NE(special, VkPipeline{VK_NULL_HANDLE});
  ASSERT_NE(plain, VkPipeline{VK_NULL_HANDLE});
  const VkDescriptorBufferInfo infos[] = {whole(output)};
  write(0, infos);
  run([&](VkCommandBuffer commands) {
    bind(commands, special);
    vk.vkCmdDispatch(commands, 1, 1, 1);
  });
  EXPECT_EQ(output.words[0], 17u);
  EXPECT_EQ(output.words[1], 13u);
  run([&](VkCommandBuffer commands) {
    bind(commands, plain);
    vk.vkCmdDispatch(commands, 1, 1, 1);
  });
  EXPECT_EQ(output.words[0], 1u);
  EXPECT_EQ(output.words[1], 2u);
}

TEST_F(DispatchTest, PipelinesAreMadeOnSeveralThreads) {
  useStorageBuffers(1, 4);
  VkShaderModule module = makeModule(host::compileGlsl(kStoreShader, "store.comp", {}));
  constexpr size_t kThreads = 4;
  std::array<VkPipeline, kThreads> pipelines{};
  std::array<VkResult, kThreads> results{};
  {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back(
          [&, i] { results[i] = tryPipeline(layout, module, "main", &pipelines[i]); });
    }
  }
  const VkDescriptorBufferInfo infos[] = {whole(output)};
  write(0, infos);
  for (uint32_t i = 0; i < kThreads; ++i) {
    ASSERT_EQ(results[i], VK_SUCCESS);
    run([&](VkCommandBuffer commands) {
      bind(commands, pipelines[i]);
      push(commands, 10 * i);
      vk.vkCmdDispatch(commands, 2, 1, 1);
    });
    EXPECT_EQ(output.words[1], 10 * i + 1);
    vk.vkDestroyPipeline(device, pipelines[i], nullptr);
  }
}

TEST_F(DispatchTest, PipelineAndLayoutMayGoOnceRecorded) {
  useStorageBuffers(1, 4);
  VkShaderModule module = makeModule(host::compileGlsl(kStoreShader, "store.comp", {}));
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(tryPipeline(layout, module, "main", &pipeline), VK_SUCCESS);
  const VkDescriptorBufferInfo infos[] = {whole(output)};
  write(0, infos);
  run([&](VkCommandBuffer commands) {
    bind(commands, pipeline);
    push(commands, 1);
    vk.vkCmdDispatch(commands, 1, 1, 1);
  });
  vk.vkDestroyPipeline(device, pipeline, nullptr);
  EXPECT_EQ(output.words[0], 1u);
}

TEST_F(DispatchTest, DispatchWithoutAPipelineFailsTheRecording) {
  MISUSE_FROM_HERE();
  VkCommandBuffer commands = allocateCommands();
  VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  ASSERT_EQ(vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
  vk.vkCmdDispatch(commands, 1, 1, 1);
  EXPECT_LT(vk.vkEndCommandBuffer(commands), 0);
  EXPECT_TRUE(wasTold("vkCmdDispatch"));
}

// Between the counts of a command lie others, enough for hours.
TEST_F(DispatchTest, IndirectCountsLieAtMultiplesOfFour) {
  VkPipeline pipeline = makePipeline(makePipelineLayout({}, 0), "#version 450\nvoid main() {}");
  WordBuffer counts = makeBuffer(4);
  for (uint32_t& count : counts.words) count = 2;
  MISUSE_FROM_HERE();
  for (VkDeviceSize offset : {1, 2, 3}) {
    VkCommandBuffer commands = allocateCommands();
    VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    ASSERT_EQ(vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdDispatchIndirect(commands, counts.buffer, offset);
    EXPECT_LT(vk.vkEndCommandBuffer(commands), 0) << offset;
    EXPECT_TRUE(wasTold("multiple of 4"));
  }
}

// Kernels trust the memory of their sets.
TEST_F(DispatchTest, SetsThatTheShaderReadsAreBoundAlike) {
  MISUSE_FROM_HERE();
  useStorageBuffers(1, 4);
  const VkDescriptorSetLayoutBinding other{.binding = 5,
                                           .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                           .descriptorCount = 1,
                                           .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
  const VkDescriptorSetLayoutBinding same{.binding = 0,
                                          .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                          .descriptorCount = 1,
                                          .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
  const VkDescriptorSetLayout unlike = makeSetLayout({&other, 1}),
                              alike = makeSetLayout({&same, 1});
  const VkDescriptorSetLayout sets[] = {set_layout, unlike};  // the shader reads the first only
  VkPipelineLayout wide = makePipelineLayout(sets, 4);
  VkPipeline pipeline = makePipeline(wide, kStoreShader);
  auto record = [&](VkDescriptorSetLayout bound) {
    VkCommandBuffer commands = allocateCommands();
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    EXPECT_EQ(vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    if (bound != VK_NULL_HANDLE) {
      VkDescriptorSet one = makeSet(bound);
      vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                 makePipelineLayout({&bound, 1}, 4), 0, 1, &one, 0, nullptr);
    }
    vk.vkCmdDispatch(commands, 1, 1, 1);
    return vk.vkEndCommandBuffer(commands);
  };
  EXPECT_EQ(record(set_layout), VK_SUCCESS);
  EXPECT_EQ(record(alike), VK_SUCCESS);
  EXPECT_LT(record(VK_NULL_HANDLE), 0);
  EXPECT_TRUE(wasTold("a descriptor set that is not bound"));
  EXPECT_LT(record(unlike), 0);
  EXPECT_TRUE(wasTold("bound with a layout unlike the pipeline's"));
}

}  // namespace
}  // namespace api_test
