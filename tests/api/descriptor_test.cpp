// SPDX-License-Identifier: Apache-2.0

// Descriptor pools, layouts and sets; what their writes mean shows in pipeline_test.cpp.
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

using DescriptorTest = PipelineTest;

VkDescriptorSetLayoutBinding storageBinding(uint32_t binding, uint32_t count = 1) {
  return {.binding = binding,
          .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
          .descriptorCount = count,
          .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
}

TEST_F(DescriptorTest, PoolRunsOutAndFillsAgain) {
  const VkDescriptorSetLayoutBinding bindings[] = {storageBinding(0, 2)};
  VkDescriptorSetLayout layouts[3];
  layouts[0] = layouts[1] = layouts[2] = makeSetLayout(bindings);
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4}};
  VkDescriptorPool pool =
      makeDescriptorPool(2, sizes, VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT);
  VkDescriptorSetAllocateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                   .descriptorPool = pool,
                                   .descriptorSetCount = 3,
                                   .pSetLayouts = layouts};
  VkDescriptorSet sets[3];
  EXPECT_EQ(vk.vkAllocateDescriptorSets(device, &info, sets), VK_ERROR_OUT_OF_POOL_MEMORY);
  EXPECT_EQ(sets[0], VkDescriptorSet{VK_NULL_HANDLE});
  info.descriptorSetCount = 2;
  ASSERT_EQ(vk.vkAllocateDescriptorSets(device, &info, sets), VK_SUCCESS);
  ASSERT_EQ(vk.vkFreeDescriptorSets(device, pool, 1, &sets[1]), VK_SUCCESS);
  info.descriptorSetCount = 1;
  ASSERT_EQ(vk.vkAllocateDescriptorSets(device, &info, &sets[1]), VK_SUCCESS);
  EXPECT_EQ(vk.vkAllocateDescriptorSets(device, &info, &sets[2]), VK_ERROR_OUT_OF_POOL_MEMORY);
  ASSERT_EQ(vk.vkResetDescriptorPool(device, pool, 0), VK_SUCCESS);
  info.descriptorSetCount = 2;
  EXPECT_EQ(vk.vkAllocateDescriptorSets(device, &info, sets), VK_SUCCESS);
}

// Sets may take more descriptors than the pool was made for, which the specification allows.
TEST_F(DescriptorTest, PoolCountsSetsNotDescriptors) {
  const VkDescriptorSetLayoutBinding bindings[] = {storageBinding(0, 8)};
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
  VkDescriptorPool pool = makeDescriptorPool(1, sizes, 0);
  const VkDescriptorSetLayout layout = makeSetLayout(bindings);
  const VkDescriptorSetAllocateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                         .descriptorPool = pool,
                                         .descriptorSetCount = 1,
                                         .pSetLayouts = &layout};
  VkDescriptorSet set = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkAllocateDescriptorSets(device, &info, &set), VK_SUCCESS);
  EXPECT_EQ(vk.vkAllocateDescriptorSets(device, &info, &set), VK_ERROR_OUT_OF_POOL_MEMORY);
}

TEST_F(DescriptorTest, LayoutsOfImagesAreRefused) {
  const VkDescriptorSetLayoutBinding bindings[] = {
      {.binding = 0, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .descriptorCount = 1}};
  VkDescriptorSetLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                       .bindingCount = 1,
                                       .pBindings = bindings};
  VkDescriptorSetLayoutSupport support{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT,
                                       .supported = VK_TRUE};
  vk.vkGetDescriptorSetLayoutSupport(device, &info, &support);
  EXPECT_FALSE(support.supported);
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  EXPECT_LT(vk.vkCreateDescriptorSetLayout(device, &info, nullptr, &layout), 0);
}

TEST_F(DescriptorTest, LayoutWithReservedBindingsIsSupported) {
  const VkDescriptorSetLayoutBinding bindings[] = {storageBinding(7), storageBinding(3, 0),
                                                   storageBinding(0, 4)};
  VkDescriptorSetLayoutBindingFlagsCreateInfo flags{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO};
  VkDescriptorSetLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                       .pNext = &flags,
                                       .bindingCount = 3,
                                       .pBindings = bindings};
  VkDescriptorSetLayoutSupport support{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
  vk.vkGetDescriptorSetLayoutSupport(device, &info, &support);
  EXPECT_TRUE(support.supported);
}

// A set that is written after its layout is gone, which applications must not.
TEST_F(DescriptorTest, SetOutlivesItsLayout) {
  MISUSE_FROM_HERE();
  const VkDescriptorSetLayoutBinding bindings[] = {storageBinding(0)};
  VkDescriptorSetLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                       .bindingCount = 1,
                                       .pBindings = bindings};
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateDescriptorSetLayout(device, &info, nullptr, &layout), VK_SUCCESS);
  VkDescriptorSet set = makeSet(layout);
  vk.vkDestroyDescriptorSetLayout(device, layout, nullptr);
  WordBuffer buffer = makeBuffer(4);
  VkDescriptorBufferInfo buffer_info{.buffer = buffer.buffer, .range = VK_WHOLE_SIZE};
  VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                             .dstSet = set,
                             .descriptorCount = 1,
                             .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                             .pBufferInfo = &buffer_info};
  vk.vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

TEST_F(DescriptorTest, MoreSetsThanTheLimitAreRefused) {
  MISUSE_FROM_HERE();
  std::vector<VkDescriptorSetLayout> layouts(64, makeSetLayout({}));
  VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                  .setLayoutCount = 64,
                                  .pSetLayouts = layouts.data()};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  EXPECT_LT(vk.vkCreatePipelineLayout(device, &info, nullptr, &layout), 0);
}

}  // namespace
}  // namespace api_test
