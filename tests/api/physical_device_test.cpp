// SPDX-License-Identifier: Apache-2.0

// Queries of the physical device: what is said, and that it agrees with itself.
#include <algorithm>
#include <cstring>
#include <set>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

using PhysicalDeviceTest = InstanceTest;

TEST_F(PhysicalDeviceTest, PropertiesOfVersionsAndExtensionsAgree) {
  VkPhysicalDeviceSubgroupSizeControlProperties size_control{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
  VkPhysicalDeviceMaintenance3Properties maintenance{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, .pNext = &size_control};
  VkPhysicalDeviceIDProperties id{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES,
                                  .pNext = &maintenance};
  VkPhysicalDeviceFloatControlsProperties float_controls{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, .pNext = &id};
  VkPhysicalDeviceSubgroupProperties subgroup{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, .pNext = &float_controls};
  VkPhysicalDeviceVulkan13Properties v13{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, .pNext = &subgroup};
  VkPhysicalDeviceVulkan12Properties v12{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, .pNext = &v13};
  VkPhysicalDeviceVulkan11Properties v11{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, .pNext = &v12};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &v11};
  vk.vkGetPhysicalDeviceProperties2(physical_device, &properties);
  EXPECT_EQ(subgroup.subgroupSize, v11.subgroupSize);
  EXPECT_EQ(subgroup.supportedStages, VkShaderStageFlags{VK_SHADER_STAGE_COMPUTE_BIT});
  EXPECT_TRUE(subgroup.supportedOperations & VK_SUBGROUP_FEATURE_BASIC_BIT);
  EXPECT_EQ(size_control.minSubgroupSize, v13.minSubgroupSize);
  EXPECT_LE(v13.minSubgroupSize, v11.subgroupSize);
  EXPECT_GE(v13.maxSubgroupSize, v11.subgroupSize);
  EXPECT_STREQ(v12.driverName, "Tessera");
  EXPECT_EQ(float_controls.shaderDenormPreserveFloat16, v12.shaderDenormPreserveFloat16);
  EXPECT_EQ(float_controls.shaderRoundingModeRTEFloat64, v12.shaderRoundingModeRTEFloat64);
  EXPECT_EQ(float_controls.shaderRoundingModeRTZFloat64, v12.shaderRoundingModeRTZFloat64);
  EXPECT_EQ(maintenance.maxMemoryAllocationSize, v11.maxMemoryAllocationSize);
  EXPECT_EQ(std::memcmp(id.driverUUID, v11.driverUUID, VK_UUID_SIZE), 0);
  EXPECT_EQ(properties.properties.deviceType, VK_PHYSICAL_DEVICE_TYPE_CPU);
}

// It is not registered with Khronos, and was not submitted: tools/check_registry says whose numbers
// these would be.
TEST_F(PhysicalDeviceTest, IdsAreThoseOfADriverThatIsNotRegistered) {
  VkPhysicalDeviceProperties core;
  vk.vkGetPhysicalDeviceProperties(physical_device, &core);
  EXPECT_EQ(core.vendorID, 0u);
  EXPECT_TRUE(core.deviceID >= 1 && core.deviceID <= 4) << core.deviceID;
  const auto v12 = api_test::propertiesOf<VkPhysicalDeviceVulkan12Properties>(
      vk, physical_device, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES);
  const auto driver = api_test::propertiesOf<VkPhysicalDeviceDriverProperties>(
      vk, physical_device, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
  EXPECT_EQ(driver.driverID, 0x54455353);
  EXPECT_EQ(v12.driverID, driver.driverID);
  EXPECT_STREQ(driver.driverName, "Tessera");
  EXPECT_STREQ(v12.driverInfo, driver.driverInfo);
  EXPECT_NE(driver.driverInfo[0], '\0');
  for (const VkConformanceVersion& version : {v12.conformanceVersion, driver.conformanceVersion}) {
    EXPECT_EQ(version.major, 0);
    EXPECT_EQ(version.minor, 0);
    EXPECT_EQ(version.subminor, 0);
    EXPECT_EQ(version.patch, 0);
  }
}

// Each instruction set is another version of the device; threads and the type are settings.
TEST_F(PhysicalDeviceTest, DeviceIdNamesTheInstructionSet) {
  const auto propertiesWith = [&](const char* variable, const char* value) {
    const ScopedVariable setting(variable, value);
    const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    VkInstance other = VK_NULL_HANDLE;
    EXPECT_EQ(vk.vkCreateInstance(&info, nullptr, &other), VK_SUCCESS);
    Functions functions;
    functions.loadInstance(other);
    uint32_t count = 1;
    VkPhysicalDevice first = VK_NULL_HANDLE;
    functions.vkEnumeratePhysicalDevices(other, &count, &first);
    VkPhysicalDeviceProperties result{};
    functions.vkGetPhysicalDeviceProperties(first, &result);
    functions.vkDestroyInstance(other, nullptr);
    return result;
  };
  EXPECT_EQ(propertiesWith("TESSERA_ISA", "reference").deviceID, 1u);
  EXPECT_EQ(propertiesWith("TESSERA_ISA", "avx2").deviceID, 2u);
  const VkPhysicalDeviceProperties own = propertiesWith("TESSERA_THREADS", "");
  const VkPhysicalDeviceProperties other = propertiesWith("TESSERA_THREADS", "7");
  EXPECT_EQ(other.deviceID, own.deviceID);
  EXPECT_EQ(propertiesWith("TESSERA_DEVICE_TYPE", "discrete").deviceID, own.deviceID);
}

TEST_F(PhysicalDeviceTest, LimitsThatClientsNeed) {
  VkPhysicalDeviceProperties properties;
  vk.vkGetPhysicalDeviceProperties(physical_device, &properties);
  const VkPhysicalDeviceLimits& limits = properties.limits;
  EXPECT_GE(limits.maxComputeSharedMemorySize, 48u * 1024);
  EXPECT_GE(limits.maxComputeWorkGroupInvocations, 1024u);
  EXPECT_GE(limits.maxPushConstantsSize, 256u);
  EXPECT_GE(limits.maxBoundDescriptorSets, 4u);
  EXPECT_GE(limits.maxStorageBufferRange, 1u << 27);
  EXPECT_LE(limits.minStorageBufferOffsetAlignment, 16u);
  EXPECT_GE(limits.minMemoryMapAlignment, 64u);
  EXPECT_EQ(limits.maxComputeWorkGroupCount[0], (1u << 21) - 1);
}

TEST_F(PhysicalDeviceTest, FeaturesOfVersionsAndExtensionsAgree) {
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrix{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR};
  VkPhysicalDevice16BitStorageFeatures storage{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES, .pNext = &matrix};
  VkPhysicalDeviceVulkan11Features v11{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &storage};
  VkPhysicalDeviceFeatures2 features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &v11};
  vk.vkGetPhysicalDeviceFeatures2(physical_device, &features);
  VkPhysicalDeviceFeatures core;
  vk.vkGetPhysicalDeviceFeatures(physical_device, &core);
  EXPECT_EQ(std::memcmp(&core, &features.features, sizeof core), 0);
  EXPECT_TRUE(core.robustBufferAccess);
  EXPECT_TRUE(v11.storageBuffer16BitAccess);
  EXPECT_EQ(storage.storageBuffer16BitAccess, v11.storageBuffer16BitAccess);
  EXPECT_EQ(storage.storageInputOutput16, v11.storageInputOutput16);
  EXPECT_TRUE(matrix.cooperativeMatrix);
}

// Structures that a version took over are known with that version, whatever they enable.
TEST_F(PhysicalDeviceTest, PromotedStructuresAreFilled) {
  VkPhysicalDeviceDynamicRenderingFeatures rendering{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
      .dynamicRendering = 77};
  VkPhysicalDeviceMultiviewFeatures multiview{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
      .pNext = &rendering,
      .multiview = 77,
      .multiviewTessellationShader = 77};
  VkPhysicalDeviceFeatures2 features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &multiview};
  vk.vkGetPhysicalDeviceFeatures2(physical_device, &features);
  EXPECT_EQ(multiview.multiview, VkBool32{VK_FALSE});
  EXPECT_EQ(multiview.multiviewTessellationShader, VkBool32{VK_FALSE});
  EXPECT_EQ(rendering.dynamicRendering, VkBool32{VK_FALSE});
}

TEST_F(PhysicalDeviceTest, OneQueueFamilyComputesAndTransfers) {
  uint32_t count = 7;
  VkQueueFamilyProperties families[7];
  vk.vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &count, families);
  ASSERT_EQ(count, 1u);
  EXPECT_EQ(families[0].queueFlags, VkQueueFlags{VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT});
  EXPECT_EQ(families[0].queueCount, 1u);
  EXPECT_EQ(families[0].timestampValidBits, 64u);

  VkQueueFamilyOwnershipTransferPropertiesKHR transfer{
      .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_OWNERSHIP_TRANSFER_PROPERTIES_KHR};
  VkQueueFamilyProperties2 family{.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2,
                                  .pNext = &transfer};
  vk.vkGetPhysicalDeviceQueueFamilyProperties2(physical_device, &count, &family);
  EXPECT_EQ(transfer.optimalImageTransferToQueueFamilies, 1u);
}

TEST_F(PhysicalDeviceTest, NoOtherApiLiesBeneath) {
  VkPhysicalDeviceLayeredApiPropertiesKHR apis[3];
  std::ranges::fill(apis,
                    VkPhysicalDeviceLayeredApiPropertiesKHR{
                        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LAYERED_API_PROPERTIES_KHR});
  VkPhysicalDeviceLayeredApiPropertiesListKHR list{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LAYERED_API_PROPERTIES_LIST_KHR,
      .layeredApiCount = 3,
      .pLayeredApis = apis};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &list};
  vk.vkGetPhysicalDeviceProperties2(physical_device, &properties);
  EXPECT_EQ(list.layeredApiCount, 0u);
  EXPECT_EQ(list.pLayeredApis, apis);
}

TEST_F(PhysicalDeviceTest, OneMemoryTypeIsEverything) {
  VkPhysicalDeviceMemoryProperties memory;
  vk.vkGetPhysicalDeviceMemoryProperties(physical_device, &memory);
  ASSERT_EQ(memory.memoryTypeCount, 1u);
  EXPECT_EQ(memory.memoryTypes[0].propertyFlags,
            VkMemoryPropertyFlags{
                VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT});
  ASSERT_EQ(memory.memoryHeapCount, 1u);
  EXPECT_GT(memory.memoryHeaps[0].size, 0u);
  EXPECT_EQ(memory.memoryHeaps[0].flags, VkMemoryHeapFlags{VK_MEMORY_HEAP_DEVICE_LOCAL_BIT});
}

TEST_F(PhysicalDeviceTest, BudgetIsWithinTheHeap) {
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
  VkPhysicalDeviceMemoryProperties2 memory{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
  vk.vkGetPhysicalDeviceMemoryProperties2(physical_device, &memory);
  EXPECT_GT(budget.heapBudget[0], 0u);
  EXPECT_LE(budget.heapBudget[0], memory.memoryProperties.memoryHeaps[0].size);
}

TEST_F(PhysicalDeviceTest, HeapSizeCanBeSet) {
  ScopedVariable size("TESSERA_MEMORY", "64M");
  VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  VkInstance small = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateInstance(&info, nullptr, &small), VK_SUCCESS);
  Functions functions;
  functions.loadInstance(small);
  uint32_t count = 8;
  VkPhysicalDevice devices[8];
  functions.vkEnumeratePhysicalDevices(small, &count, devices);
  ASSERT_GE(count, 1u);
  VkPhysicalDeviceMemoryProperties memory;
  functions.vkGetPhysicalDeviceMemoryProperties(devices[0], &memory);
  EXPECT_EQ(memory.memoryHeaps[0].size, 64u << 20);
  functions.vkDestroyInstance(small, nullptr);
}

TEST_F(PhysicalDeviceTest, PromotedExtensionsAreStillListed) {
  uint32_t count = 0;
  vk.vkEnumerateDeviceExtensionProperties(physical_device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vk.vkEnumerateDeviceExtensionProperties(physical_device, nullptr, &count, extensions.data());
  std::set<std::string> names;
  for (const VkExtensionProperties& extension : extensions) {
    EXPECT_GE(extension.specVersion, 1u) << extension.extensionName;
    EXPECT_TRUE(names.insert(extension.extensionName).second) << extension.extensionName;
  }
  for (const char* name :
       {"VK_KHR_16bit_storage", "VK_KHR_8bit_storage", "VK_KHR_shader_float16_int8",
        "VK_KHR_maintenance4", "VK_EXT_subgroup_size_control", "VK_KHR_cooperative_matrix",
        "VK_KHR_shader_bfloat16", "VK_KHR_timeline_semaphore", "VK_KHR_vulkan_memory_model"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  uint32_t two = 2;
  EXPECT_EQ(
      vk.vkEnumerateDeviceExtensionProperties(physical_device, nullptr, &two, extensions.data()),
      VK_INCOMPLETE);
  EXPECT_EQ(two, 2u);
}

TEST_F(PhysicalDeviceTest, FirstCooperativeMatrixIsThatWhichClientsTake) {
  uint32_t count = 0;
  ASSERT_EQ(vk.vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(physical_device, &count, nullptr),
            VK_SUCCESS);
  ASSERT_GE(count, 1u);
  std::vector<VkCooperativeMatrixPropertiesKHR> rows(
      count, {.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR});
  ASSERT_EQ(
      vk.vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(physical_device, &count, rows.data()),
      VK_SUCCESS);
  EXPECT_EQ(rows[0].MSize, 16u);
  EXPECT_EQ(rows[0].NSize, 16u);
  EXPECT_EQ(rows[0].KSize, 16u);
  EXPECT_EQ(rows[0].AType, VK_COMPONENT_TYPE_FLOAT16_KHR);
  EXPECT_EQ(rows[0].ResultType, VK_COMPONENT_TYPE_FLOAT32_KHR);
  EXPECT_EQ(rows[0].scope, VK_SCOPE_SUBGROUP_KHR);
}

// VK_NV_cooperative_matrix has the same rows, but for what its matrices cannot say.
TEST_F(PhysicalDeviceTest, CooperativeMatricesWithoutUseAreAmongThoseWith) {
  uint32_t count = 0;
  ASSERT_EQ(vk.vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(physical_device, &count, nullptr),
            VK_SUCCESS);
  std::vector<VkCooperativeMatrixPropertiesKHR> all(
      count, {.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR});
  ASSERT_EQ(
      vk.vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(physical_device, &count, all.data()),
      VK_SUCCESS);
  ASSERT_EQ(vk.vkGetPhysicalDeviceCooperativeMatrixPropertiesNV(physical_device, &count, nullptr),
            VK_SUCCESS);
  ASSERT_GE(count, 1u);
  std::vector<VkCooperativeMatrixPropertiesNV> rows(
      count, {.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_NV});
  ASSERT_EQ(
      vk.vkGetPhysicalDeviceCooperativeMatrixPropertiesNV(physical_device, &count, rows.data()),
      VK_SUCCESS);
  for (const VkCooperativeMatrixPropertiesNV& row : rows) {
    EXPECT_TRUE(std::ranges::any_of(all, [&](const VkCooperativeMatrixPropertiesKHR& other) {
      return other.MSize == row.MSize && other.NSize == row.NSize && other.KSize == row.KSize &&
             other.AType == row.AType && other.BType == row.BType && other.CType == row.CType &&
             other.ResultType == row.DType && other.scope == row.scope &&
             !other.saturatingAccumulation;
    }));
    EXPECT_NE(row.AType, VK_COMPONENT_TYPE_BFLOAT16_KHR);
  }
  uint32_t one = 1;
  EXPECT_EQ(vk.vkGetPhysicalDeviceCooperativeMatrixPropertiesNV(physical_device, &one, rows.data()),
            count == 1 ? VK_SUCCESS : VK_INCOMPLETE);
  VkPhysicalDeviceCooperativeMatrixPropertiesNV matrix{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_NV};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &matrix};
  vk.vkGetPhysicalDeviceProperties2(physical_device, &properties);
  EXPECT_EQ(matrix.cooperativeMatrixSupportedStages, VK_SHADER_STAGE_COMPUTE_BIT);
}

TEST_F(PhysicalDeviceTest, NoImageFormatIsSupported) {
  VkFormatProperties properties;
  std::memset(&properties, 0xff, sizeof properties);
  vk.vkGetPhysicalDeviceFormatProperties(physical_device, VK_FORMAT_R8G8B8A8_UNORM, &properties);
  EXPECT_EQ(properties.optimalTilingFeatures, 0u);
  EXPECT_EQ(properties.bufferFeatures, 0u);
  VkImageFormatProperties image;
  EXPECT_EQ(vk.vkGetPhysicalDeviceImageFormatProperties(physical_device, VK_FORMAT_R8G8B8A8_UNORM,
                                                        VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
                                                        VK_IMAGE_USAGE_STORAGE_BIT, 0, &image),
            VK_ERROR_FORMAT_NOT_SUPPORTED);
}

TEST_F(PhysicalDeviceTest, DeviceTypeCanBeSet) {
  ScopedVariable type("TESSERA_DEVICE_TYPE", "integrated");
  VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  VkInstance other = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateInstance(&info, nullptr, &other), VK_SUCCESS);
  Functions functions;
  functions.loadInstance(other);
  uint32_t count = 8;
  VkPhysicalDevice devices[8];
  functions.vkEnumeratePhysicalDevices(other, &count, devices);
  ASSERT_GE(count, 1u);
  VkPhysicalDeviceProperties properties;
  functions.vkGetPhysicalDeviceProperties(devices[0], &properties);
  EXPECT_EQ(properties.deviceType, VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU);
  functions.vkDestroyInstance(other, nullptr);
}

}  // namespace
}  // namespace api_test
