// SPDX-License-Identifier: Apache-2.0

// VK_EXT_device_address_binding_report.
#include <mutex>
#include <utility>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

class AddressBindingTest : public DeviceTest {
 protected:
  struct Told {
    VkDebugUtilsMessageSeverityFlagBitsEXT severity;
    VkDebugUtilsMessageTypeFlagsEXT types;
    uint32_t objects;
    VkObjectType type;
    uint64_t object;
    VkDeviceAddressBindingCallbackDataEXT binding;
  };

  AddressBindingTest() {
    device_extensions = {VK_EXT_DEVICE_ADDRESS_BINDING_REPORT_EXTENSION_NAME};
    device_features = &features;
  }

  void SetUp() override {
    DeviceTest::SetUp();
    if (HasFatalFailure()) return;
    const VkDebugUtilsMessengerCreateInfoEXT info{
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT,
        .pfnUserCallback = receive,
        .pUserData = this};
    ASSERT_EQ(vk.vkCreateDebugUtilsMessengerEXT(instance, &info, nullptr, &messenger_), VK_SUCCESS);
    atEnd([this] { vk.vkDestroyDebugUtilsMessengerEXT(instance, messenger_, nullptr); });
  }

  // Since the last call.
  std::vector<Told> told() {
    std::lock_guard lock(mutex_);
    return std::exchange(told_, {});
  }

  static void expectTold(const Told& told, VkObjectType type, uint64_t object,
                         VkDeviceAddress address, VkDeviceSize size,
                         VkDeviceAddressBindingTypeEXT what) {
    EXPECT_EQ(told.severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT);
    EXPECT_EQ(told.types, VkFlags{VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT});
    EXPECT_EQ(told.objects, 1u);
    EXPECT_EQ(told.type, type);
    // The layer gives the application handles of its own.
    if (!test::underValidation()) {
      EXPECT_EQ(told.object, object);
    }
    EXPECT_EQ(told.binding.flags, 0u);
    EXPECT_EQ(told.binding.baseAddress, address);
    EXPECT_GE(told.binding.size, size);
    EXPECT_EQ(told.binding.bindingType, what);
  }

  VkPhysicalDeviceAddressBindingReportFeaturesEXT features{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT};

 private:
  static VKAPI_ATTR VkBool32 VKAPI_CALL receive(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                VkDebugUtilsMessageTypeFlagsEXT types,
                                                const VkDebugUtilsMessengerCallbackDataEXT* data,
                                                void* test) {
    auto* self = static_cast<AddressBindingTest*>(test);
    auto* binding = static_cast<const VkDeviceAddressBindingCallbackDataEXT*>(data->pNext);
    EXPECT_NE(binding, nullptr);
    EXPECT_NE(data->pMessage, nullptr);
    if (binding == nullptr || data->objectCount == 0) return VK_FALSE;
    EXPECT_EQ(binding->sType, VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT);
    std::lock_guard lock(self->mutex_);
    self->told_.push_back({severity, types, data->objectCount, data->pObjects[0].objectType,
                           data->pObjects[0].objectHandle, *binding});
    return VK_FALSE;
  }

  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  std::mutex mutex_;
  std::vector<Told> told_;
};

TEST_F(AddressBindingTest, MemoryAndBuffersComeAndGo) {
  ASSERT_EQ(features.reportAddressBinding, VK_TRUE);
  const VkBufferCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = 256,
      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
  VkBuffer buffer = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateBuffer(device, &info, nullptr, &buffer), VK_SUCCESS);
  EXPECT_TRUE(told().empty());
  const VkMemoryAllocateFlagsInfo flags{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  const VkMemoryAllocateInfo allocate{
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &flags, .allocationSize = 4096};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkAllocateMemory(device, &allocate, nullptr, &memory), VK_SUCCESS);
  const std::vector<Told> allocated = told();
  ASSERT_EQ(vk.vkBindBufferMemory(device, buffer, memory, 1024), VK_SUCCESS);
  const std::vector<Told> bound = told();
  const VkBufferDeviceAddressInfo of{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                     .buffer = buffer};
  const VkDeviceAddress address = vk.vkGetBufferDeviceAddress(device, &of);
  const auto memory_number = reinterpret_cast<uint64_t>(memory);
  const auto buffer_number = reinterpret_cast<uint64_t>(buffer);
  vk.vkDestroyBuffer(device, buffer, nullptr);
  const std::vector<Told> destroyed = told();
  vk.vkFreeMemory(device, memory, nullptr);
  const std::vector<Told> freed = told();
  for (const auto* events : {&allocated, &bound, &destroyed, &freed}) ASSERT_EQ(events->size(), 1u);
  expectTold(allocated[0], VK_OBJECT_TYPE_DEVICE_MEMORY, memory_number, address - 1024, 4096,
             VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
  expectTold(bound[0], VK_OBJECT_TYPE_BUFFER, buffer_number, address, 256,
             VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
  expectTold(destroyed[0], VK_OBJECT_TYPE_BUFFER, buffer_number, address, 256,
             VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
  expectTold(freed[0], VK_OBJECT_TYPE_DEVICE_MEMORY, memory_number, address - 1024, 4096,
             VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
}

TEST_F(AddressBindingTest, NullAndWhatHasNoMemoryGoSilently) {
  const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                .size = 256,
                                .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
  VkBuffer buffer = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateBuffer(device, &info, nullptr, &buffer), VK_SUCCESS);
  vk.vkDestroyBuffer(device, buffer, nullptr);
  vk.vkDestroyBuffer(device, VK_NULL_HANDLE, nullptr);
  vk.vkFreeMemory(device, VK_NULL_HANDLE, nullptr);
  EXPECT_TRUE(told().empty());
}

TEST_F(AddressBindingTest, NothingIsToldWithoutTheFeature) {
  TearDown();
  choose_features = [this](VkPhysicalDeviceFeatures2&) {
    features.reportAddressBinding = VK_FALSE;
  };
  SetUp();
  makeBuffer(4);
  EXPECT_TRUE(told().empty());
}

}  // namespace
}  // namespace api_test
