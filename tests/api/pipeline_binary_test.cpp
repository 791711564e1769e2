// VK_KHR_pipeline_binary: compiled kernels that the application keeps.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "tests/support/shader_compiler.h"
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

constexpr const char* kShader = R"(#version 450
layout(local_size_x = 1) in;
layout(constant_id = 3) const uint kBase = 5;
layout(push_constant) uniform Push { uint value; };
layout(set = 0, binding = 0) buffer Output { uint words[]; };
void main() { words[gl_WorkGroupID.x] = kBase * value + gl_WorkGroupID.x; })";

// A key and its data, as an application stores them.
struct Stored {
  VkPipelineBinaryKeyKHR key{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
  std::vector<std::byte> data;
};

std::vector<uint8_t> bytesOf(const VkPipelineBinaryKeyKHR& key) {
  return {key.key, key.key + key.keySize};
}

class PipelineBinaryTest : public PipelineTest {
 protected:
  // The cache on disk, as far as a test has one, is in a folder of its own.
  void SetUp() override {
    start();
    if (HasFatalFailure()) return;
    set = makeSet(set_layout);
    output = makeBuffer(4);
    writeStorageBuffer(set, output.buffer);
  }

  void start() {
    device_extensions = {VK_KHR_MAINTENANCE_5_EXTENSION_NAME,
                         VK_KHR_PIPELINE_BINARY_EXTENSION_NAME};
    device_features = &binaries_;
    PipelineTest::SetUp();
    if (HasFatalFailure()) return;
    const VkDescriptorSetLayoutBinding binding{.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                               .descriptorCount = 1,
                                               .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    set_layout = makeSetLayout({&binding, 1});
    layout = makePipelineLayout({&set_layout, 1}, 4);
    info = infoOf(makeModule(host::compileGlsl(kShader, "test.comp", {})), nullptr);
  }

  VkComputePipelineCreateInfo infoOf(VkShaderModule module, const void* chain) {
    return {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .pNext = chain,
            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                      .module = module,
                      .pName = "main"},
            .layout = layout};
  }

  VkResult create(const VkComputePipelineCreateInfo& with, VkPipeline* pipeline) {
    const VkResult result =
        vk.vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &with, nullptr, pipeline);
    atEnd([this, made = *pipeline] { vk.vkDestroyPipeline(device, made, nullptr); });
    return result;
  }
  VkPipeline capture() {
    VkComputePipelineCreateInfo captured = info;
    captured.pNext = &capturing;
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(create(captured, &pipeline), VK_SUCCESS);
    return pipeline;
  }
  // Without a shader.
  VkResult createFrom(VkPipelineBinaryKHR binary, VkPipeline* pipeline,
                      const void* chain = nullptr) {
    const VkPipelineBinaryInfoKHR binaries{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR,
                                           .pNext = chain,
                                           .binaryCount = 1,
                                           .pPipelineBinaries = &binary};
    return create(infoOf(VK_NULL_HANDLE, &binaries), pipeline);
  }

  VkResult createBinaries(const VkPipelineBinaryCreateInfoKHR& from,
                          VkPipelineBinaryHandlesInfoKHR& handles) {
    const VkResult result = vk.vkCreatePipelineBinariesKHR(device, &from, nullptr, &handles);
    if (handles.pPipelineBinaries == nullptr) return result;
    for (VkPipelineBinaryKHR made : std::span(handles.pPipelineBinaries, made_at_most))
      atEnd([=, this] { vk.vkDestroyPipelineBinaryKHR(device, made, nullptr); });
    return result;
  }
  VkPipelineBinaryKHR binaryOf(const VkPipelineBinaryCreateInfoKHR& from,
                               VkResult expected = VK_SUCCESS) {
    VkPipelineBinaryKHR binary = VK_NULL_HANDLE;
    VkPipelineBinaryHandlesInfoKHR handles{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR,
        .pipelineBinaryCount = 1,
        .pPipelineBinaries = &binary};
    made_at_most = 1;
    EXPECT_EQ(createBinaries(from, handles), expected);
    EXPECT_EQ(handles.pipelineBinaryCount, expected == VK_SUCCESS ? 1u : 0u);
    return binary;
  }
  VkPipelineBinaryKHR binaryOf(VkPipeline pipeline) {
    return binaryOf(
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pipeline = pipeline});
  }
  VkPipelineBinaryKHR binaryOf(Stored& stored, VkResult expected = VK_SUCCESS) {
    VkPipelineBinaryDataKHR data{stored.data.size(), stored.data.data()};
    const VkPipelineBinaryKeysAndDataKHR both{1, &stored.key, &data};
    return binaryOf(
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pKeysAndDataInfo = &both},
        expected);
  }
  // From the driver's own cache.
  VkPipelineBinaryKHR binaryOf(const VkComputePipelineCreateInfo& of, VkResult expected) {
    const VkPipelineCreateInfoKHR wrapped = wrap(of);
    return binaryOf({.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR,
                     .pPipelineCreateInfo = &wrapped},
                    expected);
  }
  static VkPipelineCreateInfoKHR wrap(const VkComputePipelineCreateInfo& of) {
    return {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR,
            .pNext = const_cast<VkComputePipelineCreateInfo*>(&of)};
  }

  Stored store(VkPipelineBinaryKHR binary) {
    Stored stored;
    const VkPipelineBinaryDataInfoKHR from{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR,
                                           .pipelineBinary = binary};
    size_t bytes = 0;
    EXPECT_EQ(vk.vkGetPipelineBinaryDataKHR(device, &from, &stored.key, &bytes, nullptr),
              VK_SUCCESS);
    stored.data.resize(bytes);
    EXPECT_EQ(vk.vkGetPipelineBinaryDataKHR(device, &from, &stored.key, &bytes, stored.data.data()),
              VK_SUCCESS);
    EXPECT_EQ(bytes, stored.data.size());
    return stored;
  }

  std::vector<uint8_t> keyOf(const VkComputePipelineCreateInfo* of) {
    const VkPipelineCreateInfoKHR wrapped = of != nullptr ? wrap(*of) : VkPipelineCreateInfoKHR{};
    VkPipelineBinaryKeyKHR key{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
    EXPECT_EQ(vk.vkGetPipelineKeyKHR(device, of != nullptr ? &wrapped : nullptr, &key), VK_SUCCESS);
    EXPECT_GT(key.keySize, 0u);
    EXPECT_LE(key.keySize, uint32_t{VK_MAX_PIPELINE_BINARY_KEY_SIZE_KHR});
    return bytesOf(key);
  }

  void expectToWork(VkPipeline pipeline, uint32_t base = 5) {
    const uint32_t value = ++pushed_;
    run([&](VkCommandBuffer commands) {
      vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                 nullptr);
      vk.vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &value);
      vk.vkCmdDispatch(commands, 4, 1, 1);
    });
    for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(output.words[i], base * value + i);
  }

  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
  VkComputePipelineCreateInfo info{};
  WordBuffer output{};
  size_t made_at_most = 0;
  VkDevicePipelineBinaryInternalCacheControlKHR cache_control{
      .sType = VK_STRUCTURE_TYPE_DEVICE_PIPELINE_BINARY_INTERNAL_CACHE_CONTROL_KHR};

  const VkPipelineCreateFlags2CreateInfo capturing{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
      .flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR};

 private:
  VkPhysicalDeviceMaintenance5Features maintenance5_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES,
      .pNext = &cache_control,
      .maintenance5 = VK_TRUE};
  VkPhysicalDevicePipelineBinaryFeaturesKHR binaries_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR,
      .pNext = &maintenance5_,
      .pipelineBinaries = VK_TRUE};
  uint32_t pushed_ = 0;
};

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
  const std::vector<uint32_t> words = host::compileGlsl(kShader, "test.comp", {});
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

VkPhysicalDevicePipelineBinaryPropertiesKHR propertiesOf(const Functions& vk,
                                                         VkPhysicalDevice physical_device) {
  VkPhysicalDevicePipelineBinaryPropertiesKHR result{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_PROPERTIES_KHR};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &result};
  vk.vkGetPhysicalDeviceProperties2(physical_device, &properties);
  return result;
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
  EXPECT_TRUE(propertiesOf(vk, physical_device).pipelineBinaryInternalCache);
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
  EXPECT_TRUE(propertiesOf(vk, physical_device).pipelineBinaryInternalCacheControl);
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
  EXPECT_FALSE(propertiesOf(vk, physical_device).pipelineBinaryInternalCache);
  MISUSE_FROM_HERE();
  binaryOf(info, VK_PIPELINE_BINARY_MISSING_KHR);
}

}  // namespace
}  // namespace api_test
