// SPDX-License-Identifier: Apache-2.0

#include "tests/checks/api/api_seed.h"

#include <gmock/gmock.h>

#include <cstdio>

namespace api_test {

void ApiSeedTest::SetUp() {
  device_extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
  device_features = &shader_object_;
  CheckTest::SetUp();
}

void ApiSeedTest::useBuffers() { useBindings({{}, {}}); }

void ApiSeedTest::useBindings(std::initializer_list<Binding> bindings,
                              VkDescriptorSetLayoutCreateFlags flags) {
  std::vector<VkDescriptorSetLayoutBinding> all;
  std::vector<VkDescriptorBindingFlags> all_flags;
  bool is_late = false;
  for (const Binding& one : bindings) {
    all.push_back({.binding = static_cast<uint32_t>(all.size()),
                   .descriptorType = one.type,
                   .descriptorCount = one.count,
                   .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT});
    all_flags.push_back(one.flags);
    is_late |= (one.flags & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT) != 0;
  }
  if (is_late) flags |= VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
  const VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
      .bindingCount = static_cast<uint32_t>(all_flags.size()),
      .pBindingFlags = all_flags.data()};
  const VkDescriptorSetLayoutCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .pNext = &flags_info,
      .flags = flags,
      .bindingCount = static_cast<uint32_t>(all.size()),
      .pBindings = all.data()};
  ASSERT_EQ(vk.vkCreateDescriptorSetLayout(device, &info, nullptr, &set_layout), VK_SUCCESS);
  atEnd([this, made = set_layout] { vk.vkDestroyDescriptorSetLayout(device, made, nullptr); });
  layout = makePipelineLayout({&set_layout, 1}, 16);

  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 64},
                                        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 8},
                                        {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 256}};
  const VkDescriptorPoolInlineUniformBlockCreateInfo blocks{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
      .maxInlineUniformBlockBindings = 4};
  VkDescriptorPoolCreateFlags pool_flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
  if (is_late) pool_flags |= VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT;
  const VkDescriptorPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .pNext = &blocks,
                                             .flags = pool_flags,
                                             .maxSets = 8,
                                             .poolSizeCount = 3,
                                             .pPoolSizes = sizes};
  ASSERT_EQ(vk.vkCreateDescriptorPool(device, &pool_info, nullptr, &pool), VK_SUCCESS);
  atEnd([this] { vk.vkDestroyDescriptorPool(device, pool, nullptr); });
}

VkPipeline ApiSeedTest::makeProgram(const char* glsl) {
  const VkComputePipelineCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = moduleOf(glsl),
                .pName = "main"},
      .layout = layout};
  return pipelineOf(info);
}

VkDescriptorSet ApiSeedTest::newSet() {
  const VkDescriptorSetAllocateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                         .descriptorPool = pool,
                                         .descriptorSetCount = 1,
                                         .pSetLayouts = &set_layout};
  VkDescriptorSet set = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkAllocateDescriptorSets(device, &info, &set), VK_SUCCESS);
  return set;
}

void ApiSeedTest::write(VkDescriptorSet set, uint32_t binding, VkBuffer buffer, uint32_t element,
                        VkDescriptorType type) {
  const VkDescriptorBufferInfo info{.buffer = buffer, .range = VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                   .dstSet = set,
                                   .dstBinding = binding,
                                   .dstArrayElement = element,
                                   .descriptorCount = 1,
                                   .descriptorType = type,
                                   .pBufferInfo = &info};
  vk.vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

VkDescriptorSet ApiSeedTest::copyingSet() {
  if (results.buffer == VK_NULL_HANDLE) {
    results = makeBuffer(16);
    inputs = makeBuffer(16);
    name(results.buffer, "results");
    name(inputs.buffer, "inputs");
  }
  const VkDescriptorSet set = newSet();
  write(set, 0, results.buffer);
  write(set, 1, inputs.buffer);
  return set;
}

VkBuffer ApiSeedTest::aliasOf(const WordBuffer& like) {
  const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                .size = like.words.size_bytes(),
                                .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                         VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                         VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  VkBuffer buffer = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkCreateBuffer(device, &info, nullptr, &buffer), VK_SUCCESS);
  EXPECT_EQ(vk.vkBindBufferMemory(device, buffer, like.memory, 0), VK_SUCCESS);
  return buffer;
}

void ApiSeedTest::bind(VkCommandBuffer to, VkPipeline program, VkDescriptorSet set) {
  vk.vkCmdBindPipeline(to, VK_PIPELINE_BIND_POINT_COMPUTE, program);
  vk.vkCmdBindDescriptorSets(to, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
}

void ApiSeedTest::push(VkCommandBuffer to, VkPipelineLayout with, uint32_t offset, uint32_t size) {
  constexpr uint32_t kValues[4] = {};
  vk.vkCmdPushConstants(to, with, VK_SHADER_STAGE_COMPUTE_BIT, offset, size, kValues);
}

VkCommandBuffer ApiSeedTest::dispatchOf(VkPipeline program, VkDescriptorSet set) {
  return recordCommands([&](VkCommandBuffer to) {
    bind(to, program, set);
    vk.vkCmdDispatch(to, 1, 1, 1);
  });
}

VkFence ApiSeedTest::submit(VkCommandBuffer commands) {
  const VkFence fence = makeFence();
  const VkSubmitInfo info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                          .commandBufferCount = 1,
                          .pCommandBuffers = &commands};
  EXPECT_EQ(vk.vkQueueSubmit(queue, 1, &info, fence), VK_SUCCESS);
  return fence;
}

void ApiSeedTest::waitFor(VkFence fence) {
  EXPECT_EQ(vk.vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
}

// Prints a line for tests/checks/table.
void ApiSeedTest::TestBody() {
  seed->run(*this, has_bug);
  vk.vkQueueWaitIdle(queue);
  const std::vector<Told> told = findings();
  std::printf("seed %s %s %s %s\n", seed->kind, seed->name, has_bug ? "bug" : "twin",
              told.empty() ? "clean" : "found");
  for (const Told& one : told) std::printf("  %s\n", one.text.c_str());
  std::fflush(stdout);
  if (!has_bug) {
    EXPECT_TRUE(told.empty()) << told[0].text;
    return;
  }
  ASSERT_EQ(told.size(), 1u);
  EXPECT_THAT(told[0].text, testing::StartsWith(std::string("api: ") + seed->kind + ": "));
  EXPECT_THAT(told[0].text, testing::ContainsRegex(seed->pattern));
  EXPECT_EQ(told[0].id, seed->id);
}

namespace {

const bool kRegistered = [] {
  static std::vector<ApiSeed> seeds;
  for (auto some : {destroyedInUseSeeds(), changedInUseSeeds(), descriptorSeeds(),
                    pushConstantSeeds(), hostAccessSeeds()})
    seeds.insert(seeds.end(), some.begin(), some.end());
  for (const ApiSeed& seed : seeds) {
    for (const bool has_bug : {true, false}) {
      std::string name = std::string(seed.name) + (has_bug ? "_bug" : "_twin");
      testing::RegisterTest("ApiSeeds", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [&seed, has_bug]() -> ApiSeedTest* {
                              auto* test = new ApiSeedTest;
                              test->seed = &seed;
                              test->has_bug = has_bug;
                              return test;
                            });
    }
  }
  return true;
}();

}  // namespace

}  // namespace api_test
