// SPDX-License-Identifier: Apache-2.0

#include "runtime/disk_cache.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace rt {
namespace {

namespace fs = std::filesystem;

DiskCache::Key keyOf(int number) {
  DiskCache::Key key{};
  key[0] = static_cast<uint8_t>(number);
  key[31] = static_cast<uint8_t>(number >> 8);
  return key;
}

std::vector<std::byte> bytesOf(size_t size, int seed) {
  std::vector<std::byte> bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + size_t(seed));
  return bytes;
}

class DiskCacheTest : public testing::Test {
 protected:
  DiskCacheTest() {
    char path[] = "/tmp/tessera_cache_XXXXXX";
    root_ = mkdtemp(path);
    folder = root_ + "/a/b";
  }
  ~DiskCacheTest() override { fs::remove_all(root_); }

  std::vector<fs::path> files() const {
    std::vector<fs::path> result;
    for (const auto& entry : fs::directory_iterator(folder)) result.push_back(entry.path());
    return result;
  }

  std::string folder;

 private:
  std::string root_;
};

TEST_F(DiskCacheTest, KeepsBytesForLater) {
  EXPECT_EQ(DiskCache(folder, 1 << 20).find(keyOf(1)), std::nullopt);
  EXPECT_FALSE(fs::exists(folder)) << "made by looking";
  EXPECT_TRUE(DiskCache(folder, 1 << 20).insert(keyOf(1), bytesOf(1000, 1)));
  EXPECT_TRUE(DiskCache(folder, 1 << 20).insert(keyOf(2), {}));
  const DiskCache later(folder, 1 << 20);
  EXPECT_EQ(later.complaint(), "");
  EXPECT_EQ(later.find(keyOf(1)), bytesOf(1000, 1));
  EXPECT_EQ(later.find(keyOf(2)), bytesOf(0, 0));
  EXPECT_EQ(later.find(keyOf(3)), std::nullopt);
  EXPECT_TRUE(later.insert(keyOf(1), bytesOf(10, 2)));
  EXPECT_EQ(later.find(keyOf(1)), bytesOf(10, 2));
}

TEST_F(DiskCacheTest, IsTheUsersAlone) {
  const DiskCache cache(folder, 1 << 20);
  EXPECT_TRUE(cache.insert(keyOf(1), bytesOf(10, 1)));
  struct stat info;
  ASSERT_EQ(stat(folder.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  ASSERT_EQ(stat(files().at(0).c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  for (mode_t mode : {0770u, 0701u, 0704u}) {
    ASSERT_EQ(chmod(folder.c_str(), mode), 0);
    EXPECT_NE(cache.complaint().find("other users"), std::string::npos);
    EXPECT_EQ(cache.find(keyOf(1)), std::nullopt);
    EXPECT_FALSE(cache.insert(keyOf(2), bytesOf(10, 1)));
  }
  ASSERT_EQ(chmod(folder.c_str(), 0700), 0);
  EXPECT_EQ(cache.find(keyOf(1)), bytesOf(10, 1));
}

TEST_F(DiskCacheTest, FolderThatIsNone) {
  fs::create_directories(folder.substr(0, folder.size() - 2));
  std::ofstream(folder) << "a file";
  const DiskCache on_file(folder, 1 << 20);
  EXPECT_NE(on_file.complaint(), "");
  EXPECT_FALSE(on_file.insert(keyOf(1), bytesOf(10, 1)));
  EXPECT_EQ(on_file.find(keyOf(1)), std::nullopt);
  fs::remove(folder);
  fs::create_symlink("/tmp", folder);
  EXPECT_NE(DiskCache(folder, 1 << 20).complaint(), "");
  EXPECT_FALSE(DiskCache("/proc/no/such", 1 << 20).insert(keyOf(1), bytesOf(10, 1)));
  EXPECT_FALSE(DiskCache("", 1 << 20).insert(keyOf(1), bytesOf(10, 1)));
}

// Whatever one byte is changed to, or wherever the file ends: not found, and then kept anew.
TEST_F(DiskCacheTest, DamagedEntriesAreNotFound) {
  const DiskCache cache(folder, 1 << 20);
  const std::vector<std::byte> bytes = bytesOf(50, 3);
  ASSERT_TRUE(cache.insert(keyOf(1), bytes));
  const fs::path file = files().at(0);
  const auto size = fs::file_size(file);
  for (uintmax_t at = 0; at < size; ++at) {
    {
      std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekg(static_cast<std::streamoff>(at));
      const int byte = stream.get();
      stream.seekp(static_cast<std::streamoff>(at));
      stream.put(static_cast<char>(byte ^ 0x10));
    }
    ASSERT_EQ(cache.find(keyOf(1)), std::nullopt) << "byte " << at;
    ASSERT_FALSE(fs::exists(file));
    ASSERT_TRUE(cache.insert(keyOf(1), bytes));
    fs::resize_file(file, at);
    ASSERT_EQ(cache.find(keyOf(1)), std::nullopt) << "cut at " << at;
    ASSERT_TRUE(cache.insert(keyOf(1), bytes));
  }
  std::ofstream(file, std::ios::app) << "more";
  EXPECT_EQ(cache.find(keyOf(1)), std::nullopt);
}

TEST_F(DiskCacheTest, EntryUnderAnothersName) {
  const DiskCache cache(folder, 1 << 20);
  ASSERT_TRUE(cache.insert(keyOf(1), bytesOf(50, 3)));
  const fs::path first = files().at(0);
  ASSERT_TRUE(cache.insert(keyOf(2), bytesOf(50, 4)));
  for (const fs::path& file : files())
    if (file != first) fs::copy_file(first, file, fs::copy_options::overwrite_existing);
  EXPECT_EQ(cache.find(keyOf(2)), std::nullopt);
  EXPECT_EQ(cache.find(keyOf(1)), bytesOf(50, 3));
}

TEST_F(DiskCacheTest, RemovesWhatWasNotUsedForLongest) {
  const DiskCache cache(folder, 64 << 10);
  const auto hours_ago = [](int hours) {
    return fs::file_time_type::clock::now() - std::chrono::hours(hours);
  };
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(cache.insert(keyOf(i), bytesOf(7 << 10, i)));
    for (const fs::path& file : files())
      if (fs::last_write_time(file) > hours_ago(1)) fs::last_write_time(file, hours_ago(100 - i));
  }
  EXPECT_NE(cache.find(keyOf(0)), std::nullopt);  // is used
  ASSERT_TRUE(cache.insert(keyOf(100), bytesOf(10 << 10, 0)));
  EXPECT_NE(cache.find(keyOf(100)), std::nullopt);
  EXPECT_NE(cache.find(keyOf(0)), std::nullopt);
  EXPECT_EQ(cache.find(keyOf(1)), std::nullopt);
  EXPECT_NE(cache.find(keyOf(7)), std::nullopt);
  uintmax_t total = 0;
  for (const fs::path& file : files()) total += fs::file_size(file);
  EXPECT_LE(total, 48u << 10);
  EXPECT_FALSE(cache.insert(keyOf(101), bytesOf(65 << 10, 0))) << "larger than all may be";
}

TEST_F(DiskCacheTest, ClearsUpAfterProcessesThatDied) {
  const DiskCache cache(folder, 64 << 10);
  ASSERT_TRUE(cache.insert(keyOf(1), bytesOf(10, 1)));
  const fs::path old = folder + "/.new-1-2-3", recent = folder + "/.new-4-5-6";
  for (const fs::path& file : {old, recent}) std::ofstream(file) << "unfinished";
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(2));
  std::ofstream(folder + "/notes") << "somebody's own";
  ASSERT_TRUE(cache.insert(keyOf(2), bytesOf(10 << 10, 1)));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(recent));
  EXPECT_TRUE(fs::exists(folder + "/notes"));
}

// The signal for a file that grows too large would end the process.
TEST_F(DiskCacheTest, LimitsOnFileSizesAreKept) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{500, 500};
    setrlimit(RLIMIT_FSIZE, &limit);
    const DiskCache cache(folder, 1 << 20);
    const bool good = !cache.insert(keyOf(1), bytesOf(1000, 1)) &&
                      cache.insert(keyOf(2), bytesOf(100, 1)) && cache.find(keyOf(2)).has_value();
    _exit(good ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

// Readers see an entry whole or not at all, while writers replace and remove it.
TEST_F(DiskCacheTest, ManyAtOnce) {
  const DiskCache cache(folder, 40 << 10);
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0, found = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 150; ++i) {
        const int number = (i * 7 + t) % 10;
        if (auto bytes = cache.find(keyOf(number))) {
          ++found;
          if (*bytes != bytesOf(8 << 10, number)) ++wrong;
        }
        cache.insert(keyOf(number), bytesOf(8 << 10, number));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(found, 0);
}

}  // namespace
}  // namespace rt
