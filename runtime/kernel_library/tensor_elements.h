// SPDX-License-Identifier: Apache-2.0

// Where elements of a matrix lie in a tensor, one by one, for checks. Internal to
// runtime/kernel_library.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "runtime/kernel_library/tensor_copy.h"

namespace rt {

// Elements of the tensor, counted as components of the matrix from its start: as the specification
// has them, one after the other. All numbers have 32 bits.
class TensorElements {
 public:
  TensorElements(const TensorForm& form, const TensorState& state, bool is_store)
      : form_(form), state_(state), is_store_(is_store) {}

  // No less than any element's; what is inside by this is inside.
  uint64_t most() const {
    uint64_t sum = 0;
    for (uint32_t dim = 0; dim < form_.layout_dimensions; ++dim)
      sum += (state_.dimension[dim] == 0
                  ? 0
                  : (state_.dimension[dim] - 1) / divisor(state_.block_size[dim])) *
             uint64_t{state_.stride[dim]};
    // Sums that wrap around may be anything.
    return std::min<uint64_t>(sum, ~0u);
  }

  // Nothing where an element is clipped, or takes no memory of the tensor.
  std::optional<uint32_t> of(uint32_t row, uint32_t column) const {
    uint32_t linear = row * form_.columns + column;
    if (form_.view_dimensions != 0) {
      row -= state_.clip_row_offset;
      column -= state_.clip_column_offset;
      if (row >= state_.clip_row_span || column >= state_.clip_column_span) return std::nullopt;
      linear = inView(row * std::min(form_.columns, state_.clip_column_span) + column);
    }
    uint32_t index = 0;
    for (uint32_t dim = form_.layout_dimensions; dim-- > 0;) {
      const uint32_t span = divisor(state_.span[dim]);
      const std::optional<uint32_t> at = coordinate(dim, linear % span);
      if (!at) return std::nullopt;
      index += *at / divisor(state_.block_size[dim]) * state_.stride[dim];
      linear /= span;
    }
    return index;
  }

 private:
  static uint32_t divisor(uint32_t number) { return std::max(number, 1u); }

  uint32_t inView(uint32_t index) const {
    const uint32_t* size = form_.has_dimensions ? state_.view_dimension : state_.span;
    uint32_t strides[kTensorDimensions], stride = 1;
    for (uint32_t dim = form_.view_dimensions; dim-- > 0; stride *= state_.span[dim])
      strides[dim] = form_.has_dimensions ? state_.view_stride[dim] : stride;
    uint32_t linear = 0;
    for (uint32_t k = form_.view_dimensions; k-- > 0;) {
      const uint32_t dim = form_.permutation[k];
      linear += index % divisor(size[dim]) * strides[dim];
      index /= divisor(size[dim]);
    }
    return linear;
  }

  std::optional<uint32_t> coordinate(uint32_t dim, uint32_t digit) const {
    int64_t c = static_cast<int32_t>(digit + state_.offset[dim]);
    const int64_t size = state_.dimension[dim];
    if (c >= 0 && c < size) return static_cast<uint32_t>(c);
    if (is_store_ || size == 0) return std::nullopt;
    auto modulo = [](int64_t a, int64_t b) { return (a % b + b) % b; };
    switch (form_.clamp) {
      case TensorClamp::ClampToEdge:
        return static_cast<uint32_t>(std::clamp<int64_t>(c, 0, size - 1));
      case TensorClamp::Repeat:
        return static_cast<uint32_t>(modulo(c, size));
      case TensorClamp::RepeatMirrored:
        c = modulo(c, std::max<int64_t>(2 * size - 2, 1));
        return static_cast<uint32_t>(c >= size ? 2 * size - 2 - c : c);
      default:
        return std::nullopt;
    }
  }

  const TensorForm& form_;
  const TensorState& state_;
  const bool is_store_;
};

}  // namespace rt
