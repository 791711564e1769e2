// SPDX-License-Identifier: Apache-2.0

// What the host writes to mapped memory while submissions that may use it are pending. Part of the
// check of the API (api_check.h).
//
// There is no word of a write to memory, so it is seen by what it leaves: the mapped memory that a
// submission may access, as far as no earlier one that is still running may write to it, is copied
// before the queue gets the submission, and compared when its first command begins. What differs
// then the host has written, while the submission was pending. That is no fault yet, as commands
// need not access all that they are given: copies of commands do, and kernels are asked
// (rt::HostWrites). Semaphores and events that the host signals order what it did before: then the
// copies are made anew.
//
// So that the host has the time to do what it should not, a submission begins when the program
// waits for something, or after kPatience.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "icd/api_check/recording.h"
#include "runtime/check/checker.h"

namespace icd {

// Thread-safe.
class HostWatch {
 public:
  using Bytes = rt::HostWrites::Bytes;

  explicit HostWatch(rt::Checker& checker) : checker_(checker) {}

  // Memory that is mapped at addresses, and no longer is.
  void map(uint64_t memory, const Bytes& bytes);
  void unmap(uint64_t memory);
  // Memory that is there no longer.
  void free(const Bytes& bytes);

  struct Batch {
    uint64_t number = 0;     // of the submission
    uint64_t recording = 0;  // of its first command buffer
    std::vector<CommandAccess> accesses;
    bool writes_anywhere = false;
    bool is_ordered_elsewhere = false;  // it waits for what others than this device signal
  };
  // Before the queue gets it. `hasEnded` tells it of an earlier submission.
  void submit(Batch batch, const std::function<bool(uint64_t)>& hasEnded);
  // The queue did not take it, nor those after it.
  void cancel(uint64_t number);

  // The host is about to signal what submissions may wait for.
  void refresh();
  // The program waits for submissions up to this one.
  void release(uint64_t number);

  // On the queue's thread: a command buffer begins.
  void begin(uint64_t recording);

 private:
  struct Snapshot {
    Bytes bytes;
    std::vector<std::byte> content;
  };
  struct Entry {
    uint64_t number, recording;
    std::vector<CommandAccess> accesses;
    std::vector<Bytes> candidates;  // that no earlier submission may write to
    std::vector<Snapshot> snapshots;
  };
  // What a submission that may still be running may write.
  struct Running {
    uint64_t number;
    std::vector<Bytes> stored;
    bool is_unknown;  // it may write anywhere, or others may order it
  };

  void takeSnapshots(Entry& entry, const std::vector<Bytes>& mapped);
  std::vector<Bytes> changed(const Entry& entry) const;
  void report(const Entry& entry) const;

  rt::Checker& checker_;
  std::mutex mutex_;
  std::condition_variable released_now_;
  std::unordered_map<uint64_t, Bytes> mapped_;
  std::deque<Entry> entries_;
  std::vector<Running> running_;
  uint64_t released_ = 0;
  uint64_t snapshot_bytes_ = 0;
};

}  // namespace icd
