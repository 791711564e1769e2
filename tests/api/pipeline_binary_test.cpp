// SPDX-License-Identifier: Apache-2.0

// VK_KHR_pipeline_binary: compiled kernels that the application keeps.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "tests/api/pipeline_binary_fixture.h"

namespace api_test {
namespace {

TEST_F(PipelineBinaryTest, APipelineIsMadeAgainFromItsBinary) {
  VkPipeline pipeline = capture(), again = VK_NULL_HANDLE;
  VkPipelineBinaryHandlesInfoKHR handles{.sType =
                                             VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR};
  ASSERT_EQ(createBinaries(
                {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pipeline = pipeline},
                handles),
            VK_SUCCESS);
  EXPECT_EQ(handles.pipelineBinaryCount, 1u);
  VkPipelineCreationFeedback feedback{};
  VkPipelineCreationFeedbackCreateInfo feedback_info{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
      .pPipelineCreationFeedback = &feedback};
  ASSERT_EQ(createFrom(binaryOf(pipeline), &again, &feedback_info), VK_SUCCESS);
  EXPECT_EQ(feedback.flags, VkFlags{VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT});
  expectToWork(pipeline);
  expectToWork(again);
  // Which can be captured in turn.
  ASSERT_EQ(createFrom(binaryOf(pipeline), &again, &capturing), VK_SUCCESS);
  EXPECT_EQ(store(binaryOf(again)).data, store(binaryOf(pipeline)).data);
}

// The pipeline goes on, and what was made of it.
TEST_F(PipelineBinaryTest, CapturedDataCanBeReleased) {
  VkPipeline pipeline = capture(), again = VK_NULL_HANDLE;
  VkPipelineBinaryKHR binary = binaryOf(pipeline);
  const VkReleaseCapturedPipelineDataInfoKHR release{
      .sType = VK_STRUCTURE_TYPE_RELEASE_CAPTURED_PIPELINE_DATA_INFO_KHR, .pipeline = pipeline};
  EXPECT_EQ(vk.vkReleaseCapturedPipelineDataKHR(device, &release, nullptr), VK_SUCCESS);
  expectToWork(pipeline);
  ASSERT_EQ(createFrom(binary, &again), VK_SUCCESS);
  expectToWork(again);
  MISUSE_FROM_HERE();
  binaryOf({.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pipeline = pipeline},
           VK_ERROR_INITIALIZATION_FAILED);
}

TEST_F(PipelineBinaryTest, DataGoesToAnotherDeviceAndBack) {
  Stored stored = store(binaryOf(capture()));
  const std::vector<uint8_t> everything = keyOf(nullptr);
  TearDown();
  SetUp();
  EXPECT_EQ(keyOf(nullptr), everything);
  VkPipelineBinaryKHR binary = binaryOf(stored);
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(createFrom(binary, &pipeline), VK_SUCCESS);
  expectToWork(pipeline);
  const Stored same = store(binary);
  EXPECT_EQ(bytesOf(same.key), bytesOf(stored.key));
  EXPECT_EQ(same.data, stored.data);
}

TEST_F(PipelineBinaryTest, DataIsGivenWhollyOrNot) {
  VkPipelineBinaryKHR binary = binaryOf(capture());
  const Stored whole = store(binary);
  std::vector<std::byte> small(whole.data.size() - 1, std::byte{9});
  size_t bytes = small.size();
  const VkPipelineBinaryDataInfoKHR from{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR,
                                         .pipelineBinary = binary};
  VkPipelineBinaryKeyKHR key{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
  EXPECT_EQ(vk.vkGetPipelineBinaryDataKHR(device, &from, &key, &bytes, small.data()),
            VK_ERROR_NOT_ENOUGH_SPACE_KHR);
  EXPECT_EQ(bytes, whole.data.size());
  EXPECT_TRUE(std::ranges::all_of(small, [](std::byte b) { return b == std::byte{9}; }));
}

TEST_F(PipelineBinaryTest, KeysTellPipelinesApart) {
  const std::vector<uint8_t> key = keyOf(&info), everything = keyOf(nullptr);
  EXPECT_NE(key, everything);
  EXPECT_EQ(keyOf(&info), key);
  // A module is the same in the chain of the stage.
  const std::vector<uint32_t> words = host::compileGlsl(kBinaryShader, "test.comp", {});
  const VkShaderModuleCreateInfo code{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                      .codeSize = 4 * words.size(),
                                      .pCode = words.data()};
  VkComputePipelineCreateInfo other = infoOf(VK_NULL_HANDLE, nullptr);
  other.stage.pNext = &code;
  EXPECT_EQ(keyOf(&other), key);
  other = info;
  const uint32_t six = 6;
  const VkSpecializationMapEntry entry{.constantID = 3, .size = 4};
  const VkSpecializationInfo specialization{1, &entry, 4, &six};
  other.stage.pSpecializationInfo = &specialization;
  EXPECT_NE(keyOf(&other), key);
}

// One that is damaged leaves the others as they are; the result is the first that failed.
TEST_F(PipelineBinaryTest, DamagedDataIsRefused) {
  MISUSE_FROM_HERE();
  TearDown();
  ScopedVariable quiet("TESSERA_LOG", "off");
  SetUp();
  const Stored good = store(binaryOf(capture()));
  for (size_t place = 0; place < good.data.size(); place += place < 100 ? 1 : 777) {
    Stored changed = good;
    changed.data[place] ^= std::byte{1};
    VkPipelineBinaryKHR binary = VK_NULL_HANDLE;
    VkPipelineBinaryDataKHR data{changed.data.size(), changed.data.data()};
    const VkPipelineBinaryKeysAndDataKHR both{1, &changed.key, &data};
    const VkPipelineBinaryCreateInfoKHR from{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pKeysAndDataInfo = &both};
    VkPipelineBinaryHandlesInfoKHR handles{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR,
        .pipelineBinaryCount = 1,
        .pPipelineBinaries = &binary};
    EXPECT_EQ(vk.vkCreatePipelineBinariesKHR(device, &from, nullptr, &handles),
              VK_ERROR_INITIALIZATION_FAILED)
        << place;
    EXPECT_EQ(binary, VkPipelineBinaryKHR{VK_NULL_HANDLE});
  }
  for (size_t length : {size_t{0}, size_t{20}, size_t{100}, good.data.size() - 1}) {
    Stored cut = good;
    cut.data.resize(length);
    binaryOf(cut, VK_ERROR_INITIALIZATION_FAILED);
  }
  Stored other_key = good;
  other_key.key.key[3] ^= 1;
  binaryOf(other_key, VK_ERROR_INITIALIZATION_FAILED);

  const VkPipelineBinaryKeyKHR keys[] = {good.key, other_key.key, good.key};
  auto* bytes = const_cast<std::byte*>(good.data.data());
  VkPipelineBinaryDataKHR data[] = {
      {good.data.size(), bytes}, {good.data.size(), bytes}, {good.data.size(), bytes}};
  const VkPipelineBinaryKeysAndDataKHR three{3, keys, data};
  VkPipelineBinaryKHR made[3];
  VkPipelineBinaryHandlesInfoKHR handles{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR,
      .pipelineBinaryCount = 3,
      .pPipelineBinaries = made};
  made_at_most = 3;
  const VkPipelineBinaryCreateInfoKHR from{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pKeysAndDataInfo = &three};
  EXPECT_EQ(createBinaries(from, handles), VK_ERROR_INITIALIZATION_FAILED);
  EXPECT_NE(made[0], VkPipelineBinaryKHR{VK_NULL_HANDLE});
  EXPECT_EQ(made[1], VkPipelineBinaryKHR{VK_NULL_HANDLE});
  EXPECT_NE(made[2], VkPipelineBinaryKHR{VK_NULL_HANDLE});
}

// Which another cache folder stands for: it has another key.
TEST_F(PipelineBinaryTest, DataOfAnotherUserIsRefused) {
  MISUSE_FROM_HERE();
  char path[] = "/tmp/tessera_binaries_XXXXXX";
  const std::string root = mkdtemp(path);
  auto restartIn = [&](const std::string& folder) {
    TearDown();
    setenv("TESSERA_CACHE", (root + folder).c_str(), 1);
    SetUp();
  };
  const ScopedVariable restored("TESSERA_CACHE", "off");
  restartIn("/one");
  Stored stored = store(binaryOf(capture()));
  const std::vector<uint8_t> everything = keyOf(nullptr), own = keyOf(&info);
  restartIn("/other");
  EXPECT_NE(keyOf(nullptr), everything);
  EXPECT_EQ(keyOf(&info), own);
  binaryOf(stored, VK_ERROR_INITIALIZATION_FAILED);
  EXPECT_TRUE(wasTold("the data is not as vkGetPipelineBinaryDataKHR gave it to this user"));
  restartIn("/one");
  EXPECT_EQ(keyOf(nullptr), everything);
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(createFrom(binaryOf(stored), &pipeline), VK_SUCCESS);
  expectToWork(pipeline);
  std::filesystem::remove_all(root);
}

TEST_F(PipelineBinaryTest, ThereMayBeRoomForFewer) {
  SKIP_UNDER_VALIDATION("the layer does not see objects that come with VK_INCOMPLETE");
  Stored stored = store(binaryOf(capture()));
  const VkPipelineBinaryKeyKHR keys[] = {stored.key, stored.key};
  VkPipelineBinaryDataKHR data[] = {{stored.data.size(), stored.data.data()},
                                    {stored.data.size(), stored.data.data()}};
  const VkPipelineBinaryKeysAndDataKHR two{2, keys, data};
  VkPipelineBinaryKHR made[2] = {};
  VkPipelineBinaryHandlesInfoKHR handles{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR,
      .pipelineBinaryCount = 1,
      .pPipelineBinaries = made};
  made_at_most = 2;
  EXPECT_EQ(createBinaries({.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR,
                            .pKeysAndDataInfo = &two},
                           handles),
            VK_INCOMPLETE);
  EXPECT_EQ(handles.pipelineBinaryCount, 1u);
  EXPECT_NE(made[0], VkPipelineBinaryKHR{VK_NULL_HANDLE});
  EXPECT_EQ(made[1], VkPipelineBinaryKHR{VK_NULL_HANDLE});
}

// Kernels trust the memory of their sets.
TEST_F(PipelineBinaryTest, OfAnotherLayoutItIsRefused) {
  VkPipelineBinaryKHR binary = binaryOf(capture());
  MISUSE_FROM_HERE();
  layout = makePipelineLayout({}, 4);
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(createFrom(binary, &pipeline), VK_ERROR_INVALID_SHADER_NV);
  EXPECT_TRUE(wasTold("pipeline binary"));
  VkPipelineBinaryKHR two[] = {binary, binary};
  const VkPipelineBinaryInfoKHR binaries{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR,
                                         .binaryCount = 2,
                                         .pPipelineBinaries = two};
  EXPECT_EQ(create(infoOf(VK_NULL_HANDLE, &binaries), &pipeline), VK_ERROR_INVALID_SHADER_NV);
}

TEST_F(PipelineBinaryTest, ACountOfNoneMeansTheShader) {
  const VkPipelineBinaryInfoKHR none{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR};
  info.pNext = &none;
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(create(info, &pipeline), VK_SUCCESS);
  expectToWork(pipeline);
}

// With a cache on disk.
class InternalCacheTest : public PipelineBinaryTest {
 protected:
  ~InternalCacheTest() override { std::filesystem::remove_all(folder_); }

 private:
  static std::string makeFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "binariesXXXXXX").string();
    return mkdtemp(pattern.data());
  }
  const std::string folder_ = makeFolder();
  const ScopedVariable variable_{"TESSERA_CACHE", folder_.c_str()};
};

TEST_F(InternalCacheTest, HasWhatWasCompiledBefore) {
  EXPECT_TRUE(binaryProperties().pipelineBinaryInternalCache);
  binaryOf(info, VK_PIPELINE_BINARY_MISSING_KHR);
  VkPipeline pipeline = VK_NULL_HANDLE, again = VK_NULL_HANDLE;
  ASSERT_EQ(create(info, &pipeline), VK_SUCCESS);
  VkPipelineBinaryKHR binary = binaryOf(info, VK_SUCCESS);
  ASSERT_EQ(createFrom(binary, &again), VK_SUCCESS);
  expectToWork(again);
  // A pipeline whose kernel the cache had can be captured too.
  EXPECT_EQ(store(binaryOf(capture())).data, store(binary).data);
}

// What the application keeps itself is not kept twice.
TEST_F(InternalCacheTest, DoesNotGetWhatIsCaptured) {
  capture();
  binaryOf(info, VK_PIPELINE_BINARY_MISSING_KHR);
}

TEST_F(InternalCacheTest, CanBeSwitchedOff) {
  EXPECT_TRUE(binaryProperties().pipelineBinaryInternalCacheControl);
  TearDown();
  cache_control.disableInternalCache = VK_TRUE;
  SetUp();
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(create(info, &pipeline), VK_SUCCESS);
  TearDown();
  cache_control.disableInternalCache = VK_FALSE;
  SetUp();
  binaryOf(info, VK_PIPELINE_BINARY_MISSING_KHR);
}

TEST_F(PipelineBinaryTest, WithoutACacheThereIsNone) {
  TearDown();
  ScopedVariable off("TESSERA_CACHE", "off");
  SetUp();
  EXPECT_FALSE(binaryProperties().pipelineBinaryInternalCache);
  MISUSE_FROM_HERE();
  binaryOf(info, VK_PIPELINE_BINARY_MISSING_KHR);
}

}  // namespace
}  // namespace api_test
