// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/tensor_copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "tests/support/tensor_cases.h"

namespace {

using matrices::Random;
using tensors::Case;
using tensors::Where;

constexpr uint32_t kCases = 20000;

// A case, and how the matrix and the tensor lie in memory.
struct Copy {
  Case c;
  uint32_t bytes;  // of a component
  bool by_columns;
  uint64_t limit;

  rt::TensorForm form() const {
    rt::TensorForm form{};
    form.rows = c.rows;
    form.columns = c.columns;
    form.component_bytes = static_cast<uint8_t>(bytes);
    form.by_columns = by_columns;
    form.layout_dimensions = static_cast<uint8_t>(c.layout.dimensions);
    form.clamp = static_cast<rt::TensorClamp>(c.layout.mode);
    if (!c.view) return form;
    form.view_dimensions = static_cast<uint8_t>(c.view->dimensions);
    form.has_dimensions = c.view->has_dimensions;
    for (uint32_t k = 0; k < c.view->dimensions; ++k)
      form.permutation[k] = static_cast<uint8_t>(c.view->permutation[k]);
    return form;
  }

  rt::TensorState state() const {
    rt::TensorState state{};
    state.limit = limit;
    for (uint32_t k = 0; k < c.layout.dimensions; ++k) {
      state.block_size[k] = c.layout.block_size[k];
      state.dimension[k] = c.layout.dimension[k];
      state.stride[k] = c.layout.stride[k];
      state.offset[k] = static_cast<uint32_t>(c.layout.offset[k]);
      state.span[k] = c.layout.span[k];
    }
    state.clamp_value = c.layout.clamp_value;
    if (!c.view) return state;
    for (uint32_t k = 0; k < c.view->dimensions; ++k) {
      state.view_dimension[k] = c.view->dimension[k];
      state.view_stride[k] = c.view->stride[k];
    }
    state.clip_row_offset = c.view->clip_row_offset;
    state.clip_row_span = c.view->clip_row_span;
    state.clip_column_offset = c.view->clip_column_offset;
    state.clip_column_span = c.view->clip_column_span;
    return state;
  }

  size_t place(uint32_t row, uint32_t column) const {
    return (by_columns ? size_t{column} * c.rows + row : size_t{row} * c.columns + column) * bytes;
  }
  size_t matrixBytes() const { return size_t{c.rows} * c.columns * bytes; }
  size_t tensorBytes() const { return tensors::elementsOf(c) * bytes; }
  bool beyond(const tensors::Element& e) const { return (uint64_t{e.index} + 1) * bytes > limit; }
  std::string describe() const {
    return c.describe() + ", components of " + std::to_string(bytes) + " bytes" +
           (by_columns ? " by columns" : "") + ", limit " + std::to_string(limit);
  }
};

Copy randomCopy(uint32_t number) {
  Random random(number);
  const uint32_t rows = random.between(1, 24), columns = random.between(1, 24);
  // Stores with block sizes must do no harm either.
  Copy copy{tensors::randomCase(random, rows, columns, true), random.of({1u, 2u, 4u, 8u}),
            random.chance(40), ~uint64_t{0}};
  if (random.chance(30)) copy.limit = random.bits() % (copy.tensorBytes() + 1);
  return copy;
}

std::vector<std::byte> randomBytes(size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.bits());
  return bytes;
}

TEST(TensorCopyTest, LoadsAreThoseOfTheModel) {
  for (uint32_t number = 0; number < kCases && !HasFailure(); ++number) {
    const Copy copy = randomCopy(number);
    const std::vector<std::byte> tensor = randomBytes(copy.tensorBytes(), number);
    std::vector<std::byte> matrix = randomBytes(copy.matrixBytes(), ~uint64_t{number});
    std::vector<std::byte> expected = matrix;
    const rt::TensorForm form = copy.form();
    const rt::TensorState state = copy.state();
    rt::loadTensor(tensor.data(), matrix.data(), &form, &state);
    for (uint32_t row = 0; row < copy.c.rows; ++row) {
      for (uint32_t column = 0; column < copy.c.columns; ++column) {
        const tensors::Element e =
            tensors::locate(copy.c.layout, copy.c.view, row, column, copy.c.columns, false);
        const size_t at = copy.place(row, column);
        uint64_t value = copy.c.layout.clamp_value;
        if (e.where == Where::Clipped) continue;
        if (e.where == Where::Undefined) {
          std::copy_n(&matrix[at], copy.bytes, &expected[at]);
          continue;
        }
        if (e.where == Where::Inside) {
          value = 0;
          if (!copy.beyond(e))
            std::memcpy(&value, &tensor[size_t{e.index} * copy.bytes], copy.bytes);
        }
        std::memcpy(&expected[at], &value, copy.bytes);
      }
    }
    EXPECT_EQ(matrix, expected) << "case " << number << ": " << copy.describe();
  }
}

TEST(TensorCopyTest, StoresAreThoseOfTheModel) {
  for (uint32_t number = 0; number < kCases && !HasFailure(); ++number) {
    const Copy copy = randomCopy(number);
    const std::vector<std::byte> matrix = randomBytes(copy.matrixBytes(), number);
    std::vector<std::byte> tensor = randomBytes(copy.tensorBytes(), ~uint64_t{number});
    std::vector<std::byte> expected = tensor;
    std::vector<uint8_t> written(tensors::elementsOf(copy.c));
    const rt::TensorForm form = copy.form();
    const rt::TensorState state = copy.state();
    rt::storeTensor(tensor.data(), matrix.data(), &form, &state);
    for (uint32_t row = 0; row < copy.c.rows; ++row) {
      for (uint32_t column = 0; column < copy.c.columns; ++column) {
        const tensors::Element e =
            tensors::locate(copy.c.layout, copy.c.view, row, column, copy.c.columns, true);
        if (e.where != Where::Inside || copy.beyond(e)) continue;
        const size_t at = size_t{e.index} * copy.bytes;
        // Of several that write to one place, any may win.
        const std::byte* source =
            written[e.index]++ ? &tensor[at] : &matrix[copy.place(row, column)];
        std::copy_n(source, copy.bytes, &expected[at]);
      }
    }
    EXPECT_EQ(tensor, expected) << "case " << number << ": " << copy.describe();
  }
}

// Layouts that the specification does not allow must do no harm.
TEST(TensorCopyTest, SenselessLayoutsTouchNothingElse) {
  for (uint32_t number = 0; number < kCases && !HasFailure(); ++number) {
    Random random(number);
    Copy copy = randomCopy(number);
    copy.limit = random.between(0, 64);
    rt::TensorState state = copy.state();
    auto* words = reinterpret_cast<uint32_t*>(&state.block_size);
    constexpr uint32_t kWords = (sizeof(state) - offsetof(rt::TensorState, block_size)) / 4;
    for (uint32_t k = 0; k < 4; ++k)
      words[random.between(0, kWords - 1)] =
          random.of<uint32_t>({0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff});
    std::vector<std::byte> tensor = randomBytes(64, number);
    std::vector<std::byte> matrix(copy.matrixBytes());
    const rt::TensorForm form = copy.form();
    rt::loadTensor(tensor.data(), matrix.data(), &form, &state);
    const std::vector<std::byte> before = tensor;
    rt::storeTensor(tensor.data(), matrix.data(), &form, &state);
    for (size_t k = copy.limit; k < tensor.size(); ++k)
      ASSERT_EQ(tensor[k], before[k]) << "case " << number << ": " << copy.describe();
  }
}

}  // namespace
