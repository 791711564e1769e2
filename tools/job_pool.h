// SPDX-License-Identifier: Apache-2.0

// Does numbered jobs in child processes, so that a job that crashes or hangs harms no other.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace tools {

struct JobResult {
  enum class End : uint8_t {
    Returned,
    Crashed,  // the child died; `text` says of what
    Hung,     // the child was killed
  };
  uint64_t job;
  End end;
  std::string text;  // what the job returned, up to 64 KiB
  double seconds;    // of processor time that it took, all threads of the child together
};

struct JobPool {
  uint32_t processes;
  // Of a job: seconds of processor time, all threads of the child together, so that it makes no
  // difference what else the machine does. A job that sleeps has kSleepFactor times as long by the
  // clock.
  double time_limit;
  static constexpr double kSleepFactor = 20;

  // `start` runs once in each child and makes what does its jobs; `report` runs here, once for
  // each of the `count` jobs, in the order in which they end. Must be called while the process has
  // a single thread, since it forks. Throws std::system_error when there are no more processes.
  using Job = std::function<std::string(uint64_t)>;
  void run(uint64_t count, const std::function<Job()>& start,
           const std::function<void(const JobResult&)>& report) const;
};

}  // namespace tools
