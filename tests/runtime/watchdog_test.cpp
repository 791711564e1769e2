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
    const Watchdog::Watch watch(&watchdog_, "slow.comp");
    while (stop_.value() == 0) std::this_thread::yield();
  }
  EXPECT_GE(now() - start, kLimit);
  EXPECT_THAT([this] { watchdog_.check(); },
              testing::ThrowsMessage<std::runtime_error>(
                  "a dispatch of slow.comp took longer than TESSERA_WATCHDOG=0.02 allows"));
}

TEST_F(WatchdogTest, MeasuresEachWatchAndNothingBetweenThem) {
  for (int i = 0; i < 10'000; ++i) const Watchdog::Watch watch(&watchdog_, "quick");
  std::this_thread::sleep_for(60ms);
  EXPECT_EQ(stop_.value(), 0u);
  EXPECT_NO_THROW(watchdog_.check());
}

TEST(Watchdog, IsNotNeeded) { const Watchdog::Watch watch(nullptr, "nobody looks"); }

struct Ending {
  std::atomic<bool> inside = false;
};

void waitForTheEnd(const DispatchArgs* args, const WorkgroupMemory*, uint32_t, uint32_t, uint32_t) {
  Ending& ending = test::stateOf<Ending>(args);
  ending.inside = true;
  while (args->stop->load(std::memory_order_relaxed) == 0) std::this_thread::yield();
  std::this_thread::sleep_for(20ms);
  ending.inside = false;
}

// Nobody hears of the loss before the kernel has left the application's memory alone.
TEST(Watchdog, LosesTheDeviceWhenTheKernelHasEnded) {
  Ending ending;
  Device device({.watchdog = kLimit});
  auto args = test::makeArgs(ending, {1, 1, 1});
  args->stop = &device.stopSignal().word();
  std::vector<Submission> batch(1);
  batch[0].lists.push_back(
      test::makeList(Dispatch{test::makeKernel(waitForTheEnd), std::move(args)}));
  device.queue().submit(std::move(batch));
  ASSERT_TRUE(device.waitUntilLost(deadlineAfter(test::kSoon)));
  EXPECT_FALSE(ending.inside);
  EXPECT_EQ(device.lossReason(),
            "a dispatch of a shader without a name took longer than TESSERA_WATCHDOG=0.02 allows");
}

}  // namespace
}  // namespace rt
