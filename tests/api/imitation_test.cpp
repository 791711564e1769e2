// SPDX-License-Identifier: Apache-2.0

// TESSERA_IMITATE with files of Vulkan profiles: what they take away, what wins over them, and what
// is wrong with some.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/support/shader_compiler.h"
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

// A profile of one capability set, "SET".
std::string profileOf(const std::string& set, const std::string& own = "") {
  return R"({"capabilities": {"SET": )" + set +
         R"(}, "profiles": {"VP_T_one": {"version": 1, "api-version": "1.3.200", "label": "",
             "description": "", "capabilities": ["SET"]}})" +
         (own.empty() ? "" : R"(, "tessera": {"SET": )" + own + "}") + "}";
}

// An instance of its own, with its device.
class Imitator {
 public:
  Imitator(Functions& functions, const std::string& value) {
    const ScopedVariable imitate("TESSERA_IMITATE", value.c_str());
    const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                        .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                    .pApplicationInfo = &application};
    EXPECT_EQ(functions.vkCreateInstance(&info, nullptr, &instance_), VK_SUCCESS);
    vk.loadInstance(instance_);
    uint32_t count = 1;
    vk.vkEnumeratePhysicalDevices(instance_, &count, &device);
  }
  Imitator(const Imitator&) = delete;
  Imitator& operator=(const Imitator&) = delete;
  ~Imitator() { vk.vkDestroyInstance(instance_, nullptr); }

  VkPhysicalDeviceProperties properties() {
    VkPhysicalDeviceProperties properties;
    vk.vkGetPhysicalDeviceProperties(device, &properties);
    return properties;
  }
  VkPhysicalDeviceFeatures features() {
    VkPhysicalDeviceFeatures features;
    vk.vkGetPhysicalDeviceFeatures(device, &features);
    return features;
  }
  template <typename Structure>
  Structure propertiesOf(VkStructureType type) {
    return api_test::propertiesOf<Structure>(vk, device, type);
  }
  template <typename Structure>
  Structure featuresOf(VkStructureType type) {
    Structure result{};
    result.sType = type;
    VkPhysicalDeviceFeatures2 all{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                  .pNext = &result};
    vk.vkGetPhysicalDeviceFeatures2(device, &all);
    return result;
  }
  std::set<std::string> extensions() {
    uint32_t count = 0;
    vk.vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> all(count);
    vk.vkEnumerateDeviceExtensionProperties(device, nullptr, &count, all.data());
    std::set<std::string> names;
    for (const VkExtensionProperties& extension : all) names.insert(extension.extensionName);
    return names;
  }
  VkResult createDevice() { return tryDevice(vk, device); }

  Functions vk;
  VkPhysicalDevice device = VK_NULL_HANDLE;

 private:
  VkInstance instance_ = VK_NULL_HANDLE;
};

class ImitationTest : public InstanceTest {
 protected:
  ImitationTest() {
    std::string pattern = "/tmp/tessera-imitation-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~ImitationTest() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& text, const std::string& name = "profile.json") {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  // What the driver has written to its log by now.
  std::string log() {
    std::ifstream in(folder_ + "/log");
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::string folder_;
  const ScopedVariable level_{"TESSERA_LOG", "info"};
};

TEST_F(ImitationTest, WhatAProfileDoesNotSpeakOfStays) {
  const std::set<std::string> own = Imitator(vk, "").extensions();
  Imitator partial(vk, file(profileOf(R"({"properties": {"VkPhysicalDeviceProperties": {"limits":
      {"maxComputeSharedMemorySize": 32768, "maxComputeWorkGroupSize": [512, 256, 64],
       "minStorageBufferOffsetAlignment": 64}}}})")));
  EXPECT_EQ(partial.extensions(), own);
  EXPECT_TRUE(partial.features().shaderFloat64);
  const VkPhysicalDeviceLimits limits = partial.properties().limits;
  EXPECT_EQ(limits.maxComputeSharedMemorySize, 32768u);
  EXPECT_EQ(limits.maxComputeWorkGroupSize[0], 512u);
  EXPECT_EQ(limits.maxComputeWorkGroupSize[2], 64u);
  EXPECT_EQ(limits.minStorageBufferOffsetAlignment, 64u);
  EXPECT_EQ(limits.maxComputeWorkGroupInvocations, 1024u);
  EXPECT_EQ(VK_API_VERSION_PATCH(partial.properties().apiVersion), 200u);
  EXPECT_EQ(partial.createDevice(), VK_SUCCESS);
}

// By whatever name a structure is called: of the version, of the extension before, of its vendor.
TEST_F(ImitationTest, FeaturesAndExtensionsThatAreNotInAProfileAreNotThere) {
  Imitator device(vk, file(profileOf(R"({"extensions": {"VK_KHR_cooperative_matrix": 2,
      "VK_KHR_swapchain": 70}, "features": {
      "VkPhysicalDeviceFeatures": {"shaderInt64": true, "shaderInt16": false},
      "VkPhysicalDevice8BitStorageFeaturesKHR": {"storageBuffer8BitAccess": true},
      "VkPhysicalDeviceVulkan14Features": {"shaderSubgroupRotate": true},
      "VkPhysicalDeviceCooperativeMatrixFeaturesKHR": {"cooperativeMatrix": true}}})")));
  EXPECT_EQ(device.extensions(), std::set<std::string>{"VK_KHR_cooperative_matrix"});
  EXPECT_TRUE(device.features().shaderInt64);
  EXPECT_FALSE(device.features().shaderInt16);
  EXPECT_FALSE(device.features().shaderFloat64);
  const auto v12 = device.featuresOf<VkPhysicalDeviceVulkan12Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  EXPECT_TRUE(v12.storageBuffer8BitAccess);
  EXPECT_FALSE(v12.uniformAndStorageBuffer8BitAccess);
  const auto rotate = device.featuresOf<VkPhysicalDeviceShaderSubgroupRotateFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_ROTATE_FEATURES);
  EXPECT_TRUE(rotate.shaderSubgroupRotate);
  EXPECT_FALSE(rotate.shaderSubgroupRotateClustered);
  const auto nv = device.featuresOf<VkPhysicalDeviceCooperativeMatrixFeaturesNV>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV);
  EXPECT_FALSE(nv.cooperativeMatrix);
  // Nor are the multiplications of the other extensions.
  uint32_t count = 77;
  device.vk.vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(device.device, &count, nullptr);
  EXPECT_GT(count, 0u);
  device.vk.vkGetPhysicalDeviceCooperativeMatrixPropertiesNV(device.device, &count, nullptr);
  EXPECT_EQ(count, 0u);
}

// Sets of one profile promise together: the most of what each does. Of alternatives it is the first
// of those that lack least.
TEST_F(ImitationTest, SetsAndAlternatives) {
  auto limits = [](int shared) {
    return R"({"properties": {"VkPhysicalDeviceProperties": {"limits":
               {"maxComputeSharedMemorySize": )" +
           std::to_string(shared) + "}}}}";
  };
  const std::string text =
      R"({"capabilities": {"A": )" + limits(16384) + R"(, "B": )" + limits(24576) +
      R"(, "IMAGES": {"features": {"VkPhysicalDeviceFeatures": {"geometryShader": true}}},
          "INTS": {"features": {"VkPhysicalDeviceFeatures": {"shaderInt64": true}}},
          "FLOATS": {"features": {"VkPhysicalDeviceFeatures": {"shaderFloat64": true}}}},
          "profiles": {
            "VP_T_base": {"api-version": "1.1.0", "capabilities": ["A"]},
            "VP_T_more": {"api-version": "1.2.3", "profiles": ["VP_T_base"],
                          "capabilities": ["B", ["IMAGES", "INTS", "FLOATS"]]}}})";
  const std::string path = file(text);
  Imitator more(vk, path + ":VP_T_more");
  EXPECT_EQ(more.createDevice(), VK_SUCCESS);
  EXPECT_EQ(more.properties().limits.maxComputeSharedMemorySize, 24576u);
  EXPECT_EQ(more.properties().apiVersion, VK_MAKE_API_VERSION(0, 1, 2, 3));
  EXPECT_TRUE(more.features().shaderInt64);
  EXPECT_FALSE(more.features().shaderFloat64);
  Imitator base(vk, path + ":VP_T_base");
  EXPECT_EQ(base.properties().limits.maxComputeSharedMemorySize, 16384u);
  EXPECT_TRUE(base.features().shaderFloat64);
}

// As old files of gpuinfo.org have them.
TEST_F(ImitationTest, NumbersMayBeTexts) {
  Imitator device(vk, file(profileOf(R"({"properties": {"VkPhysicalDeviceProperties": {"limits":
      {"minStorageBufferOffsetAlignment": "128"}},
      "VkPhysicalDeviceVulkan12Properties": {"driverID": null}}})")));
  EXPECT_EQ(device.createDevice(), VK_SUCCESS);
  EXPECT_EQ(device.properties().limits.minStorageBufferOffsetAlignment, 128u);
}

TEST_F(ImitationTest, OtherVariablesWin) {
  const std::string path =
      file(profileOf(R"({"properties": {"VkPhysicalDeviceProperties": {"limits":
                     {"maxComputeSharedMemorySize": 16384, "maxPushConstantsSize": 128}},
                   "VkPhysicalDeviceVulkan11Properties": {"subgroupSize": 64},
                   "VkPhysicalDeviceVulkan13Properties":
                     {"minSubgroupSize": 64, "maxSubgroupSize": 64}}})"));
  auto sizes = [&] {
    Imitator device(vk, path);
    const auto v11 = device.propertiesOf<VkPhysicalDeviceVulkan11Properties>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES);
    const auto v13 = device.propertiesOf<VkPhysicalDeviceVulkan13Properties>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES);
    EXPECT_EQ(device.createDevice(), VK_SUCCESS);
    return std::vector{v11.subgroupSize, v13.minSubgroupSize, v13.maxSubgroupSize,
                       device.properties().limits.maxComputeSharedMemorySize,
                       device.properties().limits.maxPushConstantsSize};
  };
  EXPECT_EQ(sizes(), (std::vector<uint32_t>{64, 64, 64, 16384, 128}));
  const ScopedVariable size("TESSERA_SUBGROUP_SIZE", "16");
  // More than the profile has, and no more than the driver has.
  const ScopedVariable limits("TESSERA_LIMITS", "maxComputeSharedMemorySize=32K");
  EXPECT_EQ(sizes(), (std::vector<uint32_t>{16, 16, 64, 32768, 128}));
}

// What it has that the driver has not is counted, and listed where somebody asks.
TEST_F(ImitationTest, WhatIsLackingIsListed) {
  const ScopedVariable where("TESSERA_LOG_FILE", (folder_ + "/log").c_str());
  const std::string path = file(profileOf(
      R"({"extensions": {"VK_KHR_swapchain": 1, "VK_KHR_maintenance4": 1, "VK_KHR_surface": 1},
          "features": {"VkPhysicalDeviceFeatures": {"geometryShader": true, "shaderInt64": true},
                       "VkPhysicalDeviceMeshShaderFeaturesEXT": {"meshShader": true}},
          "properties": {"VkPhysicalDeviceProperties": {"deviceName": "Other", "limits":
            {"maxPushConstantsSize": 4096, "maxImageDimension2D": 4096, "maxTexelBufferElements": 0}},
            "VkPhysicalDeviceVulkan11Properties": {"subgroupSize": 128}},
          "formats": {"VK_FORMAT_R8_UNORM": {}}})",
      R"({"VkCooperativeMatrixPropertiesKHR": [{"MSize": 4, "NSize": 4, "KSize": 4,
          "AType": "VK_COMPONENT_TYPE_FLOAT16_KHR", "BType": "VK_COMPONENT_TYPE_FLOAT16_KHR",
          "CType": "VK_COMPONENT_TYPE_FLOAT32_KHR", "ResultType": "VK_COMPONENT_TYPE_FLOAT32_KHR",
          "saturatingAccumulation": false, "scope": "VK_SCOPE_SUBGROUP_KHR"}]})"));
  Imitator device(vk, path);
  EXPECT_EQ(device.createDevice(), VK_SUCCESS);
  const std::string all = log();
  const char* counts =
      "lacks some of what that device has: 2 extensions, 2 features, 3 properties, "
      "1 multiplications of matrices, 1 other things";
  for (const char* line :
       {counts, "not imitated, extensions: VK_KHR_surface, VK_KHR_swapchain\n",
        "not imitated, features: geometryShader, meshShader\n",
        "maxPushConstantsSize 4096 (here 256)", "subgroupSize 128 (here 32)",
        "maxImageDimension2D\n", "4x4x4 float16_t", "not imitated, other things: formats\n"})
    EXPECT_NE(all.find(line), std::string::npos) << line << "\nin:\n" << all;
}

// Of the profiles that come with the headers.
TEST_F(ImitationTest, ProfilesOfKhronos) {
  const std::string path = TESSERA_ROADMAP_PROFILES;
  ASSERT_TRUE(std::filesystem::exists(path));
  const ScopedVariable where("TESSERA_LOG_FILE", (folder_ + "/log").c_str());
  for (const char* name : {"VP_KHR_roadmap_2022", "VP_KHR_roadmap_2024", "VP_KHR_roadmap_2026"}) {
    std::filesystem::remove(folder_ + "/log");
    Imitator device(vk, path + ":" + name);
    EXPECT_EQ(device.createDevice(), VK_SUCCESS) << log();
    EXPECT_TRUE(device.features().robustBufferAccess);
    EXPECT_FALSE(device.features().shaderFloat64);
    EXPECT_EQ(device.properties().limits.maxComputeWorkGroupInvocations, 256u);
    const auto v12 = device.featuresOf<VkPhysicalDeviceVulkan12Features>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    EXPECT_TRUE(v12.timelineSemaphore);
    EXPECT_NE(log().find("samplerAnisotropy"), std::string::npos) << log();
  }
}

struct WrongFile {
  const char* text;
  const char* complaint;
};

TEST_F(ImitationTest, WrongFilesAreNoDevices) {
  const ScopedVariable where("TESSERA_LOG_FILE", (folder_ + "/log").c_str());
  auto expectComplaint = [&](const std::string& value, const std::string& complaint) {
    std::filesystem::remove(folder_ + "/log");
    Imitator device(vk, value);
    EXPECT_EQ(device.createDevice(), VK_ERROR_INITIALIZATION_FAILED) << value;
    const std::string all = log();
    const size_t at = all.find("vkCreateDevice: TESSERA_IMITATE=" + value);
    ASSERT_NE(at, std::string::npos) << all;
    const std::string line = all.substr(at, all.find('\n', at) - at);
    EXPECT_NE(line.find(complaint), std::string::npos) << line;
  };
  expectComplaint("nvidia-h100", "it takes nvidia-h200, FILE.json or FILE.json:PROFILE");
  expectComplaint(folder_ + "/none.json", "No such file");
  expectComplaint(folder_, "it is no file");
  const std::string fine = profileOf("{}");
  expectComplaint(file(fine) + ":VP_T_two", "has no profile VP_T_two; what it has is VP_T_one");
  const std::string deep(1 << 20, '[');
  expectComplaint(file(deep, "deep.json"), "more than 64 arrays and objects");
  const WrongFile wrong[] = {
      {"", "is not JSON"},
      {"{\"capabilities\": {", "is not JSON"},
      {"{\"capabilities\": \"\\ud800\xff\"}", "is not JSON"},
      {"[]", "has no \"capabilities\""},
      {R"({"capabilities": {}})", "has no \"profiles\""},
      {R"({"capabilities": {}, "profiles": {}})", "has no profile"},
      {R"({"capabilities": {}, "profiles": {"VP_A": {}, "VP_B": {}}})",
       "say which one with :PROFILE behind the file: VP_A, VP_B"},
      {R"({"capabilities": {}, "profiles": {"VP_A": {"api-version": "1.3.0",
          "capabilities": ["C"]}}})",
       "profiles.VP_A.capabilities names C, which is not there"},
      {R"({"capabilities": {}, "profiles": {"VP_A": {"api-version": "1.3.0",
          "capabilities": [[]]}}})",
       "empty array of alternatives"},
      {R"({"capabilities": {}, "profiles": {"VP_A": {"api-version": "one", "capabilities": []}}})",
       "it must be as in \"1.3.204\""},
      {R"({"capabilities": {}, "profiles": {"VP_A": {"api-version": "1.3.0", "capabilities": [],
          "profiles": ["VP_B"]}}})",
       "profiles.VP_B is required, but is not in this file"}};
  for (const WrongFile& one : wrong) expectComplaint(file(one.text), one.complaint);
  const WrongFile wrong_sets[] = {
      {R"({"extensions": ["VK_KHR_maintenance4"]})",
       "capabilities.SET.extensions must be an object"},
      {R"({"features": {"VkPhysicalDeviceFeatures": {"shaderInt64": 1}}})",
       "capabilities.SET.features.VkPhysicalDeviceFeatures.shaderInt64 must be true or false"},
      {R"({"properties": {"VkPhysicalDeviceProperties": {"limits":
          {"maxPushConstantsSize": "many"}}}})",
       "the property maxPushConstantsSize must be a whole number"},
      {R"({"properties": {"VkPhysicalDeviceProperties": {"limits":
          {"maxPushConstantsSize": -1}}}})",
       "the property maxPushConstantsSize must be a whole number"},
      {R"({"properties": {"VkPhysicalDeviceProperties": {"limits":
          {"nonCoherentAtomSize": 48}}}})",
       "the property nonCoherentAtomSize is 48; it must be a power of two"}};
  for (const WrongFile& one : wrong_sets) expectComplaint(file(profileOf(one.text)), one.complaint);
  const WrongFile wrong_own[] = {
      {R"({"componentLayout": "amd"})", "it takes native, nvidia, ptx"},
      {R"({"matrices": []})", "tessera.SET.matrices is not known"},
      {R"({"VkCooperativeMatrixPropertiesKHR": [{"MSize": 0}]})", ".MSize must be a whole number"},
      {R"({"VkCooperativeMatrixPropertiesKHR": [{"MSize": 16}]})", "has a row without NSize"}};
  for (const WrongFile& one : wrong_own)
    expectComplaint(file(profileOf("{}", one.text)), one.complaint);
  EXPECT_EQ(Imitator(vk, file(fine)).createDevice(), VK_SUCCESS);
}

// A pipeline cache of a device that refuses other shaders is another's.
TEST_F(ImitationTest, CachesAreTheirOwn) {
  const std::string path = file(profileOf("{}"));
  std::set<std::vector<uint8_t>> uuids;
  for (const std::string& value : {std::string(), std::string("nvidia-h200"), path}) {
    const VkPhysicalDeviceProperties properties = Imitator(vk, value).properties();
    uuids.insert({properties.pipelineCacheUUID, properties.pipelineCacheUUID + VK_UUID_SIZE});
  }
  EXPECT_EQ(uuids.size(), 3u);
}

}  // namespace
}  // namespace api_test
