// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/debug_printf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <string_view>
#include <vector>

namespace rt {
namespace {

constexpr PrintfArgument kInt{PrintfKind::Signed, 32, 1};
constexpr PrintfArgument kUint{PrintfKind::Unsigned, 32, 1};
constexpr PrintfArgument kByte{PrintfKind::Signed, 8, 1};
constexpr PrintfArgument kLong{PrintfKind::Unsigned, 64, 1};
constexpr PrintfArgument kFloat{PrintfKind::Float, 32, 1};
constexpr PrintfArgument kDouble{PrintfKind::Float, 64, 1};
constexpr PrintfArgument kText{PrintfKind::String, 64, 1};

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
}

template <typename Element>
PrintfArgument matrixOf(NumberFormat format, uint16_t rows, uint16_t columns) {
  EXPECT_EQ(bytesOf(format), sizeof(Element));
  return {PrintfKind::CooperativeMatrix, 64, 1, format, rows, columns};
}

template <typename Element>
std::string formatMatrix(const char* text, NumberFormat format, uint16_t rows, uint16_t columns,
                         const std::vector<Element>& elements) {
  EXPECT_EQ(elements.size(), size_t{rows} * columns);
  return rt::formatPrintf(text, std::vector{matrixOf<Element>(format, rows, columns)},
                          std::vector{reinterpret_cast<uint64_t>(elements.data())}.data(), 1);
}

TEST(FormatPrintfMatrix, RowsStandOnLinesOfTheirOwn) {
  const std::vector<float> elements = {1, -2.5, 3, 4, 500, 6};
  const auto print = [&](const char* text) {
    return formatMatrix(text, NumberFormat::Single, 2, 3, elements);
  };
  EXPECT_EQ(print("%g"), "   1, -2.5,    3\n   4,  500,    6");
  EXPECT_EQ(print("m%g"), "m\n   1, -2.5,    3\n   4,  500,    6");
  EXPECT_EQ(print("m\n%g"), "m\n   1, -2.5,    3\n   4,  500,    6");
  EXPECT_EQ(print("%g\n"), "   1, -2.5,    3\n   4,  500,    6\n");
  EXPECT_EQ(print("%.0f.%%"), "  1,  -2,   3\n  4, 500,   6\n.%");
  EXPECT_EQ(print("%-g|"), "1,    -2.5, 3\n4,    500,  6\n|");
  EXPECT_EQ(print("%8.2f"), "    1.00,    -2.50,     3.00\n    4.00,   500.00,     6.00");
}

TEST(FormatPrintfMatrix, ElementsAreOfEveryFormat) {
  EXPECT_EQ(formatMatrix<uint16_t>("%g", NumberFormat::Half, 1, 4, {0x3e00, 0xfc00, 0x7e00, 1}),
            "        1.5,        -inf,         nan, 5.96046e-08");
  EXPECT_EQ(formatMatrix<uint16_t>("%g", NumberFormat::BFloat, 1, 2, {0x3fc0, 0xc040}), "1.5,  -3");
  EXPECT_EQ(formatMatrix<uint8_t>("%g", NumberFormat::E4M3, 1, 2, {0x7e, 0x38}), "448,   1");
  EXPECT_EQ(formatMatrix<uint8_t>("%g", NumberFormat::E5M2, 1, 2, {0x7b, 0xfc}), "57344,  -inf");
  EXPECT_EQ(formatMatrix<double>("%.3f", NumberFormat::Double, 1, 1, {0.0625}), "0.062");
  EXPECT_EQ(formatMatrix<int8_t>("%d", NumberFormat::Signed8, 1, 2, {-128, 127}), "-128,  127");
  EXPECT_EQ(formatMatrix<uint8_t>("%u", NumberFormat::Unsigned8, 1, 2, {255, 1}), "255,   1");
  EXPECT_EQ(formatMatrix<int16_t>("%i", NumberFormat::Signed16, 1, 1, {-32768}), "-32768");
  EXPECT_EQ(formatMatrix<uint16_t>("%u", NumberFormat::Unsigned16, 1, 1, {65535}), "65535");
  EXPECT_EQ(formatMatrix<int32_t>("%d", NumberFormat::Signed32, 1, 1, {-7}), "-7");
  EXPECT_EQ(formatMatrix<uint32_t>("%u", NumberFormat::Unsigned32, 1, 1, {~0u}), "4294967295");
  EXPECT_EQ(formatMatrix<int64_t>("%ld", NumberFormat::Signed64, 1, 1, {-(1ll << 40)}),
            "-1099511627776");
  EXPECT_EQ(formatMatrix<uint64_t>("%lu", NumberFormat::Unsigned64, 1, 1, {~0ull}),
            "18446744073709551615");
}

TEST(FormatPrintfMatrix, OtherConversionsTakeAsManyBitsAsThereAre) {
  EXPECT_EQ(formatMatrix<uint16_t>("%04x", NumberFormat::Half, 1, 2, {0x3c00, 0x8000}),
            "3c00, 8000");
  EXPECT_EQ(formatMatrix<uint16_t>("%d", NumberFormat::BFloat, 1, 2, {0x3f80, 0x8000}),
            " 16256, -32768");
  EXPECT_EQ(formatMatrix<int8_t>("%#x", NumberFormat::Signed8, 1, 2, {-1, 16}), "0xff, 0x10");
  EXPECT_EQ(formatMatrix<int32_t>("%g", NumberFormat::Signed32, 1, 2, {0x3f800000, 0}), "1, 0");
}

TEST(FormatPrintfMatrix, VectorsSizesMeanNothingToIt) {
  EXPECT_EQ(formatMatrix<int32_t>("%v2d", NumberFormat::Signed32, 2, 3, {1, 2, 3, 4, 5, 6}),
            "1, 2, 3\n4, 5, 6");
}

TEST(FormatPrintfMatrix, WhatMakesNoSenseStandsAsItIs) {
  EXPECT_EQ(formatMatrix<int32_t>("[%s]", NumberFormat::Signed32, 1, 1, {1}), "[%s]");
  EXPECT_EQ(formatMatrix<int32_t>("none", NumberFormat::Signed32, 1, 1, {1}), "none");
  EXPECT_EQ(formatMatrix<int32_t>("%y %", NumberFormat::Signed32, 1, 1, {1}), "%y %");
  EXPECT_EQ(formatMatrix<int32_t>("%d %d", NumberFormat::Signed32, 1, 1, {1}), "1\n %d");
}

TEST(FormatPrintfMatrix, StandsBesideOtherArguments) {
  const std::vector<int32_t> first = {1, 2, 3, 4};
  const std::vector<float> second = {0.5};
  const std::vector<PrintfArgument> arguments = {
      kInt, matrixOf<int32_t>(NumberFormat::Signed32, 2, 2), vectorOf(kFloat, 2),
      matrixOf<float>(NumberFormat::Single, 1, 1), kText};
  const auto address = [](const void* of) { return reinterpret_cast<uint64_t>(of); };
  // Two invocations, of which the second prints.
  const std::vector<uint64_t> values = {0, bits(7),   0, address(first.data()),  0, bits(1.f),
                                        0, bits(2.f), 0, address(second.data()), 0, address("end")};
  EXPECT_EQ(formatPrintf("%d:%d%v2g%g%s", arguments, values.data() + 1, 2),
            "7:\n1, 2\n3, 4\n1, 2\n0.5\nend");
}

TEST(FormatPrintfMatrix, OfGlslLiesColumnByColumnInTheValues) {
  PrintfArgument matrix = kFloat;
  matrix.components = 6;
  matrix.rows = 3;
  matrix.columns = 2;
  EXPECT_EQ(format("m%g%d", {matrix, kInt},
                   {bits(1.f), bits(2.f), bits(3.f), bits(4.f), bits(5.f), bits(-6.f), 8}),
            "m\n 1,  4\n 2,  5\n 3, -6\n8");
}

TEST(FormatPrintfMatrix, IsWholeWhateverItsSize) {
  const std::vector<float> elements(size_t{1024} * 1024, -0.5f);
  const std::string text = formatMatrix("%f", NumberFormat::Single, 1024, 1024, elements);
  // A comma and a space between elements, the end of a line between rows.
  EXPECT_EQ(text.size(), size_t{1024} * 1024 * 11 - 1024 - 1);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1023);
  EXPECT_TRUE(text.ends_with(", -0.500000"));
}

TEST(FormatPrintf, SaysThatAMessageIsCutOff) {
  constexpr std::string_view kEnd = "... (cut off: a message has no more than 16 MiB)";
  EXPECT_EQ(format(std::string(100000, 'x').c_str()), std::string(100000, 'x'));
  const std::string longest(kMaxPrintfMessage, 'x');
  EXPECT_EQ(format(longest.c_str()), longest);
  const std::string cut = format((longest + 'x').c_str());
  EXPECT_EQ(cut.size(), kMaxPrintfMessage);
  EXPECT_TRUE(cut.ends_with(kEnd));
  const std::vector<int8_t> elements(size_t{256} * 256, 1);
  const std::string matrix = formatMatrix("%300d", NumberFormat::Signed8, 256, 256, elements);
  EXPECT_EQ(matrix.size(), kMaxPrintfMessage);
  EXPECT_TRUE(matrix.ends_with(kEnd));
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
