// SPDX-License-Identifier: Apache-2.0

#include "runtime/device.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "runtime/host.h"
#include "tests/runtime/test_kernel.h"

namespace rt {
namespace {

using test::makeDispatch;
using test::makeKernel;
using test::makeList;
using test::stateOf;

TEST(Device, UsesNoMoreThreadsThanAskedFor) {
  EXPECT_EQ(Device({.threads = 1}).workers().threads(), 1u);
  EXPECT_EQ(Device({.threads = 1'000'000}).workers().threads(), usableCpus());
  EXPECT_EQ(Device({}).workers().threads(), usableCpus());
}

TEST(Device, ComesAndGoes) {
  for (int i = 0; i < 50; ++i) Device device({});
}

TEST(Device, GoesWhileTheQueueWaitsForEver) {
  auto done = std::make_shared<Timeline>();
  {
    Device device({});
    std::vector<Submission> batches(2);
    batches[0].waits.push_back({std::make_shared<Timeline>(), 1});
    batches[1].signals.push_back({done, 1});
    device.queue().submit(std::move(batches));
  }
  EXPECT_EQ(done->value(), 1u);
}

struct Busy {
  std::atomic<uint64_t> started = 0, running = 0;
};

void busyKernel(const DispatchArgs* args, const WorkgroupMemory*, uint32_t, uint32_t, uint32_t,
                uint32_t) {
  Busy& busy = stateOf<Busy>(args);
  ++busy.running;
  ++busy.started;
  for (uint64_t end = now() + 50'000; now() < end;) {
  }
  --busy.running;
}

TEST(Device, GoesWhileBusyAndLeavesNobodyInAKernel) {
  for (int i = 0; i < 10; ++i) {
    Busy busy;
    uint64_t started;
    {
      Device device({});
      std::vector<Submission> batch(1);
      batch[0].lists.push_back(
          makeList(makeDispatch(makeKernel(busyKernel), busy, {1'000'000'000, 1, 1})));
      device.queue().submit(std::move(batch));
      while (busy.started < 5) std::this_thread::yield();
    }
    started = busy.started;
    EXPECT_EQ(busy.running, 0u);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(busy.started, started);
  }
}

}  // namespace
}  // namespace rt
