// SPDX-License-Identifier: Apache-2.0

#include "tests/support/tensor_model.h"

#include <algorithm>

namespace tensors {

namespace {

uint32_t ceilingOfQuotient(uint32_t a, uint32_t b) { return a / b + (a % b != 0); }

// The remainder of OpSMod.
int64_t modulo(int64_t a, int64_t b) {
  const int64_t remainder = a % b;
  return remainder < 0 ? remainder + b : remainder;
}

Coord linearToSpanCoord(const Layout& t, uint32_t index) {
  Coord coord{};
  for (uint32_t dim = t.dimensions; dim-- > 0;) {
    coord[dim] = index % t.span[dim];
    index /= t.span[dim];
  }
  return coord;
}

Element spanCoordToTensor(const Layout& t, const Coord& span_coord, bool is_store) {
  Element element;
  for (uint32_t dim = 0; dim < t.dimensions; ++dim) {
    int64_t c = static_cast<int32_t>(span_coord[dim] + static_cast<uint32_t>(t.offset[dim]));
    const int64_t size = t.dimension[dim];
    if (c < 0 || c >= size) {
      ClampMode mode = t.mode;
      if (is_store && mode != ClampMode::Undefined) mode = ClampMode::Constant;
      switch (mode) {
        case ClampMode::Undefined:
          element.where = Where::Undefined;
          return element;
        case ClampMode::Constant:
          element.where = Where::Outside;
          return element;
        case ClampMode::ClampToEdge:
          c = std::min(std::max<int64_t>(c, 0), size - 1);
          break;
        case ClampMode::Repeat:
          c = modulo(c, size);
          break;
        case ClampMode::MirrorRepeat:
          if (size == 1) {  // a remainder of division by zero
            element.where = Where::Undefined;
            return element;
          }
          c = modulo(c, 2 * size - 2);
          c = c >= size ? 2 * size - 2 - c : c;
          break;
      }
    }
    element.in_block[dim] = static_cast<uint32_t>(c) % t.block_size[dim];
    element.block[dim] = static_cast<uint32_t>(c) / t.block_size[dim];
  }
  for (uint32_t dim = 0; dim < t.dimensions; ++dim)
    element.index += element.block[dim] * t.stride[dim];
  return element;
}

Coord linearToViewCoord(const Layout& t, const View& v, uint32_t index) {
  const Coord& sizes = v.has_dimensions ? v.dimension : t.span;
  Coord coord{};
  for (uint32_t dim = v.dimensions; dim-- > 0;) {
    const uint32_t i = v.permutation[dim];
    coord[i] = index % sizes[i];
    index /= sizes[i];
  }
  return coord;
}

uint32_t viewCoordToLinear(const Layout& t, const View& v, const Coord& coord) {
  Coord stride = v.stride;
  if (!v.has_dimensions) {
    uint32_t product = 1;
    for (uint32_t dim = v.dimensions; dim-- > 0; product *= t.span[dim]) stride[dim] = product;
  }
  uint32_t index = 0;
  for (uint32_t dim = 0; dim < v.dimensions; ++dim) index += coord[dim] * stride[dim];
  return index;
}

}  // namespace

Layout Layout::create(uint32_t dimensions, ClampMode mode) {
  Layout layout;
  layout.dimensions = dimensions;
  layout.mode = mode;
  layout.block_size.fill(1);
  return layout;
}

void Layout::setDimensions(const Coord& sizes) {
  uint32_t product = 1;
  for (uint32_t dim = dimensions; dim-- > 0;) {
    dimension[dim] = span[dim] = sizes[dim];
    offset[dim] = 0;
    stride[dim] = product;
    product *= ceilingOfQuotient(sizes[dim], block_size[dim]);
  }
}

void Layout::slice(const std::array<int32_t, kMaxDimensions>& offsets, const Coord& spans) {
  for (uint32_t dim = 0; dim < dimensions; ++dim) {
    offset[dim] += offsets[dim];
    span[dim] = spans[dim];
  }
}

void View::setDimensions(const Coord& sizes) {
  uint32_t product = 1;
  for (uint32_t dim = dimensions; dim-- > 0; product *= sizes[dim]) {
    dimension[dim] = sizes[dim];
    stride[dim] = product;
  }
}

Element locate(const Layout& layout, const std::optional<View>& view, uint32_t row, uint32_t column,
               uint32_t columns, bool is_store) {
  if (!view) {
    const uint32_t index = row * columns + column;
    return spanCoordToTensor(layout, linearToSpanCoord(layout, index), is_store);
  }
  const View& v = *view;
  if (row < v.clip_row_offset || row >= v.clip_row_offset + v.clip_row_span ||
      column < v.clip_column_offset || column >= v.clip_column_offset + v.clip_column_span) {
    Element element;
    element.where = Where::Clipped;
    return element;
  }
  const uint32_t width = std::min(columns, v.clip_column_span);
  const uint32_t index = (row - v.clip_row_offset) * width + (column - v.clip_column_offset);
  const uint32_t linear = viewCoordToLinear(layout, v, linearToViewCoord(layout, v, index));
  return spanCoordToTensor(layout, linearToSpanCoord(layout, linear), is_store);
}

}  // namespace tensors
