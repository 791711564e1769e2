// SPDX-License-Identifier: Apache-2.0

// Caches of compiled shaders that the application holds: VkPipelineCache.
#include <gmock/gmock.h>

#include "tests/api/pipeline_cache_fixture.h"

namespace api_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

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

}  // namespace
}  // namespace api_test
