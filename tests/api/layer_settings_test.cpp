// SPDX-License-Identifier: Apache-2.0

// VK_EXT_layer_settings: the configuration in the create info of an instance.
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

class LayerSettingsTest : public InstanceTest {
 protected:
  // Makes a device; its queue is not used.
  VkResult createDevice(std::span<const VkLayerSettingEXT> settings) {
    VkLayerSettingsCreateInfoEXT layer_settings{
        .sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
        .settingCount = static_cast<uint32_t>(settings.size()),
        .pSettings = settings.data()};
    VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                              .pNext = &layer_settings};
    VkInstance other = VK_NULL_HANDLE;
    VkResult result = vk.vkCreateInstance(&info, nullptr, &other);
    if (result != VK_SUCCESS) return result;
    Functions functions;
    functions.loadInstance(other);
    uint32_t count = 1;
    VkPhysicalDevice found = VK_NULL_HANDLE;
    functions.vkEnumeratePhysicalDevices(other, &count, &found);
    functions.vkGetPhysicalDeviceProperties(found, &properties);
    VkPhysicalDeviceMemoryProperties memory;
    functions.vkGetPhysicalDeviceMemoryProperties(found, &memory);
    heap_bytes = memory.memoryHeaps[0].size;
    result = tryDevice(functions, found);
    functions.vkDestroyInstance(other, nullptr);
    return result;
  }

  VkPhysicalDeviceProperties properties{};
  VkDeviceSize heap_bytes = 0;
};

VkLayerSettingEXT text(const char* name, const char* const& value, const char* layer = "Tessera") {
  return {layer, name, VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &value};
}

TEST_F(LayerSettingsTest, SettingsWinOverTheEnvironment) {
  ScopedVariable type("TESSERA_DEVICE_TYPE", "discrete");
  ScopedVariable bad("TESSERA_MEMORY", "plenty");
  const char* integrated = "integrated";
  const uint64_t bytes = 64 << 20;
  const VkLayerSettingEXT settings[] = {
      text("device_type", integrated),
      {"Tessera", "memory", VK_LAYER_SETTING_TYPE_UINT64_EXT, 1, &bytes}};
  EXPECT_EQ(createDevice(settings), VK_SUCCESS);
  EXPECT_EQ(properties.deviceType, VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU);
  EXPECT_EQ(heap_bytes, bytes);
}

TEST_F(LayerSettingsTest, AnEmptySettingIsTheDefault) {
  ScopedVariable type("TESSERA_DEVICE_TYPE", "discrete");
  const char* empty = "";
  const VkLayerSettingEXT settings[] = {text("device_type", empty)};
  EXPECT_EQ(createDevice(settings), VK_SUCCESS);
  EXPECT_EQ(properties.deviceType, VK_PHYSICAL_DEVICE_TYPE_CPU);
}

TEST_F(LayerSettingsTest, SettingsOfLayersAreTheirs) {
  const char* value = "discrete";
  const VkLayerSettingEXT settings[] = {text("device_type", value, "VK_LAYER_KHRONOS_validation"),
                                        text("no_such_thing", value, "VK_LAYER_KHRONOS_profiles")};
  EXPECT_EQ(createDevice(settings), VK_SUCCESS);
  EXPECT_EQ(properties.deviceType, VK_PHYSICAL_DEVICE_TYPE_CPU);
}

TEST_F(LayerSettingsTest, WhatIsNotUnderstoodIsRefused) {
  ScopedVariable quiet("TESSERA_LOG", "off");
  const char* value = "abacus";
  const uint32_t numbers[] = {1, 2};
  const VkBool32 yes = VK_TRUE;
  for (const VkLayerSettingEXT& setting :
       {text("device_type", value), text("no_such_thing", value),
        VkLayerSettingEXT{"Tessera", "threads", VK_LAYER_SETTING_TYPE_UINT32_EXT, 2, numbers},
        VkLayerSettingEXT{"Tessera", "dump", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &yes}}) {
    EXPECT_EQ(createDevice({&setting, 1}), VK_ERROR_INITIALIZATION_FAILED) << setting.pSettingName;
  }
}

}  // namespace
}  // namespace api_test
