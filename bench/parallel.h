// SPDX-License-Identifier: Apache-2.0

// What a plain C++ program does with all cores.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace bench {

inline size_t coreCount() { return std::max(1u, std::thread::hardware_concurrency()); }

// Runs `part(first, last)` over [0, count) in equal parts, a thread for each core.
template <typename Part>
void onAllCores(size_t count, const Part& part) {
  const size_t threads = coreCount();
  std::vector<std::thread> running;
  for (size_t t = 1; t < threads; ++t)
    running.emplace_back([&, t] { part(count * t / threads, count * (t + 1) / threads); });
  part(0, count / threads);
  for (std::thread& thread : running) thread.join();
}

}  // namespace bench
