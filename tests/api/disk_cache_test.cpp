// SPDX-License-Identifier: Apache-2.0

// Compiled shaders in a folder, for later processes.
#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "tests/api/pipeline_cache_fixture.h"

namespace api_test {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

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
