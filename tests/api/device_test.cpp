// SPDX-License-Identifier: Apache-2.0

// Devices: creation, what is refused at it, and the commands it hands out.
#include <cstring>
#include <thread>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

class DeviceCreationTest : public InstanceTest {
 protected:
  // Creates and destroys a device.
  VkResult create(const void* features, std::vector<const char*> extensions = {},
                  const VkPhysicalDeviceFeatures* core = nullptr, uint32_t queues = 1) {
    float priority = 1;
    VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                  .queueCount = 1,
                                  .pQueuePriorities = &priority};
    VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                            .pNext = features,
                            .queueCreateInfoCount = queues,
                            .pQueueCreateInfos = &queue,
                            .enabledExtensionCount = static_cast<uint32_t>(extensions.size()),
                            .ppEnabledExtensionNames = extensions.data(),
                            .pEnabledFeatures = core};
    VkDevice device = VK_NULL_HANDLE;
    VkResult result = vk.vkCreateDevice(physical_device, &info, nullptr, &device);
    if (result == VK_SUCCESS) {
      auto destroy =
          reinterpret_cast<PFN_vkDestroyDevice>(vk.vkGetDeviceProcAddr(device, "vkDestroyDevice"));
      destroy(device, nullptr);
    }
    return result;
  }
};

TEST_F(DeviceCreationTest, ManyTimes) {
  for (int i = 0; i < 10; ++i) EXPECT_EQ(create(nullptr), VK_SUCCESS);
}

// VK_KHR_maintenance9: good for compiling.
TEST_F(DeviceCreationTest, WithoutQueues) {
  VkPhysicalDeviceMaintenance9FeaturesKHR maintenance9{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_9_FEATURES_KHR,
      .maintenance9 = VK_TRUE};
  EXPECT_EQ(create(&maintenance9, {VK_KHR_MAINTENANCE_9_EXTENSION_NAME}, nullptr, 0), VK_SUCCESS);
}

TEST_F(DeviceCreationTest, UnsupportedCoreFeatureIsRefused) {
  VkPhysicalDeviceFeatures core{.geometryShader = VK_TRUE};
  EXPECT_EQ(create(nullptr, {}, &core), VK_ERROR_FEATURE_NOT_PRESENT);
  EXPECT_TRUE(wasTold("the feature geometryShader is not supported"));
  VkPhysicalDeviceFeatures2 chained{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                    .features = core};
  EXPECT_EQ(create(&chained), VK_ERROR_FEATURE_NOT_PRESENT);
}

TEST_F(DeviceCreationTest, UnsupportedChainedFeatureIsRefused) {
  VkPhysicalDeviceVulkan13Features v13{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
  EXPECT_EQ(create(&v13), VK_ERROR_FEATURE_NOT_PRESENT);
  EXPECT_TRUE(wasTold("the feature dynamicRendering is not supported"));
  VkPhysicalDeviceMultiviewFeatures multiview{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, .multiview = VK_TRUE};
  EXPECT_EQ(create(&multiview), VK_ERROR_FEATURE_NOT_PRESENT);
}

// Behind an odd number of members lies padding, which is nobody's feature.
TEST_F(DeviceCreationTest, PaddingIsNoFeature) {
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline;
  memset(&timeline, 0xff, sizeof timeline);
  timeline.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
  timeline.pNext = nullptr;
  timeline.timelineSemaphore = VK_TRUE;
  EXPECT_EQ(create(&timeline), VK_SUCCESS);
  VkPhysicalDeviceFeatures2 core;
  memset(&core, 0xff, sizeof core);
  core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  core.pNext = nullptr;
  core.features = {.shaderInt64 = VK_TRUE};
  EXPECT_EQ(create(&core), VK_SUCCESS);
}

TEST_F(DeviceCreationTest, StructuresOfOtherExtensionsAreSkipped) {
  VkPhysicalDeviceMeshShaderFeaturesEXT other{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT};
  EXPECT_EQ(create(&other), VK_SUCCESS);
}

TEST_F(DeviceCreationTest, EveryReportedFeatureCanBeEnabled) {
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrix{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR};
  VkPhysicalDeviceCooperativeMatrixFeaturesNV matrix_nv{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV, .pNext = &matrix};
  VkPhysicalDeviceShaderBfloat16FeaturesKHR bfloat{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_BFLOAT16_FEATURES_KHR, .pNext = &matrix_nv};
  VkPhysicalDeviceVulkan13Features v13{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &bfloat};
  VkPhysicalDeviceVulkan12Features v12{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &v13};
  VkPhysicalDeviceVulkan11Features v11{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &v12};
  VkPhysicalDeviceFeatures2 features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &v11};
  vk.vkGetPhysicalDeviceFeatures2(physical_device, &features);
  EXPECT_EQ(create(&features, {"VK_KHR_cooperative_matrix", "VK_NV_cooperative_matrix",
                               "VK_KHR_shader_bfloat16"}),
            VK_SUCCESS);
}

TEST_F(DeviceCreationTest, ExtensionNamesMayRepeatButMustExist) {
  EXPECT_EQ(create(nullptr, {"VK_KHR_16bit_storage", "VK_KHR_16bit_storage"}), VK_SUCCESS);
  EXPECT_EQ(create(nullptr, {"VK_KHR_ray_query"}), VK_ERROR_EXTENSION_NOT_PRESENT);
}

TEST_F(DeviceCreationTest, BadConfigurationIsRefusedWithAMessage) {
  // The variables are read with the instance.
  TearDown();
  ScopedVariable isa("TESSERA_ISA", "abacus");
  ScopedVariable quiet("TESSERA_LOG", "off");
  SetUp();
  EXPECT_EQ(create(nullptr), VK_ERROR_INITIALIZATION_FAILED);
  EXPECT_TRUE(wasTold("TESSERA_ISA"));
}

// One that the machine has not got is refused, never replaced.
TEST_F(DeviceCreationTest, InstructionSetIsThatAskedForOrNone) {
  for (const char* isa : {"reference", "avx2", "avx512", "amx"}) {
    TearDown();
    ScopedVariable variable("TESSERA_ISA", isa);
    ScopedVariable quiet("TESSERA_LOG", "off");
    SetUp();
    VkResult result = create(nullptr);
    if (result == VK_ERROR_INITIALIZATION_FAILED) {
      EXPECT_TRUE(wasTold("TESSERA_ISA")) << isa;
      EXPECT_STRNE(isa, "reference");
    } else {
      EXPECT_EQ(result, VK_SUCCESS) << isa;
    }
  }
}

TEST_F(DeviceTest, CommandsOfExtensionsResolveOnlyWhereEnabled) {
  EXPECT_NE(vk.vkGetDeviceProcAddr(device, "vkCmdDispatchBase"), nullptr);
  EXPECT_EQ(vk.vkGetDeviceProcAddr(device, "vkCmdDispatchBaseKHR"), nullptr);
  EXPECT_EQ(vk.vkGetDeviceProcAddr(device, "vkCreateDevice"), nullptr);
  EXPECT_NE(vk.vkGetDeviceProcAddr(device, "vkSetDebugUtilsObjectNameEXT"), nullptr);
}

TEST_F(DeviceTest, GraphicsCommandsRefuse) {
  MISUSE_FROM_HERE();
  auto create = reinterpret_cast<PFN_vkCreateGraphicsPipelines>(
      vk.vkGetDeviceProcAddr(device, "vkCreateGraphicsPipelines"));
  ASSERT_NE(create, nullptr);
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_LT(create(device, VK_NULL_HANDLE, 0, nullptr, nullptr, &pipeline), 0);
  EXPECT_TRUE(wasTold("vkCreateGraphicsPipelines"));

  auto draw = reinterpret_cast<PFN_vkCmdDraw>(vk.vkGetDeviceProcAddr(device, "vkCmdDraw"));
  VkCommandBuffer commands = allocateCommands();
  VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  ASSERT_EQ(vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
  draw(commands, 3, 1, 0, 0);
  EXPECT_LT(vk.vkEndCommandBuffer(commands), 0);
  EXPECT_TRUE(wasTold("vkCmdDraw"));
}

TEST_F(DeviceTest, ImagesAndSamplersRefuse) {
  MISUSE_FROM_HERE();
  VkImageCreateInfo image_info{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  VkImage image = VK_NULL_HANDLE;
  EXPECT_LT(vk.vkCreateImage(device, &image_info, nullptr, &image), 0);
  VkSamplerCreateInfo sampler_info{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  VkSampler sampler = VK_NULL_HANDLE;
  EXPECT_LT(vk.vkCreateSampler(device, &sampler_info, nullptr, &sampler), 0);
}

TEST_F(DeviceTest, QueueIsTheSameHoweverAsked) {
  VkDeviceQueueInfo2 info{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2};
  VkQueue same = VK_NULL_HANDLE;
  vk.vkGetDeviceQueue2(device, &info, &same);
  EXPECT_EQ(same, queue);
}

// VK_KHR_internally_synchronized_queues.
class SharedQueueTest : public DeviceTest {
 protected:
  SharedQueueTest() {
    device_extensions = {VK_KHR_INTERNALLY_SYNCHRONIZED_QUEUES_EXTENSION_NAME};
    device_features = &features_;
    queue_flags = VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR;
  }

 private:
  VkPhysicalDeviceInternallySynchronizedQueuesFeaturesKHR features_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INTERNALLY_SYNCHRONIZED_QUEUES_FEATURES_KHR,
      .internallySynchronizedQueues = VK_TRUE};
};

TEST_F(SharedQueueTest, ItIsFoundByItsFlags) {
  ASSERT_NE(queue, nullptr);
  MISUSE_FROM_HERE();
  VkDeviceQueueInfo2 info{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2};
  VkQueue other = queue;
  vk.vkGetDeviceQueue2(device, &info, &other);
  EXPECT_EQ(other, nullptr);
}

TEST_F(SharedQueueTest, TakesSubmissionsOfManyThreads) {
  constexpr uint32_t kThreads = 4, kSubmissions = 50;
  WordBuffer buffer = makeBuffer(kThreads);
  VkCommandBuffer commands[kThreads];
  VkFence fences[kThreads];
  for (uint32_t i = 0; i < kThreads; ++i) {
    fences[i] = makeFence();
    commands[i] = recordCommands([&](VkCommandBuffer commands) {
      vk.vkCmdFillBuffer(commands, buffer.buffer, i * 4, 4, i + 1);
    });
  }
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                          .commandBufferCount = 1,
                          .pCommandBuffers = &commands[i]};
      for (uint32_t n = 0; n < kSubmissions; ++n) {
        buffer.words[i] = 0;
        EXPECT_EQ(vk.vkQueueSubmit(queue, 1, &submit, fences[i]), VK_SUCCESS);
        if (n % 2 == 0) {
          EXPECT_EQ(vk.vkQueueWaitIdle(queue), VK_SUCCESS);
        }
        EXPECT_EQ(vk.vkWaitForFences(device, 1, &fences[i], VK_TRUE, UINT64_MAX), VK_SUCCESS);
        EXPECT_EQ(buffer.words[i], i + 1);
        vk.vkResetFences(device, 1, &fences[i]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(DeviceTest, PrivateDataStaysWithTheObject) {
  VkPrivateDataSlotCreateInfo info{.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
  VkPrivateDataSlot slots[2];
  for (VkPrivateDataSlot& slot : slots) {
    ASSERT_EQ(vk.vkCreatePrivateDataSlot(device, &info, nullptr, &slot), VK_SUCCESS);
  }
  auto fence = reinterpret_cast<uint64_t>(makeFence());
  auto commands = reinterpret_cast<uint64_t>(allocateCommands());
  vk.vkSetPrivateData(device, VK_OBJECT_TYPE_FENCE, fence, slots[0], 17);
  vk.vkSetPrivateData(device, VK_OBJECT_TYPE_COMMAND_BUFFER, commands, slots[0], 18);
  vk.vkSetPrivateData(device, VK_OBJECT_TYPE_FENCE, fence, slots[0], 19);
  uint64_t data = 0;
  vk.vkGetPrivateData(device, VK_OBJECT_TYPE_FENCE, fence, slots[0], &data);
  EXPECT_EQ(data, 19u);
  vk.vkGetPrivateData(device, VK_OBJECT_TYPE_COMMAND_BUFFER, commands, slots[0], &data);
  EXPECT_EQ(data, 18u);
  vk.vkGetPrivateData(device, VK_OBJECT_TYPE_FENCE, fence, slots[1], &data);
  EXPECT_EQ(data, 0u);
  for (VkPrivateDataSlot slot : slots) vk.vkDestroyPrivateDataSlot(device, slot, nullptr);
}

}  // namespace
}  // namespace api_test
