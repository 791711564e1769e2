// SPDX-License-Identifier: Apache-2.0

#include "runtime/secret_key.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>
#include <vector>

namespace rt {
namespace {

namespace fs = std::filesystem;

class SecretKeyTest : public testing::Test {
 protected:
  SecretKeyTest() {
    char path[] = "/tmp/tessera_key_XXXXXX";
    root_ = mkdtemp(path);
    folder = root_ + "/a/b";
    file = folder + "/key";
  }
  ~SecretKeyTest() override { fs::remove_all(root_); }

  std::string read() const {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void write(const std::string& text) const {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
  }

  // What is there now is not used, which is said, and another key takes its place for good.
  void expectReplaced(const SecretKey& bad) const {
    const FoundKey found = findSecretKey(folder);
    EXPECT_NE(found.key, bad);
    EXPECT_NE(found.file_complaint, "");
    EXPECT_EQ(found.folder_complaint, "");
    const FoundKey again = findSecretKey(folder);
    EXPECT_EQ(again.key, found.key);
    EXPECT_EQ(again.file_complaint, "");
    struct stat info;
    ASSERT_EQ(lstat(file.c_str(), &info), 0);
    EXPECT_TRUE(S_ISREG(info.st_mode));
    EXPECT_EQ(info.st_mode & 0777, 0600u);
    EXPECT_EQ(info.st_uid, geteuid());
  }

  std::string folder, file;

 private:
  std::string root_;
};

TEST_F(SecretKeyTest, IsMadeOnceForTheUserAlone) {
  const FoundKey made = findSecretKey(folder);
  EXPECT_EQ(made.folder_complaint + made.file_complaint, "");
  struct stat info;
  ASSERT_EQ(stat(file.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_EQ(info.st_nlink, 1u);
  ASSERT_EQ(stat(folder.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1) << "something is left over";
  EXPECT_EQ(findSecretKey(folder).key, made.key);
  EXPECT_NE(findSecretKey(folder + "/c").key, made.key);
  EXPECT_GT(std::set<uint8_t>(made.key.begin(), made.key.end()).size(), 10u);
}

// Whoever comes first: all get the same.
TEST_F(SecretKeyTest, ProcessesThatMakeItAtOnceAgree) {
  for (int round = 0; round < 20; ++round) {
    fs::remove_all(folder);
    int start[2], keys[2];
    ASSERT_EQ(pipe(start), 0);
    ASSERT_EQ(pipe(keys), 0);
    constexpr int kProcesses = 8;
    for (int i = 0; i < kProcesses; ++i) {
      if (fork() != 0) continue;
      close(start[1]);
      char nothing;
      if (::read(start[0], &nothing, 1) != 0) _exit(1);  // until the parent closes it
      const FoundKey found = findSecretKey(folder);
      if (!(found.folder_complaint + found.file_complaint).empty()) _exit(2);
      _exit(::write(keys[1], found.key.data(), found.key.size()) == 32 ? 0 : 3);
    }
    close(start[0]);
    close(start[1]);
    close(keys[1]);
    std::set<SecretKey> seen;
    for (SecretKey key; ::read(keys[0], key.data(), key.size()) == 32;) seen.insert(key);
    close(keys[0]);
    for (int i = 0; i < kProcesses; ++i) {
      int status = 0;
      wait(&status);
      EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(seen.size(), 1u);
    EXPECT_EQ(findSecretKey(folder).key, *seen.begin());
  }
}

TEST_F(SecretKeyTest, WhatIsDamagedIsReplaced) {
  FoundKey good = findSecretKey(folder);
  for (size_t at = 0; at < read().size(); ++at) {
    std::string text = read();
    text[at] ^= 4;
    write(text);
    expectReplaced(good.key);
    good = findSecretKey(folder);
  }
  const std::string whole = read();
  for (const std::string& text :
       {std::string(), whole.substr(0, 1), whole.substr(0, whole.size() - 1), whole + "x"}) {
    write(text);
    expectReplaced(good.key);
  }
}

TEST_F(SecretKeyTest, WhatOthersMayKnowIsReplaced) {
  for (const mode_t mode : {0640u, 0604u, 0602u, 0620u, 0666u, 0000u}) {
    const SecretKey key = findSecretKey(folder).key;
    ASSERT_EQ(chmod(file.c_str(), mode), 0);
    // Who may read everything may read this too; nobody else has access to it.
    if (mode == 0 && geteuid() == 0) continue;
    expectReplaced(key);
  }
}

TEST_F(SecretKeyTest, LinksAndTheLikeAreReplaced) {
  const SecretKey key = findSecretKey(folder).key;
  const std::string elsewhere = folder + "/elsewhere";
  fs::rename(file, elsewhere);
  ASSERT_EQ(symlink(elsewhere.c_str(), file.c_str()), 0);
  expectReplaced(key);
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  expectReplaced(key);
}

TEST_F(SecretKeyTest, AnotherUsersIsReplaced) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const SecretKey key = findSecretKey(folder).key;
  ASSERT_EQ(chown(file.c_str(), 65534, 65534), 0);
  expectReplaced(key);
}

// Then it is the process's own, and always the same.
TEST_F(SecretKeyTest, WhereNoneCanBeKept) {
  const SecretKey kept = findSecretKey(folder).key, own = findSecretKey("").key;
  EXPECT_NE(own, kept);
  EXPECT_EQ(findSecretKey("").folder_complaint, "");
  ASSERT_EQ(chmod(folder.c_str(), 0750), 0);
  const FoundKey open = findSecretKey(folder);
  EXPECT_EQ(open.key, own);
  EXPECT_NE(open.folder_complaint.find("other users"), std::string::npos);
  EXPECT_NE(findSecretKey("/proc/no/such").folder_complaint, "");
  EXPECT_EQ(findSecretKey("/proc/no/such").key, own);
  ASSERT_EQ(chmod(folder.c_str(), 0700), 0);
  EXPECT_EQ(findSecretKey(folder).key, kept);
  // Where the file's place is taken for good.
  fs::remove(file);
  fs::create_directory(file);
  const FoundKey taken = findSecretKey(folder);
  EXPECT_EQ(taken.key, own);
  EXPECT_NE(taken.file_complaint.find("cannot be written"), std::string::npos);
}

// The signal for a file that is too large would end the process.
TEST_F(SecretKeyTest, ALimitOnFileSizes) {
  findSecretKey(folder);
  fs::remove(file);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{10, 10};
    setrlimit(RLIMIT_FSIZE, &limit);
    const FoundKey found = findSecretKey(folder);
    _exit(found.file_complaint.empty() || found.key != findSecretKey("").key ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(fs::is_empty(folder));
}

}  // namespace
}  // namespace rt
