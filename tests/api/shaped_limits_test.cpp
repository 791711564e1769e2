// SPDX-License-Identifier: Apache-2.0

// TESSERA_LIMITS: limits by name. What the device says is what it keeps.
#include "tests/support/shader_compiler.h"
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

constexpr const char* kLimits =
    "maxComputeWorkGroupInvocations=64,maxComputeWorkGroupSize[1]=16,maxComputeWorkGroupCount[2]=3,"
    "maxComputeSharedMemorySize=1K,maxPushConstantsSize=128,maxBoundDescriptorSets=4,"
    "maxPushDescriptors=5,maxMemoryAllocationSize=1M,maxBufferSize=512K,"
    "maxInlineUniformBlockSize=256,minStorageBufferOffsetAlignment=256";

class ShapedLimitsTest : public PipelineTest {
 protected:
  // Whether a pipeline can be made of a shader.
  bool accepts(const std::string& glsl) {
    const VkShaderModule module =
        makeModule(host::compileGlsl("#version 450\n" + glsl, "limits.comp", {}));
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result = tryPipeline(makePipelineLayout({}, 0), module, "main", &pipeline);
    EXPECT_EQ(result == VK_SUCCESS, pipeline != VK_NULL_HANDLE);
    vk.vkDestroyPipeline(device, pipeline, nullptr);
    return result == VK_SUCCESS;
  }

  VkResult tryPipelineLayout(uint32_t sets, uint32_t push_bytes) {
    const std::vector<VkDescriptorSetLayout> none(sets, VK_NULL_HANDLE);
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes};
    const VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                          .setLayoutCount = sets,
                                          .pSetLayouts = none.data(),
                                          .pushConstantRangeCount = 1,
                                          .pPushConstantRanges = &range};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    const VkResult result = vk.vkCreatePipelineLayout(device, &info, nullptr, &layout);
    vk.vkDestroyPipelineLayout(device, layout, nullptr);
    return result;
  }

  bool supports(VkDescriptorType type, uint32_t count, VkDescriptorSetLayoutCreateFlags flags = 0) {
    const VkDescriptorSetLayoutBinding binding{.descriptorType = type,
                                               .descriptorCount = count,
                                               .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkDescriptorSetLayoutCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = flags,
        .bindingCount = 1,
        .pBindings = &binding};
    VkDescriptorSetLayoutSupport support{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
    vk.vkGetDescriptorSetLayoutSupport(device, &info, &support);
    return support.supported;
  }

  const ScopedVariable limits_{"TESSERA_LIMITS", kLimits};
};

TEST_F(ShapedLimitsTest, AreReported) {
  VkPhysicalDeviceMaintenance4Properties maintenance4{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES};
  VkPhysicalDeviceVulkan11Properties v11{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, .pNext = &maintenance4};
  VkPhysicalDeviceProperties2 all{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                  .pNext = &v11};
  vk.vkGetPhysicalDeviceProperties2(physical_device, &all);
  const VkPhysicalDeviceLimits& limits = all.properties.limits;
  EXPECT_EQ(limits.maxComputeWorkGroupInvocations, 64u);
  EXPECT_EQ(limits.maxComputeWorkGroupSize[0], 1024u);
  EXPECT_EQ(limits.maxComputeWorkGroupSize[1], 16u);
  EXPECT_EQ(limits.maxComputeWorkGroupCount[2], 3u);
  EXPECT_EQ(limits.minStorageBufferOffsetAlignment, 256u);
  EXPECT_EQ(v11.maxMemoryAllocationSize, 1u << 20);
  EXPECT_EQ(maintenance4.maxBufferSize, 512u << 10);
}

TEST_F(ShapedLimitsTest, AreKeptByPipelines) {
  MISUSE_FROM_HERE();
  EXPECT_TRUE(accepts("layout(local_size_x = 8, local_size_y = 8) in;\nvoid main() {}"));
  EXPECT_FALSE(accepts("layout(local_size_x = 65) in;\nvoid main() {}"));
  EXPECT_TRUE(wasTold("maxComputeWorkGroupInvocations"));
  EXPECT_FALSE(accepts("layout(local_size_y = 17) in;\nvoid main() {}"));
  EXPECT_TRUE(wasTold("maxComputeWorkGroupSize"));
  EXPECT_TRUE(accepts("shared uint words[256];\nvoid main() { words[gl_WorkGroupID.x] = 1; }"));
  EXPECT_FALSE(accepts("shared uint words[257];\nvoid main() { words[gl_WorkGroupID.x] = 1; }"));
  EXPECT_TRUE(wasTold("maxComputeSharedMemorySize"));
}

TEST_F(ShapedLimitsTest, AreKeptByLayouts) {
  MISUSE_FROM_HERE();
  EXPECT_EQ(tryPipelineLayout(4, 128), VK_SUCCESS);
  EXPECT_EQ(tryPipelineLayout(5, 128), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_TRUE(wasTold("maxBoundDescriptorSets"));
  EXPECT_EQ(tryPipelineLayout(4, 132), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_TRUE(wasTold("maxPushConstantsSize"));
  constexpr auto kPushed = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT;
  EXPECT_TRUE(supports(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 5, kPushed));
  EXPECT_FALSE(supports(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 6, kPushed));
  EXPECT_TRUE(supports(VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 256));
  EXPECT_FALSE(supports(VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 260));
}

TEST_F(ShapedLimitsTest, AreKeptByMemory) {
  MISUSE_FROM_HERE();
  const VkBufferCreateInfo buffer_info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .size = (512 << 10) + 1,
                                       .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
  VkBuffer buffer = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkCreateBuffer(device, &buffer_info, nullptr, &buffer),
            VK_ERROR_OUT_OF_DEVICE_MEMORY);
  const VkMemoryAllocateInfo memory_info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = (1 << 20) + 1};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkAllocateMemory(device, &memory_info, nullptr, &memory),
            VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

TEST_F(ShapedLimitsTest, AreKeptByDispatches) {
  MISUSE_FROM_HERE();
  const VkPipeline pipeline =
      makePipeline(makePipelineLayout({}, 0), "#version 450\nvoid main() {}");
  auto record = [&](uint32_t base, uint32_t count) {
    const VkCommandBuffer commands = allocateCommands();
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    EXPECT_EQ(vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdDispatchBase(commands, 0, 0, base, 1, 1, count);
    return vk.vkEndCommandBuffer(commands);
  };
  EXPECT_EQ(record(0, 3), VK_SUCCESS);
  EXPECT_EQ(record(1, 2), VK_SUCCESS);
  EXPECT_NE(record(0, 4), VK_SUCCESS);
  EXPECT_TRUE(wasTold("maxComputeWorkGroupCount"));
  EXPECT_NE(record(2, 2), VK_SUCCESS);
  EXPECT_NE(record(4, 0), VK_SUCCESS);
}

// What cannot be is told, and no device is made.
TEST_F(InstanceTest, LimitsThatTheDeviceDoesNotKeep) {
  for (const char* wrong :
       {"maxComputeWorkGroupInvocations=2048", "maxComputeSharedMemorySize=0",
        "maxImageDimension2D=1", "maxComputeWorkGroupSize=8", "maxComputeWorkGroupSize[3]=8",
        "nonCoherentAtomSize=48", "minUniformBufferOffsetAlignment=8",
        "minUniformBufferOffsetAlignment=512", "maxPushDescriptors", "=3",
        "maxPushDescriptors=1,,"}) {
    const ScopedVariable limits("TESSERA_LIMITS", wrong);
    const ScopedVariable quiet("TESSERA_LOG", "off");
    const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    VkInstance other = VK_NULL_HANDLE;
    ASSERT_EQ(vk.vkCreateInstance(&info, nullptr, &other), VK_SUCCESS);
    Functions functions;
    functions.loadInstance(other);
    uint32_t count = 1;
    VkPhysicalDevice found = VK_NULL_HANDLE;
    functions.vkEnumeratePhysicalDevices(other, &count, &found);
    EXPECT_EQ(tryDevice(functions, found), VK_ERROR_INITIALIZATION_FAILED) << wrong;
    functions.vkDestroyInstance(other, nullptr);
  }
}

}  // namespace
}  // namespace api_test
