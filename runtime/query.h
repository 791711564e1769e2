// Pools of timestamp queries.
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
  explicit QueryPool(uint32_t count) : queries_(count) {}

  uint32_t count() const { return uint32_t(queries_.size()); }

  void reset(uint32_t first, uint32_t count);
  void write(uint32_t index, uint64_t value);  // makes it available

  // Writes results of [first, first + count), `stride` bytes apart. True when all of them were
  // available. Where one is not, its value is left as it was unless `partial`. With `wait` it
  // returns only when all are, or (false) when `cancel` leaves 0 or the deadline has passed.
  bool read(uint32_t first, uint32_t count, std::byte* destination, uint64_t stride,
            QueryResultFormat format, Timeline* cancel = nullptr, Deadline deadline = kForever);

 private:
  struct Query {
    uint64_t value = 0;
    bool available = false;
  };

  std::mutex mutex_;
  std::vector<Query> queries_;
  // Counts writes, so that waiting for results is waiting for the next one.
  std::shared_ptr<Timeline> writes_ = std::make_shared<Timeline>();
};

}  // namespace rt
