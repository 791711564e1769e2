// SPDX-License-Identifier: Apache-2.0

#include "runtime/parallel_calls.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

#include "runtime/blocked_signals.h"

namespace rt {

void callInParallel(uint32_t count, uint32_t threads, const std::function<void(uint32_t)>& work) {
  std::atomic<uint32_t> next = 0;
  auto serve = [&]() noexcept {
    for (uint32_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> helpers;
  if (std::min(count, threads) > 1) {
    helpers.reserve(std::min(count, threads) - 1);
    BlockedSignals blocked;
    try {
      while (helpers.size() < helpers.capacity()) helpers.emplace_back(serve);
    } catch (const std::system_error&) {
      // No more threads than these; the calling one serves all the same.
    }
  }
  serve();
}

}  // namespace rt
