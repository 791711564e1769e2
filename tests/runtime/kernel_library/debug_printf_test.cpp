// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/debug_printf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <mutex>
#include <vector>

namespace rt {
namespace {

constexpr PrintfArgument kInt{PrintfKind::Signed, 32, 1, 0};
constexpr PrintfArgument kUint{PrintfKind::Unsigned, 32, 1, 0};
constexpr PrintfArgument kByte{PrintfKind::Signed, 8, 1, 0};
constexpr PrintfArgument kLong{PrintfKind::Unsigned, 64, 1, 0};
constexpr PrintfArgument kFloat{PrintfKind::Float, 32, 1, 0};
constexpr PrintfArgument kDouble{PrintfKind::Float, 64, 1, 0};
constexpr PrintfArgument kText{PrintfKind::String, 64, 1, 0};

PrintfArgument vectorOf(PrintfArgument scalar, uint8_t components) {
  scalar.components = components;
  return scalar;
}
uint64_t bits(float value) { return std::bit_cast<uint32_t>(value); }
uint64_t bits(double value) { return std::bit_cast<uint64_t>(value); }
uint64_t bits(int value) { return static_cast<uint64_t>(static_cast<int64_t>(value)); }

std::string format(const char* text, std::vector<PrintfArgument> arguments = {},
                   std::vector<uint64_t> values = {}) {
  return formatPrintf(text, arguments, values.data(), 1);
}

TEST(FormatPrintf, Integers) {
  EXPECT_EQ(format("%d|%i|%5d|%-5d|%05d|%+d", {kInt, kInt, kInt, kInt, kInt, kInt},
                   {bits(-7), bits(42), bits(-7), bits(-7), bits(42), bits(42)}),
            "-7|42|   -7|-7   |00042|+42");
  EXPECT_EQ(format("%u %x %X %#x %o", {kUint, kUint, kUint, kUint, kUint},
                   {4000000000u, 0xabc, 0xabc, 0xabc, 8}),
            "4000000000 abc ABC 0xabc 10");
  EXPECT_EQ(format("%u %x %d", {kInt, kByte, kUint}, {bits(-1), bits(-1), 4294967295u}),
            "4294967295 ff -1");
  EXPECT_EQ(format("%ul %lu %lx %llu %d", {kLong, kLong, kLong, kLong, kLong},
                   {~0ull, 1ull << 40, 1ull << 40, 5, ~0ull}),
            "18446744073709551615 1099511627776 10000000000 5 -1");
  EXPECT_EQ(format("%p", {kLong}, {0xdead0000beef}), "0xdead0000beef");
}

TEST(FormatPrintf, Floats) {
  EXPECT_EQ(format("%f %.2f %8.3f|%-8.1f|%e %g %a", std::vector(7, kFloat),
                   {bits(1.5f), bits(1.5f), bits(-2.25f), bits(3.f), bits(1500.f), bits(0.0001f),
                    bits(1.f)}),
            "1.500000 1.50   -2.250|3.0     |1.500000e+03 0.0001 0x1p+0");
  EXPECT_EQ(format("%.10f %F %E %G", std::vector(4, kDouble),
                   {bits(0.1), bits(2.0), bits(2.0), bits(1e-10)}),
            "0.1000000000 2.000000 2.000000E+00 1E-10");
}

TEST(FormatPrintf, Vectors) {
  EXPECT_EQ(format("%v3f and %1.1v2f", {vectorOf(kFloat, 3), vectorOf(kFloat, 2)},
                   {bits(1.f), bits(2.f), bits(3.f), bits(4.25f), bits(5.f)}),
            "1.000000, 2.000000, 3.000000 and 4.2, 5.0");
  EXPECT_EQ(format("%v4d %v2ul", {vectorOf(kInt, 4), vectorOf(kLong, 2)},
                   {bits(-1), 2, 3, 4, 5, 1ull << 33}),
            "-1, 2, 3, 4 5, 8589934592");
  EXPECT_EQ(format("%v2x", {vectorOf(kUint, 3)}, {10, 11, 12}), "a, b");
}

TEST(FormatPrintf, ValuesOfOneInvocationAreAStrideApart) {
  const PrintfArgument arguments[] = {vectorOf(kUint, 2), kUint};
  const uint64_t values[] = {1, 10, 2, 20, 3, 30};
  EXPECT_EQ(formatPrintf("%v2u %u", arguments, values + 1, 2), "10, 20 30");
}

TEST(FormatPrintf, TextAndStrings) {
  EXPECT_EQ(format("100%% of nothing"), "100% of nothing");
  EXPECT_EQ(format("[%5s]", {kText}, {reinterpret_cast<uint64_t>("abc")}), "[  abc]");
}

TEST(FormatPrintf, WhatMakesNoSenseStandsAsItIs) {
  EXPECT_EQ(format("%d %y %"), "%d %y %");
  EXPECT_EQ(format("%s %d", {kInt, kText}, {5, reinterpret_cast<uint64_t>("abc")}), "%s %d");
  EXPECT_EQ(format("%y %d", {kInt}, {5}), "%y 5");
  EXPECT_EQ(format("%v9d %v", {kInt}, {5}), "%v9d %v");
  EXPECT_EQ(format("%99999999999d", {kInt}, {5}).size(), 1024u);
  EXPECT_LE(format(std::string(100000, 'x').c_str()).size(), 65536u);
}

TEST(DebugPrintfTest, LiveInvocationsPrintInTheirOrder) {
  std::vector<std::string> messages;
  const DebugPrintf output([&](std::string_view message) { messages.emplace_back(message); });
  uint64_t values[8];
  for (uint64_t i = 0; i < 8; ++i) values[i] = i * i;
  debugPrintf(&output, "%u", &kUint, 1, values, 8, 0b10100101);
  EXPECT_THAT(messages, testing::ElementsAre("0", "4", "25", "49"));
  debugPrintf(nullptr, "%u", &kUint, 1, values, 8, 0xff);
  EXPECT_EQ(messages.size(), 4u);
}

}  // namespace
}  // namespace rt
