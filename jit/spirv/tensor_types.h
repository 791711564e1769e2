// SPDX-License-Identifier: Apache-2.0

// Tensor layouts and views as values: which of their leaves, all 32-bit numbers, is what.
// Source: SPV_NV_tensor_addressing.
#pragma once

#include <cstdint>

namespace jit::spirv {

// Of a layout with `dimensions` dimensions, the outermost first: five numbers for each, and one.
class LayoutLeaves {
 public:
  explicit constexpr LayoutLeaves(uint32_t dimensions) : dimensions_(dimensions) {}

  constexpr uint32_t blockSize(uint32_t dim) const { return dim; }
  constexpr uint32_t dimension(uint32_t dim) const { return dimensions_ + dim; }
  constexpr uint32_t stride(uint32_t dim) const { return 2 * dimensions_ + dim; }
  constexpr uint32_t offset(uint32_t dim) const { return 3 * dimensions_ + dim; }
  constexpr uint32_t span(uint32_t dim) const { return 4 * dimensions_ + dim; }
  constexpr uint32_t clampValue() const { return 5 * dimensions_; }
  constexpr uint32_t total() const { return 5 * dimensions_ + 1; }

 private:
  uint32_t dimensions_;
};

// Of a view: two numbers for each dimension, then the clip region.
class ViewLeaves {
 public:
  explicit constexpr ViewLeaves(uint32_t dimensions) : dimensions_(dimensions) {}

  constexpr uint32_t dimension(uint32_t dim) const { return dim; }
  constexpr uint32_t stride(uint32_t dim) const { return dimensions_ + dim; }
  constexpr uint32_t clipRowOffset() const { return 2 * dimensions_; }
  constexpr uint32_t clipRowSpan() const { return 2 * dimensions_ + 1; }
  constexpr uint32_t clipColumnOffset() const { return 2 * dimensions_ + 2; }
  constexpr uint32_t clipColumnSpan() const { return 2 * dimensions_ + 3; }
  constexpr uint32_t total() const { return 2 * dimensions_ + 4; }

 private:
  uint32_t dimensions_;
};

}  // namespace jit::spirv
