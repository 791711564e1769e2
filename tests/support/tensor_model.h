// SPDX-License-Identifier: Apache-2.0

// Where the elements of a matrix lie in a tensor: the pseudo-code of SPV_NV_cooperative_matrix2,
// "Tensor Layout and View", as it stands there, one element at a time. Knows nothing of the driver.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace tensors {

inline constexpr uint32_t kMaxDimensions = 5;
using Coord = std::array<uint32_t, kMaxDimensions>;

enum class ClampMode : uint32_t { Undefined, Constant, ClampToEdge, Repeat, MirrorRepeat };

struct Layout {
  uint32_t dimensions = 1;
  ClampMode mode = ClampMode::Undefined;
  Coord block_size{}, dimension{}, stride{};
  std::array<int32_t, kMaxDimensions> offset{};
  Coord span{};
  uint32_t clamp_value = 0;

  // As OpCreateTensorLayoutNV, OpTensorLayoutSetDimensionNV (which follows the block sizes) and
  // OpTensorLayoutSliceNV leave it.
  static Layout create(uint32_t dimensions, ClampMode mode);
  void setDimensions(const Coord& sizes);
  void slice(const std::array<int32_t, kMaxDimensions>& offsets, const Coord& spans);
};

struct View {
  uint32_t dimensions = 1;
  bool has_dimensions = false;
  Coord permutation{};
  Coord dimension{}, stride{};
  uint32_t clip_row_offset = 0, clip_row_span = ~0u;
  uint32_t clip_column_offset = 0, clip_column_span = ~0u;

  void setDimensions(const Coord& sizes);
};

enum class Where {
  Clipped,    // the element is skipped
  Outside,    // a load gives the clamp value, a store is discarded
  Undefined,  // nothing is promised
  Inside,
};

struct Element {
  Where where = Where::Inside;
  uint32_t index = 0;  // of the element in the tensor
  Coord block{}, in_block{};
};

// `columns`: of the matrix.
Element locate(const Layout& layout, const std::optional<View>& view, uint32_t row, uint32_t column,
               uint32_t columns, bool is_store);

}  // namespace tensors
