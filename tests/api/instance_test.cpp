// SPDX-License-Identifier: Apache-2.0

// Instances, and what can be asked before a device exists.
#include <algorithm>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

TEST_F(InstanceTest, VersionIsAtLeastThatOfTheDevice) {
  VkPhysicalDeviceProperties properties;
  vk.vkGetPhysicalDeviceProperties(physical_device, &properties);
  EXPECT_EQ(VK_API_VERSION_MAJOR(properties.apiVersion), 1u);
  EXPECT_EQ(VK_API_VERSION_MINOR(properties.apiVersion), 3u);
}

// Through an instance; global commands are looked up without one.
TEST_F(InstanceTest, CommandsOfEveryLevelResolve) {
  auto expectResolved = [&](std::string_view level, const char* name) {
    VkInstance owner = level == "Global" ? VK_NULL_HANDLE : instance;
    EXPECT_NE(loaderGetInstanceProcAddr()(owner, name), nullptr) << name;
  };
#define ENTRY(level, name, gate) expectResolved(#level, #name);
#define ALIAS(level, name, target, gate)
#define STUB(level, name, gate) expectResolved(#level, #name);
#include "icd/entrypoints.def"
}

TEST_F(InstanceTest, UnknownCommandsDoNotResolve) {
  EXPECT_EQ(loaderGetInstanceProcAddr()(instance, "vkFlyToTheMoon"), nullptr);
  EXPECT_EQ(loaderGetInstanceProcAddr()(nullptr, "vkCreateDevice"), nullptr);
}

TEST_F(InstanceTest, UnknownExtensionIsRefused) {
  const char* names[] = {"VK_KHR_nothing_of_the_kind"};
  VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                            .enabledExtensionCount = 1,
                            .ppEnabledExtensionNames = names};
  VkInstance refused = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkCreateInstance(&info, nullptr, &refused), VK_ERROR_EXTENSION_NOT_PRESENT);
}

TEST_F(InstanceTest, SeveralInstancesLiveSideBySide) {
  VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  for (int i = 0; i < 3; ++i) {
    VkInstance other = VK_NULL_HANDLE;
    ASSERT_EQ(vk.vkCreateInstance(&info, nullptr, &other), VK_SUCCESS);
    auto destroy = reinterpret_cast<PFN_vkDestroyInstance>(
        loaderGetInstanceProcAddr()(other, "vkDestroyInstance"));
    destroy(other, nullptr);
  }
}

TEST_F(InstanceTest, OneGroupHoldsTheDevice) {
  uint32_t count = 0;
  ASSERT_EQ(vk.vkEnumeratePhysicalDeviceGroups(instance, &count, nullptr), VK_SUCCESS);
  std::vector<VkPhysicalDeviceGroupProperties> groups(
      count, {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GROUP_PROPERTIES});
  ASSERT_EQ(vk.vkEnumeratePhysicalDeviceGroups(instance, &count, groups.data()), VK_SUCCESS);
  bool found = std::ranges::any_of(groups, [&](const VkPhysicalDeviceGroupProperties& group) {
    return group.physicalDeviceCount == 1 && group.physicalDevices[0] == physical_device;
  });
  EXPECT_TRUE(found);
}

TEST_F(InstanceTest, SubmittedMessagesReachTheMessenger) {
  VkDebugUtilsMessengerCallbackDataEXT data{
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
      .pMessage = "hello from the application"};
  vk.vkSubmitDebugUtilsMessageEXT(instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
                                  VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, &data);
  EXPECT_TRUE(wasTold("hello from the application"));
}

}  // namespace
}  // namespace api_test
