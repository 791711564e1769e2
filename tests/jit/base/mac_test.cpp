// SPDX-License-Identifier: Apache-2.0

#include "jit/base/mac.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string_view>
#include <vector>

namespace jit {
namespace {

std::array<uint8_t, 32> keyOf(std::string_view text) {
  std::array<uint8_t, 32> key{};
  std::memcpy(key.data(), text.data(), std::min(text.size(), key.size()));
  return key;
}

const std::array<uint8_t, 32> kKey = keyOf("whats the Elvish word for friend");

std::string hex(const Mac& mac) {
  std::string text;
  for (uint8_t byte : mac) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", byte);
    text += digits;
  }
  return text;
}

// The bytes behind the purpose in BLAKE3's own test vectors: 1, 2, ... 250, 0, 1, ...
std::vector<std::byte> countingBytes(size_t size) {
  std::vector<std::byte> bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>((i + 1) % 251);
  return bytes;
}

// Source: BLAKE3's test_vectors.json, "keyed_hash" of input_len 1, 1024 and 102400.
TEST(Mac, IsBlake3sKeyedHash) {
  EXPECT_EQ(hex(macOf(kKey, MacPurpose::CacheUuid, {})),
            "6d7878dfff2f485635d39013278ae14f1454b8c0a3a2d34bc1ab38228a80c95b");
  EXPECT_EQ(hex(macOf(kKey, MacPurpose::CacheUuid, {countingBytes(1023)})),
            "75c46f6f3d9eb4f55ecaaee480db732e6c2105546f1e675003687c31719c7ba4");
  EXPECT_EQ(hex(macOf(kKey, MacPurpose::CacheUuid, {countingBytes(102399)})),
            "1c35d1a5811083fd7119f5d5d1ba027b4d01c0c6c49fb6ff2cf75393ea5db4a7");
}

TEST(Mac, DependsOnKeyPurposeAndEachByte) {
  const std::vector<std::byte> bytes = countingBytes(3000);
  const Mac mac = macOf(kKey, MacPurpose::PipelineCache, {bytes});
  EXPECT_EQ(macOf(kKey, MacPurpose::PipelineCache,
                  {std::span(bytes).first(7), std::span(bytes).subspan(7)}),
            mac);
  EXPECT_NE(macOf(kKey, MacPurpose::PipelineBinary, {bytes}), mac);
  for (size_t bit = 0; bit < 256; bit += 7) {
    std::array<uint8_t, 32> other = kKey;
    other[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    EXPECT_NE(macOf(other, MacPurpose::PipelineCache, {bytes}), mac);
  }
  for (size_t at = 0; at < bytes.size(); at += 13) {
    std::vector<std::byte> other = bytes;
    other[at] ^= std::byte{0x80};
    EXPECT_NE(macOf(kKey, MacPurpose::PipelineCache, {other}), mac);
  }
}

TEST(Mac, AreEqualOnlyWhole) {
  const Mac mac = macOf(kKey, MacPurpose::PipelineCache, {});
  EXPECT_TRUE(areEqual(mac, mac));
  for (size_t bit = 0; bit < 256; ++bit) {
    Mac other = mac;
    other[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    EXPECT_FALSE(areEqual(mac, other)) << bit;
  }
}

}  // namespace
}  // namespace jit
