// SPDX-License-Identifier: Apache-2.0

// Random choices that are the same with every standard library.
#pragma once

#include <cstdint>

namespace jit::test {

// splitmix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators").
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15u); }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(next() >> 33) % n; }
  bool chance(uint32_t percent) { return below(100) < percent; }

  // A seed for the `k`-th part of what `seed` is for.
  static uint64_t derive(uint64_t seed, uint64_t k) {
    return mix(mix(seed) + k * 0x632be59bd9b4e019u);
  }

 private:
  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  uint64_t state_;
};

}  // namespace jit::test
