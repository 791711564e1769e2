// SPDX-License-Identifier: Apache-2.0

// Caches of compiled shaders: VkPipelineCache, and the folder for later processes.
#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "tests/support/shader_compiler.h"
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kShader = R"(#version 450
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint kValue = 1;
layout(set = 0, binding = 0) buffer Output { uint words[]; };
void main() { words[gl_WorkGroupID.x] = kValue * 5u + gl_WorkGroupID.x; })";

using Bytes = std::vector<uint8_t>;

class PipelineCacheTest : public PipelineTest {
 protected:
  void SetUp() override {
    PipelineTest::SetUp();
    if (HasFatalFailure()) return;
    listenToInfos();
    set_layout = makeSetLayout();
    layout = makePipelineLayout({&set_layout, 1}, 0);
    module = makeModule(host::compileGlsl(kShader, "cached.comp", {}));
    set = makeSet(set_layout);
    output = makeBuffer(4);
    writeStorageBuffer(set, output.buffer);
  }

  VkPhysicalDeviceProperties coreProperties() const {
    VkPhysicalDeviceProperties properties;
    vk.vkGetPhysicalDeviceProperties(physical_device, &properties);
    return properties;
  }

  // What the driver has said at this level since the last call.
  std::vector<std::string> infos() { return std::exchange(infos_, {}); }

  VkPipelineCache makeCache(std::span<const uint8_t> data = {}) {
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
    EXPECT_EQ(size, data.size());
    return data;
  }

  struct Made {
    VkResult result;
    VkPipelineCreationFeedbackFlags feedback;
  };
  // Makes the pipeline of kValue = value; what was made has run and was right.
  Made make(VkPipelineCache cache, uint32_t value, VkPipelineCreateFlags flags = 0) {
    VkPipelineCreationFeedback feedback{}, stage_feedback{};
    const VkPipelineCreationFeedbackCreateInfo feedback_info{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
        .pPipelineCreationFeedback = &feedback,
        .pipelineStageCreationFeedbackCount = 1,
        .pPipelineStageCreationFeedbacks = &stage_feedback};
    VkComputePipelineCreateInfo info = infoOf(value, flags);
    info.pNext = &feedback_info;
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result =
        vk.vkCreateComputePipelines(device, cache, 1, &info, nullptr, &pipeline);
    EXPECT_EQ(result == VK_SUCCESS, pipeline != VK_NULL_HANDLE);
    EXPECT_EQ(feedback.flags, stage_feedback.flags);
    if (pipeline != VK_NULL_HANDLE) {
      expectRight(pipeline, value);
      vk.vkDestroyPipeline(device, pipeline, nullptr);
    }
    return {result, feedback.flags};
  }

  VkComputePipelineCreateInfo infoOf(uint32_t value, VkPipelineCreateFlags flags) {
    static constexpr VkSpecializationMapEntry kEntry{0, 0, 4};
    values_.push_back(std::make_unique<uint32_t>(value));
    specializations_.push_back(std::make_unique<VkSpecializationInfo>(
        VkSpecializationInfo{1, &kEntry, 4, values_.back().get()}));
    return {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .flags = flags,
            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                      .module = module,
                      .pName = "main",
                      .pSpecializationInfo = specializations_.back().get()},
            .layout = layout};
  }

  void expectRight(VkPipeline pipeline, uint32_t value) {
    std::ranges::fill(output.words, 0);
    run([&](VkCommandBuffer commands) {
      vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                 nullptr);
      vk.vkCmdDispatch(commands, 4, 1, 1);
    });
    for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(output.words[i], value * 5 + i);
  }

  // Of the pipelines 1 to `count`, how many `cache` has.
  int hits(VkPipelineCache cache, uint32_t count) {
    int result = 0;
    for (uint32_t value = 1; value <= count; ++value)
      result += make(cache, value, kFromCache).result == VK_SUCCESS;
    return result;
  }

  static constexpr VkPipelineCreateFlags kFromCache =
      VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  static constexpr VkPipelineCreationFeedbackFlags kHit =
      VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT |
      VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;

  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  VkShaderModule module;
  VkDescriptorSet set;
  WordBuffer output;

 private:
  void listenToInfos() {
    const VkDebugUtilsMessengerCreateInfoEXT info{
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
        .pfnUserCallback =
            [](VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
               const VkDebugUtilsMessengerCallbackDataEXT* data, void* test) -> VkBool32 {
          const std::string name = data->pMessageIdName != nullptr ? data->pMessageIdName : "";
          auto* self = static_cast<PipelineCacheTest*>(test);
          if (name == "Tessera") self->infos_.push_back(data->pMessage);
          return VK_FALSE;
        },
        .pUserData = this};
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    ASSERT_EQ(vk.vkCreateDebugUtilsMessengerEXT(instance, &info, nullptr, &messenger), VK_SUCCESS);
    atEnd([this, messenger] { vk.vkDestroyDebugUtilsMessengerEXT(instance, messenger, nullptr); });
  }

  std::vector<std::string> infos_;
  std::vector<std::unique_ptr<uint32_t>> values_;
  std::vector<std::unique_ptr<VkSpecializationInfo>> specializations_;
};

class ApplicationCacheTest : public PipelineCacheTest {
 private:
  const ScopedVariable no_folder_{"TESSERA_CACHE", "off"};
};

TEST_F(ApplicationCacheTest, HasWhatWasMadeWithIt) {
  VkPipelineCache cache = makeCache();
  EXPECT_EQ(make(cache, 1, kFromCache).result, VK_PIPELINE_COMPILE_REQUIRED);
  EXPECT_EQ(make(cache, 1).feedback, VkFlags{VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT});
  EXPECT_EQ(make(cache, 1).feedback, kHit);
  EXPECT_EQ(make(cache, 1, kFromCache).feedback, kHit);
  EXPECT_EQ(make(cache, 2, kFromCache).result, VK_PIPELINE_COMPILE_REQUIRED);
  EXPECT_EQ(make(VK_NULL_HANDLE, 1, kFromCache).result, VK_PIPELINE_COMPILE_REQUIRED);
  EXPECT_EQ(make(makeCache(), 1, kFromCache).result, VK_PIPELINE_COMPILE_REQUIRED);
}

TEST_F(ApplicationCacheTest, TravelsAsData) {
  VkPipelineCache cache = makeCache();
  make(cache, 1);
  make(cache, 2);
  const Bytes data = dataOf(cache);
  VkPipelineCache copy = makeCache(data);
  EXPECT_EQ(hits(copy, 3), 2);
  EXPECT_EQ(dataOf(copy), data);
}

TEST_F(ApplicationCacheTest, HeaderIsTheSpecifications) {
  VkPhysicalDeviceProperties properties;
  vk.vkGetPhysicalDeviceProperties(physical_device, &properties);
  VkPipelineCacheHeaderVersionOne header;
  const Bytes data = dataOf(makeCache());
  ASSERT_EQ(data.size(), sizeof header);
  std::memcpy(&header, data.data(), sizeof header);
  EXPECT_EQ(header.headerSize, sizeof header);
  EXPECT_EQ(header.headerVersion, VK_PIPELINE_CACHE_HEADER_VERSION_ONE);
  EXPECT_EQ(header.vendorID, properties.vendorID);
  EXPECT_EQ(header.deviceID, properties.deviceID);
  EXPECT_EQ(std::memcmp(header.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE), 0);
}

TEST_F(ApplicationCacheTest, DataInPartIsACacheToo) {
  VkPipelineCache cache = makeCache();
  for (uint32_t value : {1, 2, 3}) make(cache, value);
  const Bytes whole = dataOf(cache);
  int previous = 0;
  for (size_t room : {size_t{0}, sizeof(VkPipelineCacheHeaderVersionOne) - 1,
                      sizeof(VkPipelineCacheHeaderVersionOne), whole.size() / 2,
                      whole.size() * 4 / 5, whole.size() - 1}) {
    Bytes data(room + 1);  // never null
    size_t size = room;
    EXPECT_EQ(vk.vkGetPipelineCacheData(device, cache, &size, data.data()), VK_INCOMPLETE);
    ASSERT_LE(size, room);
    if (room < sizeof(VkPipelineCacheHeaderVersionOne)) {
      EXPECT_EQ(size, 0u);
      continue;
    }
    data.resize(size);
    const int count = hits(makeCache(data), 3);
    EXPECT_GE(count, previous);
    EXPECT_LT(count, 3);
    previous = count;
  }
  EXPECT_EQ(previous, 2);
}

TEST_F(ApplicationCacheTest, MergingIsUnion) {
  VkPipelineCache one = makeCache(), other = makeCache(), none = makeCache(), all = makeCache();
  make(one, 1);
  make(one, 2);
  make(other, 2);
  make(other, 3);
  make(all, 4);
  const VkPipelineCache sources[] = {one, none, other};
  EXPECT_EQ(vk.vkMergePipelineCaches(device, all, 3, sources), VK_SUCCESS);
  EXPECT_EQ(hits(all, 5), 4);
  EXPECT_EQ(hits(one, 5), 2);
}

// Data that was cut, changed or continued anywhere is code of somebody else's: none of it is used.
TEST_F(ApplicationCacheTest, DamagedData) {
  VkPipelineCache cache = makeCache();
  make(cache, 1);
  make(cache, 2);
  const Bytes data = dataOf(cache);
  EXPECT_EQ(hits(makeCache(data), 2), 2);
  EXPECT_THAT(infos(),
              Contains(HasSubstr("found in the application's pipeline cache in ")).Times(2));
  for (size_t at = 0; at < data.size(); at += at < 160 ? 1 : 97) {
    Bytes changed = data;
    changed[at] ^= static_cast<uint8_t>(1 << at % 8);
    VkPipelineCache damaged = makeCache(changed);
    EXPECT_THAT(infos(), ElementsAre(HasSubstr("the initial data is not used"))) << at;
    EXPECT_EQ(hits(damaged, 2), 0) << at;
    VkPipelineCache cut = makeCache(std::span(data).first(at));
    // Nothing, and the header alone, are caches without entries.
    const bool whole = at == 0 || at == sizeof(VkPipelineCacheHeaderVersionOne);
    EXPECT_EQ(infos().size(), whole ? 0u : 1u) << at;
    EXPECT_EQ(hits(cut, 2), 0) << at;
  }
  for (const size_t more : {1, 8, 100}) {
    Bytes longer = data;
    longer.resize(data.size() + more, 0xff);
    EXPECT_EQ(hits(makeCache(longer), 2), 0) << more;
  }
  // It goes on as any other.
  VkPipelineCache empty = makeCache(std::span(data).first(data.size() - 1));
  make(empty, 1);
  EXPECT_EQ(hits(makeCache(dataOf(empty)), 2), 1);
}

TEST_F(ApplicationCacheTest, ManyPipelinesInOneCall) {
  std::vector<VkComputePipelineCreateInfo> infos;
  for (uint32_t value = 1; value <= 12; ++value) infos.push_back(infoOf(value, 0));
  std::vector<VkPipeline> pipelines(infos.size());
  VkPipelineCache cache = makeCache();
  ASSERT_EQ(vk.vkCreateComputePipelines(device, cache, 12, infos.data(), nullptr, pipelines.data()),
            VK_SUCCESS);
  for (uint32_t i = 0; i < 12; ++i) {
    expectRight(pipelines[i], i + 1);
    vk.vkDestroyPipeline(device, pipelines[i], nullptr);
  }
  EXPECT_EQ(hits(cache, 13), 12);
}

TEST_F(ApplicationCacheTest, NoneIsMadeBehindAnEarlyReturn) {
  VkPipelineCache cache = makeCache();
  make(cache, 1);
  const VkComputePipelineCreateInfo infos[] = {
      infoOf(1, kFromCache), infoOf(2, kFromCache), infoOf(1, kFromCache),
      infoOf(3, kFromCache | VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT),
      infoOf(1, kFromCache)};
  VkPipeline pipelines[5];
  EXPECT_EQ(vk.vkCreateComputePipelines(device, cache, 5, infos, nullptr, pipelines),
            VK_PIPELINE_COMPILE_REQUIRED);
  const bool made[] = {true, false, true, false, false};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(pipelines[i] != VK_NULL_HANDLE, made[i]) << i;
    vk.vkDestroyPipeline(device, pipelines[i], nullptr);
  }
}

// Each test begins with an empty folder; `restart` is another process's view of it.
class DiskCacheTest : public PipelineCacheTest {
 protected:
  DiskCacheTest() {
    char path[] = "/tmp/tessera_kernels_XXXXXX";
    folder = mkdtemp(path);
    variable_.emplace("TESSERA_CACHE", folder.c_str());
  }
  ~DiskCacheTest() override {
    chmod(folder.c_str(), 0700);
    fs::remove_all(folder);
  }

  void restart() {
    TearDown();
    SetUp();
  }

  // Of kernels.
  std::vector<fs::path> files() const {
    std::vector<fs::path> result;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().filename() != "key") result.push_back(entry.path());
    return result;
  }

  std::string folder;

 private:
  std::optional<ScopedVariable> variable_;
};

TEST_F(DiskCacheTest, ASecondStartCompilesNothing) {
  EXPECT_EQ(make(VK_NULL_HANDLE, 1, kFromCache).result, VK_PIPELINE_COMPILE_REQUIRED);
  EXPECT_EQ(make(VK_NULL_HANDLE, 1).result, VK_SUCCESS);
  EXPECT_EQ(files().size(), 1u);
  restart();
  const Made made = make(VK_NULL_HANDLE, 1, kFromCache);
  EXPECT_EQ(made.result, VK_SUCCESS);
  EXPECT_EQ(made.feedback, VkFlags{VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT});
  EXPECT_EQ(make(VK_NULL_HANDLE, 2, kFromCache).result, VK_PIPELINE_COMPILE_REQUIRED);
  // The application's own cache receives it on the way.
  VkPipelineCache cache = makeCache();
  EXPECT_NE(make(cache, 1).feedback, kHit);
  EXPECT_EQ(make(cache, 1).feedback, kHit);
}

TEST_F(DiskCacheTest, OtherInstructionSetsAreOtherEntries) {
  EXPECT_EQ(make(VK_NULL_HANDLE, 1).result, VK_SUCCESS);
  {
    const ScopedVariable isa("TESSERA_ISA", "reference");
    restart();
    EXPECT_EQ(make(VK_NULL_HANDLE, 1, kFromCache).result, VK_PIPELINE_COMPILE_REQUIRED);
    EXPECT_EQ(make(VK_NULL_HANDLE, 1).result, VK_SUCCESS);
  }
  EXPECT_EQ(files().size(), 2u);
  restart();
  EXPECT_EQ(make(VK_NULL_HANDLE, 1, kFromCache).result, VK_SUCCESS);
}

TEST_F(DiskCacheTest, DamagedFilesAreCompiledAgain) {
  EXPECT_EQ(make(VK_NULL_HANDLE, 1).result, VK_SUCCESS);
  const fs::path file = files().at(0);
  const auto size = fs::file_size(file);
  for (const uintmax_t at : {uintmax_t{0}, size / 2, size - 1}) {
    fs::resize_file(file, at);
    EXPECT_EQ(make(VK_NULL_HANDLE, 1, kFromCache).result, VK_PIPELINE_COMPILE_REQUIRED);
    EXPECT_EQ(make(VK_NULL_HANDLE, 1).result, VK_SUCCESS);
    EXPECT_EQ(fs::file_size(file), size);
  }
}

// Which another folder stands for here: it has another key.
TEST_F(DiskCacheTest, DataOfAnotherUserIsNotUsed) {
  VkPipelineCache cache = makeCache();
  make(cache, 1);
  const Bytes own = dataOf(cache);
  const VkPhysicalDeviceProperties properties = coreProperties();
  restart();
  EXPECT_EQ(
      std::memcmp(coreProperties().pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE),
      0);
  fs::remove_all(files().at(0));
  EXPECT_EQ(hits(makeCache(own), 1), 1);

  const std::string other_folder = folder + "/other";
  const ScopedVariable variable("TESSERA_CACHE", other_folder.c_str());
  restart();
  const VkPhysicalDeviceProperties other = coreProperties();
  EXPECT_NE(std::memcmp(other.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE), 0);
  infos();
  VkPipelineCache foreign = makeCache(own);
  EXPECT_THAT(infos(), ElementsAre(HasSubstr("another user or another machine")));
  EXPECT_EQ(hits(foreign, 1), 0);
  // With the header that is expected, it is still no code of this user's.
  Bytes edited = own;
  std::memcpy(edited.data() + offsetof(VkPipelineCacheHeaderVersionOne, pipelineCacheUUID),
              other.pipelineCacheUUID, VK_UUID_SIZE);
  VkPipelineCache forged = makeCache(edited);
  EXPECT_THAT(infos(), ElementsAre(HasSubstr("not as vkGetPipelineCacheData gave it")));
  EXPECT_EQ(hits(forged, 1), 0);
}

// Data goes from one instance to another of the process all the same.
TEST_F(DiskCacheTest, WithoutAFolderTheKeyIsTheProcesss) {
  const ScopedVariable off("TESSERA_CACHE", "off");
  restart();
  VkPipelineCache cache = makeCache();
  make(cache, 1);
  const Bytes data = dataOf(cache);
  restart();
  EXPECT_EQ(hits(makeCache(data), 1), 1);
  EXPECT_TRUE(fs::is_empty(folder) || files().empty());
}

TEST_F(DiskCacheTest, AKeyThatCannotBeTrustedIsReplaced) {
  VkPipelineCache cache = makeCache();
  make(cache, 1);
  const Bytes data = dataOf(cache);
  ASSERT_EQ(chmod((folder + "/key").c_str(), 0644), 0);
  restart();
  EXPECT_TRUE(wasTold(folder + "/key: other users have access to it"));
  fs::remove_all(files().at(0));
  EXPECT_EQ(hits(makeCache(data), 1), 0);
  restart();
  EXPECT_FALSE(wasTold("/key"));
}

// Says so once, with a reason and what to do.
TEST_F(DiskCacheTest, FolderThatCannotBeUsed) {
  ASSERT_EQ(chmod(folder.c_str(), 0755), 0);
  restart();
  EXPECT_THAT(messages(), ElementsAre(AllOf(HasSubstr("shaders are not cached: " + folder),
                                            HasSubstr("0700"), HasSubstr("TESSERA_CACHE"))));
  EXPECT_EQ(make(VK_NULL_HANDLE, 1).result, VK_SUCCESS);
  EXPECT_TRUE(files().empty());
  for (const char* path : {"/proc/tessera", "/dev/full"}) {
    const ScopedVariable nowhere("TESSERA_CACHE", path);
    restart();
    EXPECT_THAT(messages(), ElementsAre(HasSubstr(std::string("shaders are not cached: ") + path)));
    EXPECT_EQ(make(VK_NULL_HANDLE, 1).result, VK_SUCCESS);
    EXPECT_THAT(messages(), IsEmpty());
  }
}

}  // namespace
}  // namespace api_test
