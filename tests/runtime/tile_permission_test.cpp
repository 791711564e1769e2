// SPDX-License-Identifier: Apache-2.0

// Each test asks in a process of its own, since there is no way back.
#include "runtime/tile_permission.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <latch>
#include <string>
#include <thread>

#include "tests/support/amx_tiles.h"
#include "tests/support/tile_refusal.h"

namespace rt {
namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::exit(1);
}

// A product on this thread; dies of a signal where there is no permission.
void useTiles() {
  Tile c = {}, a = {}, b = {};
  a.row[0][0] = b.row[0][0] = 3;
  amxDotUU(c, a, b);
  require(c.row[0][0] == 9, "the product");
  require(!tilesAreInUse(), "tiles are released");
}

// Its tests run in new processes, which have done nothing before.
class TilePermissionDeathTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!amxInProcessor()) GTEST_SKIP() << "no AMX here";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

[[noreturn]] void holdsForThreadsAndForkedProcesses() {
  std::latch asked(1);
  std::thread before([&] {
    asked.wait();
    useTiles();
  });
  require(tilePermission().granted(), "granted");
  require(&tilePermission() == &tilePermission(), "asked once");
  asked.count_down();
  before.join();
  std::thread(useTiles).join();
  useTiles();
  const pid_t child = fork();
  if (child == 0) {
    require(tilePermission().granted(), "granted after fork");
    useTiles();
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  require(status == 0, "the forked process");
  // What it costs: from now on the system refuses stacks that are too small.
  require(!SmallSignalStack().is_set, "a small stack is refused");
  std::exit(0);
}

TEST_F(TilePermissionDeathTest, HoldsForThreadsAndForkedProcesses) {
  EXPECT_EXIT(holdsForThreadsAndForkedProcesses(), testing::ExitedWithCode(0), "");
}

[[noreturn]] void refusedToAProcessWithASmallSignalStack() {
  std::latch set(1), asked(1);
  std::thread other([&] {
    const SmallSignalStack small;
    require(small.is_set, "the stack is set");
    set.count_down();
    asked.wait();
  });
  set.wait();
  const TilePermission& permission = tilePermission();
  asked.count_down();
  other.join();
  require(permission.error == ENOSPC, "there is no room");
  require(tilePermission().error == ENOSPC, "and the answer stays so");
  require(describeRefusal(permission).find("sigaltstack") != std::string::npos, "the reason");
  std::exit(0);
}

TEST_F(TilePermissionDeathTest, RefusedToAProcessWithASmallSignalStack) {
  EXPECT_EXIT(refusedToAProcessWithASmallSignalStack(), testing::ExitedWithCode(0), "");
}

[[noreturn]] void refusedByAFilterOfSystemCalls() {
  require(refuseTiles(), "the filter is there");
  require(tilePermission().error == EPERM, "refused");
  require(describeRefusal(tilePermission()).find("seccomp") != std::string::npos, "the reason");
  std::exit(0);
}

TEST_F(TilePermissionDeathTest, RefusedByAFilterOfSystemCalls) {
  EXPECT_EXIT(refusedByAFilterOfSystemCalls(), testing::ExitedWithCode(0), "");
}

TEST(TilePermission, NoneWithoutTiles) {
  if (hostCpuFeatures().amx_tile) GTEST_SKIP() << "this machine has them";
  EXPECT_EQ(tilePermission().error, ENOTSUP);
}

}  // namespace
}  // namespace rt
