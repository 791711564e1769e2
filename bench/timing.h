// SPDX-License-Identifier: Apache-2.0

// Clocks, and blocks of work long enough for them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <vector>

namespace bench {

// Of all threads of the process.
inline double processSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

inline double wallSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The kernel counts another running thread's time late, up to a tick: shorter blocks than this
// measure the tick.
inline constexpr double kShortestBlock = 0.05;

struct Block {
  int runs = 0;
  double wall = 0, cpu = 0;  // of all runs
};

// Runs until `seconds` of processor time, and of wall time, have passed; at least once.
template <typename Run>
Block measureBlock(double seconds, const Run& run) {
  Block block;
  const double wall = wallSeconds(), cpu = processSeconds();
  do {
    run();
    ++block.runs;
    block.wall = wallSeconds() - wall;
    block.cpu = processSeconds() - cpu;
  } while (block.wall < seconds || block.cpu < seconds);
  return block;
}

inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// Half of the distance between the quartiles, as a share of the median: what a median of so many
// values may move by without a cause. 0 of fewer than four.
inline double spread(std::vector<double> values) {
  if (values.size() < 4) return 0;
  std::sort(values.begin(), values.end());
  const size_t quarter = values.size() / 4;
  return (values[values.size() - 1 - quarter] - values[quarter]) / 2 / median(values);
}

}  // namespace bench
