// SPDX-License-Identifier: Apache-2.0

// A line on stderr for work that turns out to take longer than a second.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

namespace bench {

// Says what is going on if the object still lives after a second.
class Progress {
 public:
  explicit Progress(std::string what)
      : thread_([this, what = std::move(what)] {
          std::unique_lock lock(mutex_);
          if (!done_.wait_for(lock, std::chrono::seconds(1), [this] { return over_; })) {
            std::fprintf(stderr, "... %s\n", what.c_str());
          }
        }) {}
  ~Progress() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    done_.notify_one();
    thread_.join();
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  bool over_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace bench
