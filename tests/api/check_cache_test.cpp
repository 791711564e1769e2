// SPDX-License-Identifier: Apache-2.0

// Checked kernels that come back from where kernels are kept: VkPipelineCache,
// VK_KHR_pipeline_binary and the folder.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>

#include "tests/api/check_fixture.h"

namespace api_test {
namespace {

using testing::HasSubstr;

using Bytes = std::vector<uint8_t>;

class CheckCacheTest : public CheckTest {
 protected:
  VkPipelineCache makeCache(const Bytes& data = {}) {
    const VkPipelineCacheCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                         .initialDataSize = data.size(),
                                         .pInitialData = data.data()};
    VkPipelineCache cache = VK_NULL_HANDLE;
    EXPECT_EQ(vk.vkCreatePipelineCache(device, &info, nullptr, &cache), VK_SUCCESS);
    atEnd([this, cache] { vk.vkDestroyPipelineCache(device, cache, nullptr); });
    return cache;
  }
  Bytes dataOf(VkPipelineCache cache) {
    size_t size = 0;
    EXPECT_EQ(vk.vkGetPipelineCacheData(device, cache, &size, nullptr), VK_SUCCESS);
    Bytes data(size);
    EXPECT_EQ(vk.vkGetPipelineCacheData(device, cache, &size, data.data()), VK_SUCCESS);
    return data;
  }
  VkComputePipelineCreateInfo storing() {
    VkComputePipelineCreateInfo info = infoOf(kStoringShader);
    name(VK_OBJECT_TYPE_SHADER_MODULE, reinterpret_cast<uint64_t>(info.stage.module), "step 2");
    return info;
  }
  // Whether the cache has it.
  bool isIn(VkPipelineCache cache) {
    VkComputePipelineCreateInfo info = storing();
    info.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result =
        vk.vkCreateComputePipelines(device, cache, 1, &info, nullptr, &pipeline);
    vk.vkDestroyPipeline(device, pipeline, nullptr);
    EXPECT_TRUE(result == VK_SUCCESS || result == VK_PIPELINE_COMPILE_REQUIRED) << result;
    return result == VK_SUCCESS;
  }
  std::string findingOf(VkPipeline pipeline) {
    const WordBuffer results = makeBuffer(6);
    name(results.buffer, "results");
    EXPECT_EQ(dispatch(pipeline, setOf(results.buffer), 0), VK_SUCCESS);
    return finding().text;
  }

 private:
  const ScopedVariable no_folder_{"TESSERA_CACHE", "off"};
};

TEST_F(CheckCacheTest, APipelineCachesKernelFindsTheSame) {
  const VkPipelineCache cache = makeCache();
  const std::string compiled = findingOf(pipelineOf(storing(), cache));
  const Bytes data = dataOf(cache);
  restart();
  const VkPipelineCache copy = makeCache(data);
  EXPECT_TRUE(isIn(copy));
  EXPECT_EQ(findingOf(pipelineOf(storing(), copy)), compiled);
}

TEST_F(CheckCacheTest, KernelsOfOtherSettingsAreOthers) {
  const struct {
    const char *checks, *action;
  } settings[] = {{"", ""}, {"memory", ""}, {"memory", "report"}};
  std::vector<Bytes> data;
  for (const auto& [checks, action] : settings) {
    useCheck(checks, action);
    restart();
    const VkPipelineCache cache = makeCache();
    pipelineOf(storing(), cache);
    data.push_back(dataOf(cache));
  }
  for (size_t own = 0; own < std::size(settings); ++own) {
    useCheck(settings[own].checks, settings[own].action);
    restart();
    for (size_t of = 0; of < data.size(); ++of)
      EXPECT_EQ(isIn(makeCache(data[of])), of == own) << own << " with that of " << of;
  }
}

// Both drop a store.
TEST_F(CheckCacheTest, LosingTheDeviceNeedsNoOtherKernel) {
  const VkPipelineCache cache = makeCache();
  pipelineOf(storing(), cache);
  const Bytes data = dataOf(cache);
  useCheck("memory", "device-lost");
  restart();
  EXPECT_TRUE(isIn(makeCache(data)));
}

TEST_F(CheckCacheTest, TheFoldersKernelFindsTheSame) {
  char path[] = "/tmp/tessera_kernels_XXXXXX";
  const std::string folder = mkdtemp(path);
  {
    const ScopedVariable variable("TESSERA_CACHE", folder.c_str());
    restart();
    const std::string compiled = findingOf(pipelineOf(storing()));
    EXPECT_THAT(compiled, HasSubstr("buffer-bounds"));
    restart();
    EXPECT_TRUE(isIn(VK_NULL_HANDLE));
    EXPECT_EQ(findingOf(pipelineOf(storing())), compiled);
    useCheck("");
    restart();
    EXPECT_FALSE(isIn(VK_NULL_HANDLE));
  }
  std::filesystem::remove_all(folder);
}

class CheckBinaryTest : public CheckCacheTest {
 protected:
  CheckBinaryTest() {
    device_extensions = {VK_KHR_MAINTENANCE_5_EXTENSION_NAME,
                         VK_KHR_PIPELINE_BINARY_EXTENSION_NAME};
    device_features = &binaries_;
  }

  // Of a pipeline that is made with it, or from what was stored.
  VkPipelineBinaryKHR binaryOf(const VkPipelineBinaryCreateInfoKHR& from) {
    VkPipelineBinaryKHR binary = VK_NULL_HANDLE;
    VkPipelineBinaryHandlesInfoKHR handles{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR,
        .pipelineBinaryCount = 1,
        .pPipelineBinaries = &binary};
    EXPECT_EQ(vk.vkCreatePipelineBinariesKHR(device, &from, nullptr, &handles), VK_SUCCESS);
    atEnd([=, this] { vk.vkDestroyPipelineBinaryKHR(device, binary, nullptr); });
    return binary;
  }
  std::vector<uint8_t> keyOf(VkComputePipelineCreateInfo info) {
    const VkPipelineCreateInfoKHR wrapped{.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR,
                                          .pNext = &info};
    VkPipelineBinaryKeyKHR key{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
    EXPECT_EQ(vk.vkGetPipelineKeyKHR(device, &wrapped, &key), VK_SUCCESS);
    return {key.key, key.key + key.keySize};
  }

 private:
  VkPhysicalDeviceMaintenance5Features maintenance5_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES};
  VkPhysicalDevicePipelineBinaryFeaturesKHR binaries_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR,
      .pNext = &maintenance5_};
};

TEST_F(CheckBinaryTest, ABinarysKernelFindsTheSame) {
  const VkPipelineCreateFlags2CreateInfo capturing{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
      .flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR};
  VkComputePipelineCreateInfo info = storing();
  info.pNext = &capturing;
  const VkPipeline pipeline = pipelineOf(info);
  const std::string compiled = findingOf(pipeline);
  EXPECT_THAT(compiled, HasSubstr("buffer-bounds"));
  VkPipelineBinaryKeyKHR key{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
  const VkPipelineBinaryDataInfoKHR from{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR,
      .pipelineBinary = binaryOf(
          {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pipeline = pipeline})};
  size_t bytes = 0;
  ASSERT_EQ(vk.vkGetPipelineBinaryDataKHR(device, &from, &key, &bytes, nullptr), VK_SUCCESS);
  Bytes data(bytes);
  ASSERT_EQ(vk.vkGetPipelineBinaryDataKHR(device, &from, &key, &bytes, data.data()), VK_SUCCESS);
  restart();
  VkComputePipelineCreateInfo again = storing();
  again.stage.module = VK_NULL_HANDLE;
  VkPipelineBinaryDataKHR stored{data.size(), data.data()};
  const VkPipelineBinaryKeysAndDataKHR both{1, &key, &stored};
  const VkPipelineBinaryKHR binary = binaryOf(
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pKeysAndDataInfo = &both});
  const VkPipelineBinaryInfoKHR binaries{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR,
                                         .binaryCount = 1,
                                         .pPipelineBinaries = &binary};
  again.pNext = &binaries;
  EXPECT_EQ(findingOf(pipelineOf(again)), compiled);
}

TEST_F(CheckBinaryTest, KeysTellCheckedPipelinesApart) {
  const std::vector<uint8_t> checked = keyOf(storing());
  restart();
  EXPECT_EQ(keyOf(storing()), checked);
  useCheck("");
  restart();
  EXPECT_NE(keyOf(storing()), checked);
}

}  // namespace
}  // namespace api_test
