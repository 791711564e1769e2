// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/clipped_copy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace rt {
namespace {

// Components are told apart by their first byte.
constexpr uint64_t kRows = 5, kColumns = 7, kRoom = 1024;
constexpr std::byte kUntouched{0xee};

std::vector<std::byte> numbered(size_t size) {
  std::vector<std::byte> bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = std::byte(i * 37 % 199 + 1);
  return bytes;
}

bool isBelow(uint64_t offset, uint64_t bytes, uint64_t limit) {
  return offset < limit && limit - offset >= bytes;
}

struct Case {
  uint64_t bytes, stride, limit;
};

std::vector<Case> cases() {
  std::vector<Case> cases;
  for (uint64_t bytes : {1, 2, 4, 8}) {
    for (uint64_t stride : {kColumns * bytes, kColumns * bytes + 3, uint64_t{100}, uint64_t{0}}) {
      for (uint64_t limit : {uint64_t{0}, uint64_t{1}, bytes, 3 * bytes + 1, stride, stride + 5,
                             2 * stride + bytes, kRows * stride, kRoom})
        cases.push_back({bytes, stride, limit});
    }
  }
  return cases;
}

TEST(ClippedCopy, GathersWhatIsBelowTheLimitAndZeros) {
  const std::vector<std::byte> source = numbered(kRoom);
  for (auto [bytes, stride, limit] : cases()) {
    SCOPED_TRACE(testing::Message() << bytes << " bytes, stride " << stride << ", limit " << limit);
    std::vector<std::byte> target(kRows * kColumns * bytes, kUntouched);
    gatherClipped(source.data(), stride, limit, target.data(), kRows, kColumns, bytes);
    for (uint64_t i = 0; i < kRows * kColumns; ++i) {
      const uint64_t offset = i / kColumns * stride + i % kColumns * bytes;
      for (uint64_t b = 0; b < bytes; ++b) {
        const std::byte expected =
            isBelow(offset, bytes, limit) ? source[offset + b] : std::byte{0};
        ASSERT_EQ(target[i * bytes + b], expected) << "component " << i;
      }
    }
  }
}

TEST(ClippedCopy, ScattersWhatIsBelowTheLimit) {
  for (auto [bytes, stride, limit] : cases()) {
    for (bool to_columns : {false, true}) {
      SCOPED_TRACE(testing::Message() << bytes << " bytes, stride " << stride << ", limit " << limit
                                      << (to_columns ? ", by columns" : ", by rows"));
      const uint64_t source_stride = kColumns * bytes + 2;
      const std::vector<std::byte> source = numbered(kRows * source_stride);
      std::vector<std::byte> target(kRoom, kUntouched), expected = target;
      scatterClipped(source.data(), source_stride, target.data(), stride, limit, kRows, kColumns,
                     bytes, to_columns);
      for (uint64_t row = 0; row < kRows; ++row) {
        for (uint64_t column = 0; column < kColumns; ++column) {
          const uint64_t offset =
              to_columns ? column * stride + row * bytes : row * stride + column * bytes;
          if (isBelow(offset, bytes, limit))
            std::memcpy(&expected[offset], &source[row * source_stride + column * bytes], bytes);
        }
      }
      ASSERT_EQ(target, expected);
    }
  }
}

// Offsets of -1 and -2 are far above the limit, those after them below it again; and where all of
// the address space may be accessed, they are the bytes before.
TEST(ClippedCopy, OffsetsWrapAround) {
  const std::vector<std::byte> bytes = numbered(64);
  const std::byte* middle = &bytes[32];
  std::vector<std::byte> gathered(8, kUntouched);
  gatherClipped(middle, -uint64_t{2}, 16, gathered.data(), 2, 4, 1);
  EXPECT_EQ(gathered, (std::vector{middle[0], middle[1], middle[2], middle[3], std::byte{0},
                                   std::byte{0}, middle[0], middle[1]}));
  gatherClipped(middle, -uint64_t{2}, -uint64_t{1}, gathered.data(), 2, 2, 1);
  EXPECT_EQ(gathered[2], middle[-2]);
  std::vector<std::byte> target(16, kUntouched), expected = target;
  scatterClipped(middle, 4, &target[8], -uint64_t{2}, 8, 2, 4, 1, false);
  std::memcpy(&expected[8], middle, 4);
  std::memcpy(&expected[8], middle + 6, 2);
  EXPECT_EQ(target, expected);
}

}  // namespace
}  // namespace rt
