// SPDX-License-Identifier: Apache-2.0

#include "runtime/watchdog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "runtime/device.h"
#include "tests/runtime/test_kernel.h"

namespace rt {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t kLimit = 20'000'000;  // nanoseconds

class WatchdogTest : public testing::Test {
 protected:
  Timeline stop_;
  Watchdog watchdog_{kLimit, stop_};
};

TEST_F(WatchdogTest, StopsWhatTakesTooLongAndSaysWhatItWas) {
  const uint64_t start = now();
  {
    const Watchdog::Watch watch(watchdog_);
    while (stop_.value() == 0) std::this_thread::yield();
  }
  EXPECT_GE(now() - start, kLimit);
  KernelImage kernel;
  kernel.name = "slow.comp";
  EXPECT_THAT([&] { watchdog_.check(kernel, std::nullopt); },
              testing::ThrowsMessage<std::runtime_error>(
                  "a dispatch of slow.comp took longer than TESSERA_WATCHDOG=0.02 allows"));
  EXPECT_THAT(
      [&] { watchdog_.check(kernel, WorkgroupId{7, 0, 4294967295}); },
      testing::ThrowsMessage<std::runtime_error>(
          "a dispatch of slow.comp took longer than TESSERA_WATCHDOG=0.02 allows; workgroup "
          "(7, 0, 4294967295) had not ended"));
}

TEST(Watchdog, MeasuresEachWatchAndNothingBetweenThem) {
  // Where other work has the processor while a watch lives, that watch does take long.
  for (int attempts = 0; attempts < 100; ++attempts) {
    Timeline stop;
    Watchdog watchdog{kLimit, stop};
    uint64_t longest = 0;
    for (int i = 0; i < 10'000; ++i) {
      const uint64_t start = now();
      {
        const Watchdog::Watch watch(watchdog);
      }
      longest = std::max(longest, now() - start);
    }
    std::this_thread::sleep_for(60ms);
    if (longest >= kLimit) continue;
    EXPECT_EQ(stop.value(), 0u);
    EXPECT_NO_THROW(watchdog.check({}, std::nullopt));
    return;
  }
  GTEST_SKIP() << "this machine is too busy to tell";
}

struct Ending {
  std::atomic<bool> inside = false;
};

// One workgroup does not end by itself.
void waitForTheEnd(const DispatchArgs* args, const WorkgroupMemory*, uint32_t x, uint32_t y,
                   uint32_t z, uint32_t) {
  Ending& ending = test::stateOf<Ending>(args);
  if (x != 103 || y != 1 || z != 2) return;
  ending.inside = true;
  while (args->stop->load(std::memory_order_relaxed) == 0) std::this_thread::yield();
  std::this_thread::sleep_for(20ms);
  ending.inside = false;
}

// Nobody hears of the loss before the kernel has left the application's memory alone, and before it
// has been said which one it was.
TEST(Watchdog, LosesTheDeviceWhenTheKernelHasEnded) {
  const std::string reason =
      "a dispatch of stuck.comp took longer than TESSERA_WATCHDOG=0.02 allows; workgroup "
      "(103, 1, 2) had not ended";
  for (const uint32_t threads : {1u, 4u}) {
    Ending ending;
    auto log = std::make_shared<Log>(LogLevel::Off);
    Device device({.threads = threads, .log = log, .watchdog = kLimit});
    std::string said;
    log->setSink([&](LogLevel, std::string_view message) {
      EXPECT_FALSE(device.lost());
      said = message;
    });
    auto args = test::makeArgs(ending, {5, 2, 3});
    args->base_workgroup[0] = 100;
    args->stop = &device.stopSignal().word();
    auto kernel = test::makeKernel(waitForTheEnd);
    kernel->name = "stuck.comp";
    std::vector<Submission> batch(1);
    batch[0].lists.push_back(test::makeList(Dispatch{std::move(kernel), std::move(args)}));
    device.queue().submit(std::move(batch));
    ASSERT_TRUE(device.waitUntilLost(deadlineAfter(test::kSoon)));
    EXPECT_FALSE(ending.inside);
    EXPECT_EQ(device.lossReason(), reason);
    EXPECT_EQ(said, "device lost: " + reason);
    log->setSink({});
  }
}

}  // namespace
}  // namespace rt
