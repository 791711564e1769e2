// SPDX-License-Identifier: Apache-2.0

// The state of a timeline, and where it lies when processes share it.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "runtime/shared_file.h"

namespace rt {

struct TimelineState {
  std::atomic<uint64_t> value;
  std::atomic<uint64_t> target;    // see Timeline::target()
  std::atomic<uint32_t> doorbell;  // changes with each signal, where others may sleep on it
};

// What the state is of: they are not exchangeable.
enum class SharedKind : uint32_t { BinarySemaphore, TimelineSemaphore, Fence };

// A page with a state, in a file. Movable. What other processes write there can make waits end
// early or never, and no more.
class SharedTimeline {
 public:
  SharedTimeline(SharedTimeline&& other) noexcept
      : file_(std::move(other.file_)), page_(std::exchange(other.page_, nullptr)) {}
  SharedTimeline& operator=(SharedTimeline&&) = delete;
  ~SharedTimeline();

  // Nothing when the system refuses.
  static std::optional<SharedTimeline> create(SharedKind kind, uint64_t value, uint64_t target);
  // Takes over the descriptor of such a file; nothing, and it stays the caller's, if it is not one
  // of that kind.
  static std::optional<SharedTimeline> adopt(int descriptor, SharedKind kind);

  TimelineState& state() const;
  const SharedFile& file() const { return file_; }

 private:
  struct Page;

  SharedTimeline(SharedFile file, Page* page) : file_(std::move(file)), page_(page) {}
  static Page* map(const SharedFile& file);

  SharedFile file_;
  Page* page_;
};

}  // namespace rt
