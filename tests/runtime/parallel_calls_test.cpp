// SPDX-License-Identifier: Apache-2.0

#include "runtime/parallel_calls.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <barrier>
#include <thread>
#include <vector>

namespace rt {
namespace {

TEST(ParallelCalls, EachOnce) {
  for (uint32_t threads : {0u, 1u, 2u, 7u, 100u})
    for (uint32_t count : {0u, 1u, 2u, 50u}) {
      std::vector<std::atomic<int>> calls(count);
      callInParallel(count, threads, [&](uint32_t i) { ++calls[i]; });
      for (const auto& call : calls) EXPECT_EQ(call, 1);
    }
}

TEST(ParallelCalls, AtTheSameTime) {
  std::barrier all(4);
  callInParallel(4, 4, [&](uint32_t) { all.arrive_and_wait(); });  // never ends otherwise
}

TEST(ParallelCalls, SignalsStayWithTheCaller) {
  const std::thread::id caller = std::this_thread::get_id();
  std::barrier both(2);
  callInParallel(2, 2, [&](uint32_t) {
    both.arrive_and_wait();
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    EXPECT_EQ(sigismember(&blocked, SIGALRM), std::this_thread::get_id() == caller ? 0 : 1);
  });
}

}  // namespace
}  // namespace rt
