// SPDX-License-Identifier: Apache-2.0

#include "runtime/query.h"

#include <algorithm>
#include <cstring>

namespace rt {

namespace {

// Writes one number of a result; returns where the next one goes.
std::byte* put(std::byte* destination, uint64_t value, bool wide) {
  if (wide) {
    std::memcpy(destination, &value, sizeof value);
    return destination + sizeof value;
  }
  uint32_t narrow = uint32_t(value);
  std::memcpy(destination, &narrow, sizeof narrow);
  return destination + sizeof narrow;
}

}  // namespace

uint64_t QueryPool::resultBytes(QueryResultFormat format) const {
  const uint64_t numbers = uint64_t{numbers_} + (format.with_availability ? 1 : 0);
  return numbers * (format.wide ? sizeof(uint64_t) : sizeof(uint32_t));
}

void QueryPool::reset(uint32_t first, uint32_t count) {
  std::lock_guard lock(mutex_);
  std::fill_n(queries_.begin() + first, count, Query{});
}

void QueryPool::write(uint32_t index, uint64_t value) {
  {
    std::lock_guard lock(mutex_);
    queries_[index] = {value, true};
  }
  writes_->advance();
}

void QueryPool::begin(uint32_t index, uint64_t counter) {
  std::lock_guard lock(mutex_);
  queries_[index] = {counter, false};
}

void QueryPool::end(uint32_t index, uint64_t counter) {
  uint64_t start = 0;
  {
    std::lock_guard lock(mutex_);
    start = queries_[index].value;
  }
  write(index, counter - start);
}

bool QueryPool::read(uint32_t first, uint32_t count, std::byte* destination, uint64_t stride,
                     QueryResultFormat format, Timeline* cancel, Deadline deadline) {
  for (;;) {
    uint64_t seen = writes_->value();
    {
      std::lock_guard lock(mutex_);
      auto begin = queries_.begin() + first;
      auto available = [](const Query& query) { return query.available; };
      bool complete = std::all_of(begin, begin + count, available);
      if (complete || !format.wait) {
        for (auto query = begin; query != begin + count; ++query, destination += stride) {
          std::byte* at = destination;
          for (uint32_t number = 0; number < numbers_; ++number) {
            if (query->available || format.partial) {
              at = put(at, query->available && number == 0 ? query->value : 0, format.wide);
            } else {
              at += format.wide ? sizeof(uint64_t) : sizeof(uint32_t);
            }
          }
          if (format.with_availability) put(at, query->available, format.wide);
        }
        return complete;
      }
    }
    TimelinePoint next_write{writes_, seen + 1};
    if (wait({&next_write, 1}, WaitMode::All, deadline, cancel) != WaitResult::Reached) {
      return false;
    }
  }
}

}  // namespace rt
