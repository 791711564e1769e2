// SPDX-License-Identifier: Apache-2.0

// Calls of kernels that check arithmetic of matrices (TESSERA_CHECK=float), without a test around
// them. A sum of products is looked at where it leaves the multiply-adds, so that loops of them
// stay what they are. Whether something in it was born follows from what had infinities and NaNs
// before: that is noted, row by row and column by column.
#pragma once

#include <array>
#include <cstdint>

#include "runtime/kernel_library/check_float.h"

namespace rt {

enum class MatrixUse : uint8_t { A, B, Accumulator, Any };

// Which rows and columns of matrices have had an infinity or a NaN since the kernel began to run
// a workgroup: of all matrices A, of all B, and of what products were added to. Beyond kSides,
// several share a bit.
struct MatrixNotes {
  static constexpr uint32_t kSides = 256;
  using Sides = std::array<uint64_t, kSides / 64>;
  Sides rows_of_a, columns_of_b, rows_of_sum, columns_of_sum;
  uint64_t has_all;  // 0: what is noted lazily is left out

  static void set(Sides& sides, uint32_t side) {
    sides[side % kSides / 64] |= uint64_t{1} << side % 64;
  }
  static bool has(const Sides& sides, uint32_t side) {
    return (sides[side % kSides / 64] >> side % 64 & 1) != 0;
  }
  void add(MatrixUse use, uint32_t row, uint32_t column);
  // Whether an element of a sum may follow from what was noted.
  bool mayReach(uint32_t row, uint32_t column) const;
};

// How a matrix lies in memory, as bits of a number.
struct NotedForm {
  uint32_t lines;   // 16 bits
  uint32_t length;  // of a line, in components: 16 bits
  NumberFormat format;
  bool by_columns;  // lines are columns
  MatrixUse use;
  bool is_lazy;  // noted if MatrixNotes::has_all
  constexpr uint64_t pack() const {
    return uint64_t{lines} | uint64_t{length} << 16 | uint64_t(format) << 32 |
           uint64_t{by_columns} << 40 | uint64_t(use) << 41 | uint64_t{is_lazy} << 43;
  }
  static constexpr NotedForm unpack(uint64_t form) {
    return {
        static_cast<uint32_t>(form & 0xffff),         static_cast<uint32_t>(form >> 16 & 0xffff),
        static_cast<NumberFormat>(form >> 32 & 0xff), (form >> 40 & 1) != 0,
        static_cast<MatrixUse>(form >> 41 & 3),       (form >> 43 & 1) != 0};
  }
};

// Before anything is noted. The kernel notes lazily: not before a sum of the device's kernels has
// had an infinity or a NaN of which that would have told where it comes from.
void beginNotes(const DispatchArgs* dispatch, MatrixNotes* notes);

// A matrix that is loaded: its lines are `stride` bytes apart, `limit` bytes from `base` on may be
// read, ~0 means all.
void noteMatrix(MatrixNotes* notes, const std::byte* base, uint64_t limit, int64_t stride,
                uint64_t form);

// An operation on the elements of matrices, whose numbers lie element by element; a subgroup's, or
// (kNoSubgroup) the workgroup's. `notes` may be null.
void checkMatrixNumbers(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y,
                        uint32_t z, uint32_t subgroup, MatrixNotes* notes, const std::byte* numbers,
                        const CheckedOperation* operation);

}  // namespace rt
