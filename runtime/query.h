// SPDX-License-Identifier: Apache-2.0

// Pools of queries: timestamps, and counts of invocations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/timeline.h"

namespace rt {

// VkQueryResultFlagBits, as far as they matter here.
struct QueryResultFormat {
  bool wide = false;               // 64-bit results; otherwise 32
  bool wait = false;               // for results that are not available yet
  bool with_availability = false;  // each result is followed by 1 or 0
  bool partial = false;            // write 0 for what is not available
};

// Thread-safe. All queries are unavailable after construction.
class QueryPool {
 public:
  // A result has `numbers` numbers; what becomes available has one, so the others are always 0.
  explicit QueryPool(uint32_t count, uint32_t numbers = 1) : queries_(count), numbers_(numbers) {}

  uint32_t count() const { return uint32_t(queries_.size()); }
  uint64_t resultBytes(QueryResultFormat format) const;  // with the availability

  void reset(uint32_t first, uint32_t count);
  void write(uint32_t index, uint64_t value);  // makes it available
  // The value is by how much a counter grows between the two.
  void begin(uint32_t index, uint64_t counter);
  void end(uint32_t index, uint64_t counter);

  // Writes results of [first, first + count), `stride` bytes apart. True when all of them were
  // available. Where one is not, its value is left as it was unless `partial`. With `wait` it
  // returns only when all are, or (false) when `cancel` leaves 0 or the deadline has passed.
  bool read(uint32_t first, uint32_t count, std::byte* destination, uint64_t stride,
            QueryResultFormat format, Timeline* cancel = nullptr, Deadline deadline = kForever);

 private:
  struct Query {
    uint64_t value = 0;  // from begin() to end() the counter at the beginning
    bool available = false;
  };

  std::mutex mutex_;
  std::vector<Query> queries_;
  const uint32_t numbers_;
  // Counts writes, so that waiting for results is waiting for the next one.
  std::shared_ptr<Timeline> writes_ = std::make_shared<Timeline>();
};

}  // namespace rt
