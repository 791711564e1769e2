// SPDX-License-Identifier: Apache-2.0

#include "tests/support/tensor_cases.h"

#include <algorithm>
#include <numeric>

namespace tensors {

namespace {

using matrices::Random;

std::string list(const char* name, const auto& numbers, uint32_t count) {
  std::string text = std::string(" ") + name + " (";
  for (uint32_t k = 0; k < count; ++k) text += (k == 0 ? "" : ", ") + std::to_string(numbers[k]);
  return text + ")";
}

// Factors whose product is about `elements`.
Coord factors(Random& random, uint32_t dimensions, uint32_t elements) {
  Coord result{};
  uint32_t left = elements;
  for (uint32_t dim = dimensions; dim-- > 0;) {
    uint32_t factor = dim == 0 ? left : random.between(1, std::max(left / 2, 1u));
    if (dim != 0 && random.chance(70)) {  // mostly one that divides
      factor = 1u << random.between(0, 5);
      while (left % factor != 0) factor /= 2;
    }
    result[dim] = std::max(factor, 1u);
    left = std::max(left / result[dim], 1u);
  }
  return result;
}

Layout randomLayout(Random& random, uint32_t rows, uint32_t columns, bool blocks) {
  const auto mode = static_cast<ClampMode>(random.between(0, 4));
  Layout layout = Layout::create(random.between(1, kMaxDimensions), mode);
  if (blocks && random.chance(25))
    for (uint32_t dim = 0; dim < layout.dimensions; ++dim)
      layout.block_size[dim] = random.between(1, 4);
  Coord spans = factors(random, layout.dimensions, rows * columns);
  if (layout.dimensions >= 2 && random.chance(60)) {
    spans.fill(1);
    spans[layout.dimensions - 1] = columns;
    spans[layout.dimensions - 2] = rows;
    if (random.chance(50)) std::swap(spans[layout.dimensions - 1], spans[layout.dimensions - 2]);
  }
  Coord sizes{};
  std::array<int32_t, kMaxDimensions> offsets{};
  const bool inside = mode == ClampMode::Undefined || random.chance(40);
  for (uint32_t dim = 0; dim < layout.dimensions; ++dim) {
    sizes[dim] = spans[dim] + random.between(0, 3);
    if (inside) {
      offsets[dim] = static_cast<int32_t>(random.between(0, sizes[dim] - spans[dim]));
    } else {
      if (random.chance(50)) sizes[dim] = std::max(spans[dim] / random.between(1, 3), 2u);
      offsets[dim] = static_cast<int32_t>(random.between(0, 2 * sizes[dim])) -
                     static_cast<int32_t>(sizes[dim] / 2);
    }
  }
  layout.setDimensions(sizes);
  if (random.chance(25)) {
    uint32_t stride = random.chance(20) ? 2 : 1;
    for (uint32_t dim = layout.dimensions; dim-- > 0;) {
      layout.stride[dim] = stride;
      stride *=
          (sizes[dim] + layout.block_size[dim] - 1) / layout.block_size[dim] + random.between(0, 2);
    }
  }
  layout.slice(offsets, spans);
  if (random.chance(50)) layout.clamp_value = static_cast<uint32_t>(random.bits());
  return layout;
}

View randomView(Random& random, const Layout& layout, uint32_t rows, uint32_t columns) {
  View view;
  view.has_dimensions = random.chance(40);
  view.dimensions = view.has_dimensions ? random.between(1, kMaxDimensions) : layout.dimensions;
  if (!view.has_dimensions && random.chance(10))
    view.dimensions = random.between(1, layout.dimensions);
  std::iota(view.permutation.begin(), view.permutation.end(), 0u);
  if (random.chance(70))
    for (uint32_t k = view.dimensions; k-- > 1;)
      std::swap(view.permutation[k], view.permutation[random.between(0, k)]);
  if (view.has_dimensions) {
    if (view.dimensions == layout.dimensions && random.chance(50)) {
      view.setDimensions(layout.span);
    } else {
      view.setDimensions(factors(random, view.dimensions, rows * columns));
    }
    if (random.chance(20))
      for (uint32_t dim = 0; dim < view.dimensions; ++dim) view.stride[dim] = random.between(0, 20);
  }
  if (random.chance(40)) {
    view.clip_row_offset = random.between(0, rows / 2);
    view.clip_row_span = random.chance(20) ? ~0u - view.clip_row_offset : random.between(0, rows);
    view.clip_column_offset = random.between(0, columns / 2);
    view.clip_column_span = random.between(0, columns);
  }
  return view;
}

}  // namespace

std::string Case::describe() const {
  const uint32_t n = layout.dimensions;
  std::string text = std::to_string(rows) + "x" + std::to_string(columns) + " clamp mode " +
                     std::to_string(static_cast<uint32_t>(layout.mode)) + " value " +
                     std::to_string(layout.clamp_value) + list("block", layout.block_size, n) +
                     list("dimension", layout.dimension, n) + list("stride", layout.stride, n) +
                     list("offset", layout.offset, n) + list("span", layout.span, n);
  if (!view) return text;
  const uint32_t m = view->dimensions;
  text += "; view" + list("permutation", view->permutation, m);
  if (view->has_dimensions)
    text += list("dimension", view->dimension, m) + list("stride", view->stride, m);
  const uint32_t clip[] = {view->clip_row_offset, view->clip_row_span, view->clip_column_offset,
                           view->clip_column_span};
  return text + list("clip", clip, 4);
}

Case randomCase(Random& random, uint32_t rows, uint32_t columns, bool blocks) {
  Case c{rows, columns, randomLayout(random, rows, columns, blocks), std::nullopt};
  if (random.chance(50)) c.view = randomView(random, c.layout, rows, columns);
  return c;
}

uint64_t elementsOf(const Case& c) {
  uint64_t last = 0;
  for (uint32_t dim = 0; dim < c.layout.dimensions; ++dim)
    last +=
        uint64_t{(c.layout.dimension[dim] - 1) / c.layout.block_size[dim]} * c.layout.stride[dim];
  return last + 1;
}

}  // namespace tensors
