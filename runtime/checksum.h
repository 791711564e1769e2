// SPDX-License-Identifier: Apache-2.0

// Tells whether bytes came back as they were written. No protection against intent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace rt {

// FNV-1a over eight bytes at a time, its high bits mixed into the low ones after each.
inline uint64_t checksum(std::span<const std::byte> bytes) {
  constexpr uint64_t kPrime = 0x100000001b3;
  uint64_t sum = 0xcbf29ce484222325 ^ bytes.size();
  auto take = [&](uint64_t word) {
    sum = (sum ^ word) * kPrime;
    sum ^= sum >> 32;
  };
  for (; bytes.size() >= sizeof(uint64_t); bytes = bytes.subspan(sizeof(uint64_t))) {
    uint64_t word;
    std::memcpy(&word, bytes.data(), sizeof word);
    take(word);
  }
  for (std::byte byte : bytes) take(static_cast<uint64_t>(byte));
  return sum;
}

}  // namespace rt
