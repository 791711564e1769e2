// SPDX-License-Identifier: Apache-2.0

// Sleeping until one of several words changes (man 2 futex), in this process or in another one.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "runtime/clock.h"

namespace rt {

struct FutexWord {
  const std::atomic<uint32_t>* word;
  uint32_t seen;  // a word that is no longer that ends the sleep at once
  bool shared;    // with other processes
};

// Sleeps until a word is woken; sometimes without a reason. False when the deadline came first.
bool sleepOn(std::span<const FutexWord> words, Deadline deadline);

// Wakes all who sleep on a word, which must have changed before.
void wakeAll(const std::atomic<uint32_t>& word, bool shared);

}  // namespace rt
