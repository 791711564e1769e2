// SPDX-License-Identifier: Apache-2.0

// Bit patterns for tests of arithmetic: random ones of every exponent, near each other or not, and
// the special ones.
#pragma once

#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

namespace jit::test {

// Patterns of `Bits` (uint16_t, uint32_t, uint64_t), whose formats have `mantissa` bits behind the
// point.
template <typename Bits>
class NumberSamples {
 public:
  NumberSamples(unsigned mantissa, uint32_t seed) : mantissa_(mantissa), random_(seed) {}

  Bits any() {
    const uint64_t r = random_();
    switch (r % 8) {
      case 0:
        return special();
      case 1:  // few bits set
        return static_cast<Bits>(random_() << (random_() % mantissa_ + 1));
      default:
        return static_cast<Bits>(random_());
    }
  }
  // Of an exponent near that of `other`, as sums and quotients round in interesting ways there.
  Bits near(Bits other) {
    const auto exponent = static_cast<Bits>(static_cast<Bits>(random_() % 61 - 30) << mantissa_);
    const auto mask = static_cast<Bits>((Bits{1} << mantissa_) - 1);
    const auto sign = static_cast<Bits>(random_() << (8 * sizeof(Bits) - 1));
    return static_cast<Bits>(((other + exponent) & ~mask) ^ sign) |
           static_cast<Bits>(random_() & mask);
  }
  // `count` pairs.
  void fill(size_t count, std::vector<Bits>& a, std::vector<Bits>& b) {
    for (size_t k = 0; k < count; ++k) {
      a.push_back(any());
      b.push_back(k % 3 != 0 ? near(a.back()) : any());
    }
  }

 private:
  Bits special() {
    const auto one = Bits{1};
    const auto sign = static_cast<Bits>(one << (8 * sizeof(Bits) - 1));
    const auto infinity = static_cast<Bits>((sign - 1) & ~((one << mantissa_) - 1));
    const Bits values[] = {0,
                           one,
                           static_cast<Bits>((one << mantissa_) - 1),
                           static_cast<Bits>(one << mantissa_),
                           static_cast<Bits>(infinity - 1),
                           infinity,
                           static_cast<Bits>(infinity + 1)};
    return static_cast<Bits>(values[random_() % 7] | (random_() % 2 ? sign : 0));
  }

  unsigned mantissa_;
  std::mt19937_64 random_;
};

}  // namespace jit::test
