// SPDX-License-Identifier: Apache-2.0

// Random choices that are the same everywhere for a seed.
#pragma once

#include <cstdint>
#include <vector>

namespace matrices {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  // SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators).
  uint64_t bits() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // Both ends included.
  uint32_t between(uint32_t low, uint32_t high) {
    return low + static_cast<uint32_t>(bits() % (uint64_t{high} - low + 1));
  }
  double real() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // in [0, 1)
  bool chance(uint32_t percent) { return bits() % 100 < percent; }
  template <typename T>
  const T& of(const std::vector<T>& items) {
    return items[bits() % items.size()];
  }
  template <typename T>
  T of(std::initializer_list<T> items) {
    return items.begin()[bits() % items.size()];
  }

 private:
  uint64_t state_;
};

}  // namespace matrices
