// SPDX-License-Identifier: Apache-2.0

// The limits of control groups, from files as the kernel shows them.
#include "runtime/host.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace rt {
namespace {

namespace fs = std::filesystem;

class HostTest : public testing::Test {
 protected:
  HostTest() {
    std::string pattern = (fs::temp_directory_path() / "hostXXXXXX").string();
    files_.root = mkdtemp(pattern.data());
    write("/proc/meminfo",
          "MemTotal:       16000000 kB\nMemFree:  9 kB\nMemAvailable:    8000000 kB\n");
  }
  ~HostTest() override { fs::remove_all(files_.root); }

  void write(const std::string& path, const std::string& text) {
    fs::path full = files_.root + path;
    fs::create_directories(full.parent_path());
    std::ofstream(full) << text;
  }

  HostFiles files_;
};

constexpr uint64_t kKibi = 1024;

TEST_F(HostTest, WithoutControlGroups) {
  EXPECT_EQ(usableMemory(files_), 16'000'000 * kKibi);
  EXPECT_EQ(availableMemory(files_), 8'000'000 * kKibi);
  EXPECT_EQ(usableCpus(files_, 6), 6u);
  EXPECT_EQ(usableCpus(files_, 0), 1u);
}

TEST_F(HostTest, Version2LimitsOfAllAncestorsCount) {
  write("/proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw\n");
  write("/proc/self/cgroup", "0::/outer/inner\n");
  const std::string outer = "/sys/fs/cgroup/outer";
  write(outer + "/memory.max", "3000000000\n");
  write(outer + "/memory.current", "1000000000\n");
  write(outer + "/memory.stat", "anon 5\ninactive_file 400000000\nactive_file 7\n");
  write(outer + "/cpu.max", "250000 100000\n");
  write(outer + "/inner/memory.max", "max\n");
  write(outer + "/inner/cpu.max", "max 100000\n");
  EXPECT_EQ(usableMemory(files_), 3'000'000'000u);
  EXPECT_EQ(availableMemory(files_), 2'400'000'000u);
  EXPECT_EQ(usableCpus(files_, 8), 3u);
  EXPECT_EQ(usableCpus(files_, 2), 2u);
  write(outer + "/inner/cpu.max", "1000 100000\n");
  EXPECT_EQ(usableCpus(files_, 8), 1u);
}

TEST_F(HostTest, Version2InAContainer) {
  // The mount shows the container's group as its root.
  write("/proc/self/mountinfo",
        "31 23 0:28 /pod/box /sys/fs/cgroup ro shared:4 - cgroup2 cgroup rw\n");
  write("/proc/self/cgroup", "0::/pod/box\n");
  write("/sys/fs/cgroup/memory.max", "1000000\n");
  write("/sys/fs/cgroup/memory.current", "5000000\n");
  EXPECT_EQ(usableMemory(files_), 1'000'000u);
  EXPECT_EQ(availableMemory(files_), 0u);
}

TEST_F(HostTest, Version1) {
  write("/proc/self/mountinfo",
        "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
        "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
        "36 31 0:33 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset\n");
  write("/proc/self/cgroup", "4:memory:/a\n3:cpuset:/\n1:cpu,cpuacct:/b\n0::/\n");
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "2000000000\n");
  write("/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "500000000\n");
  write("/sys/fs/cgroup/memory/a/memory.stat", "cache 5\ntotal_inactive_file 100000000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/b/cpu.cfs_quota_us", "400000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/b/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(usableMemory(files_), 2'000'000'000u);
  EXPECT_EQ(availableMemory(files_), 1'600'000'000u);
  EXPECT_EQ(usableCpus(files_, 16), 4u);
}

TEST_F(HostTest, WithoutProc) {
  fs::remove_all(files_.root + "/proc");
  EXPECT_GT(usableMemory(files_), uint64_t{64} << 20);
  EXPECT_EQ(availableMemory(files_), usableMemory(files_));
}

TEST(Host, OfThisMachine) {
  EXPECT_GE(usableCpus(), 1u);
  EXPECT_GT(usableMemory(), uint64_t{64} << 20);
  EXPECT_LE(availableMemory(), usableMemory());
}

}  // namespace
}  // namespace rt
