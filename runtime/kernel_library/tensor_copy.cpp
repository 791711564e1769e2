// SPDX-License-Identifier: Apache-2.0

// Elements are not addressed one by one, which takes a division for each dimension: a line of the
// matrix is cut into runs along which one coordinate of the tensor moves by one at each element.
#include "runtime/kernel_library/tensor_copy.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace rt {

namespace {

constexpr uint32_t kNone = ~0u;

uint32_t atLeastOne(uint32_t divisor) { return std::max(divisor, 1u); }

// Of numbers index, index + step, ...: the digits of the first, and which digit counts up by one
// over the next `length` of them while the others stay.
struct Run {
  uint32_t digits[kTensorDimensions];
  uint32_t moving;  // kNone: all are the same number
  uint32_t length;
};

// Digits in the mixed radix `radix`; the least significant is that of `order[count - 1]`.
Run digitsOf(uint32_t index, uint32_t step, uint32_t length, const uint32_t* radix,
             const uint8_t* order, uint32_t count) {
  Run run{{}, kNone, step == 0 ? length : 1};
  uint64_t unit = 1;  // what the digit counts
  uint32_t rest = index;
  for (uint32_t k = count; k-- > 0;) {
    const uint32_t dim = order[k];
    const uint32_t base = atLeastOne(radix[dim]);
    run.digits[dim] = rest % base;
    rest /= base;
    if (run.moving == kNone && unit == step) {
      const uint64_t before_wrap = uint64_t{~0u - index} / step + 1;  // numbers have 32 bits
      const uint32_t most = std::min(length, base - run.digits[dim]);
      run.moving = dim;
      run.length = static_cast<uint32_t>(std::min<uint64_t>(most, before_wrap));
    }
    unit = std::min(unit * base, uint64_t{1} << 32);  // more than any step
  }
  return run;
}

constexpr uint8_t kInOrder[kTensorDimensions] = {0, 1, 2, 3, 4};

// `Element` has a component's size. Loads or stores, which differ in a few places.
template <typename Element, bool kStores>
class TensorCopy {
 public:
  using Tensor = std::conditional_t<kStores, std::byte, const std::byte>;
  using Matrix = std::conditional_t<kStores, const std::byte, std::byte>;

  TensorCopy(Tensor* tensor, Matrix* matrix, const TensorForm& form, const TensorState& state)
      : tensor_(tensor),
        matrix_(matrix),
        form_(form),
        state_(state),
        elements_(state.limit / sizeof(Element)),
        fill_(static_cast<Element>(state.clamp_value)) {}

  void run() {
    if (form_.view_dimensions != 0) return runClipped();
    const uint32_t lines = form_.by_columns ? form_.columns : form_.rows;
    const uint32_t length = form_.by_columns ? form_.rows : form_.columns;
    // The most frequent case by far, in which there is nothing to divide.
    if (form_.layout_dimensions == 2 && !form_.by_columns && state_.span[0] >= lines &&
        state_.span[1] == length) {
      for (uint32_t line = 0; line < lines; ++line)
        copyRun(addressOf(line, 0), {{line, 0}, 1, length});
      return;
    }
    for (uint32_t line = 0; line < lines; ++line)
      copyLine(addressOf(line, 0), form_.by_columns ? line : line * form_.columns,
               form_.by_columns ? form_.columns : 1, length);
  }

 private:
  Matrix* addressOf(uint32_t line, uint32_t element) const {
    const uint32_t length = form_.by_columns ? form_.rows : form_.columns;
    return matrix_ + (size_t{line} * length + element) * sizeof(Element);
  }

  struct Range {
    uint32_t begin, end;
  };
  // The rows (columns) inside of the clip region, whose end has 32 bits as all numbers have.
  static Range clipped(uint32_t count, uint32_t offset, uint32_t span) {
    const uint32_t end = std::min(count, offset + span);
    return {std::min(offset, end), end};
  }

  // With a view: the lines and parts of lines that it does not clip.
  void runClipped() {
    const Range rows = clipped(form_.rows, state_.clip_row_offset, state_.clip_row_span);
    const Range columns =
        clipped(form_.columns, state_.clip_column_offset, state_.clip_column_span);
    const uint32_t width = std::min(form_.columns, state_.clip_column_span);
    const Range& lines = form_.by_columns ? columns : rows;
    const Range& within = form_.by_columns ? rows : columns;
    for (uint32_t line = lines.begin; line < lines.end; ++line) {
      const uint32_t row = (form_.by_columns ? within.begin : line) - state_.clip_row_offset;
      const uint32_t column = (form_.by_columns ? line : within.begin) - state_.clip_column_offset;
      copyViewLine(addressOf(line, within.begin), row * width + column,
                   form_.by_columns ? width : 1, within.end - within.begin);
    }
  }

  // Elements `index`, `index + step`, ... of the view.
  void copyViewLine(Matrix* matrix, uint32_t index, uint32_t step, uint32_t length) {
    const uint32_t dims = form_.view_dimensions;
    uint32_t strides[kTensorDimensions];
    if (form_.has_dimensions) {
      std::copy_n(state_.view_stride, dims, strides);
    } else {
      uint32_t stride = 1;
      for (uint32_t dim = dims; dim-- > 0; stride *= state_.span[dim]) strides[dim] = stride;
    }
    const uint32_t* radix = form_.has_dimensions ? state_.view_dimension : state_.span;
    while (length != 0) {
      const Run run = digitsOf(index, step, length, radix, form_.permutation, dims);
      uint32_t linear = 0;
      for (uint32_t dim = 0; dim < dims; ++dim) linear += run.digits[dim] * strides[dim];
      copyLine(matrix, linear, run.moving == kNone ? 0 : strides[run.moving], run.length);
      matrix += size_t{run.length} * sizeof(Element);
      index += run.length * step;
      length -= run.length;
    }
  }

  // Elements `index`, `index + step`, ... of the span.
  void copyLine(Matrix* matrix, uint32_t index, uint32_t step, uint32_t length) {
    while (length != 0) {
      const Run run = digitsOf(index, step, length, state_.span, kInOrder, form_.layout_dimensions);
      copyRun(matrix, run);
      matrix += size_t{run.length} * sizeof(Element);
      index += run.length * step;
      length -= run.length;
    }
  }

  void copyRun(Matrix* matrix, const Run& run) {
    uint32_t index = 0;
    for (uint32_t dim = 0; dim < form_.layout_dimensions; ++dim) {
      if (dim == run.moving) continue;
      const int64_t c = coordinate(dim, run.digits[dim]);
      if (c < 0) return fill(matrix, run.length);
      index += block(dim, c) * state_.stride[dim];
    }
    if (run.moving == kNone) {
      copyStrided(matrix, index, 0, run.length);
    } else {
      copyMoving(matrix, index, run);
    }
  }

  // Where `digit` of a dimension's span lies in the tensor, after clamping; -1: nowhere.
  int64_t coordinate(uint32_t dim, uint32_t digit) const {
    int64_t c = static_cast<int32_t>(digit + state_.offset[dim]);
    const int64_t size = state_.dimension[dim];
    if (c >= 0 && c < size) return c;
    if (kStores || size == 0) return -1;
    auto modulo = [](int64_t a, int64_t b) { return a % b < 0 ? a % b + b : a % b; };
    switch (form_.clamp) {
      case TensorClamp::ClampToEdge:
        return c < 0 ? 0 : size - 1;
      case TensorClamp::Repeat:
        return modulo(c, size);
      case TensorClamp::RepeatMirrored:
        c = modulo(c, std::max<int64_t>(2 * size - 2, 1));
        return c >= size ? 2 * size - 2 - c : c;
      default:  // undefined is as good as constant
        return -1;
    }
  }

  uint32_t block(uint32_t dim, int64_t c) const {
    return static_cast<uint32_t>(c) / atLeastOne(state_.block_size[dim]);
  }

  // A run along `run.moving`, `index` being what the other dimensions come to.
  void copyMoving(Matrix* matrix, uint32_t index, const Run& run) {
    const uint32_t dim = run.moving;
    const uint32_t stride = state_.stride[dim];
    const uint32_t digit = run.digits[dim];
    const int64_t first = static_cast<int32_t>(digit + state_.offset[dim]);
    // Coordinates have 32 bits with a sign; those that wrap around are taken one by one.
    const bool wraps = first + run.length > int64_t{INT32_MAX};
    if (wraps || state_.block_size[dim] > 1) return copySingly(matrix, index, run, 0, run.length);
    const int64_t size = state_.dimension[dim];
    const auto before = static_cast<uint32_t>(std::clamp<int64_t>(-first, 0, run.length));
    const auto inside =
        static_cast<uint32_t>(std::clamp<int64_t>(size - first, before, run.length));
    copyOutside(matrix, index, run, 0, before);
    if (inside > before)
      copyStrided(matrix + before * sizeof(Element),
                  index + static_cast<uint32_t>(first + before) * stride, stride, inside - before);
    copyOutside(matrix, index, run, inside, run.length);
  }

  // Elements [begin, end) of a run, all of which lie outside of the layout.
  void copyOutside(Matrix* matrix, uint32_t index, const Run& run, uint32_t begin, uint32_t end) {
    const bool are_clamped = !kStores && (form_.clamp == TensorClamp::ClampToEdge ||
                                          form_.clamp == TensorClamp::Repeat ||
                                          form_.clamp == TensorClamp::RepeatMirrored);
    if (are_clamped) return copySingly(matrix, index, run, begin, end);
    fill(matrix + size_t{begin} * sizeof(Element), end - begin);
  }

  // Elements [begin, end) of a run, each clamped by itself.
  void copySingly(Matrix* matrix, uint32_t index, const Run& run, uint32_t begin, uint32_t end) {
    const uint32_t dim = run.moving;
    for (uint32_t k = begin; k < end; ++k) {
      const int64_t c = coordinate(dim, run.digits[dim] + k);
      Matrix* element = matrix + k * sizeof(Element);
      if (c < 0) {
        fill(element, 1);
      } else {
        copyStrided(element, index + block(dim, c) * state_.stride[dim], 0, 1);
      }
    }
  }

  // Elements that lie outside of the layout.
  void fill(Matrix* matrix, uint32_t count) {
    if constexpr (!kStores)
      for (uint32_t k = 0; k < count; ++k) put(matrix + k * sizeof(Element), fill_);
  }

  static void put(std::byte* at, Element value) { std::memcpy(at, &value, sizeof(Element)); }

  // Elements `index`, `index + stride`, ... of the tensor. Indices have 32 bits; what comes behind
  // a wrap is a piece of its own.
  void copyStrided(Matrix* matrix, uint32_t index, uint32_t stride, uint32_t count) {
    while (count != 0) {
      uint64_t piece = count;
      if (stride != 0) piece = std::min(piece, uint64_t{~0u - index} / stride + 1);
      const auto length = static_cast<uint32_t>(piece);
      copyPiece(matrix, index, stride, length);
      matrix += size_t{length} * sizeof(Element);
      index += length * stride;
      count -= length;
    }
  }

  void copyPiece(Matrix* matrix, uint32_t index, uint32_t stride, uint32_t count) {
    uint32_t inside = count;
    if (index + uint64_t{count - 1} * stride >= elements_) {
      const bool none = index >= elements_ || stride == 0;
      inside = none ? 0 : static_cast<uint32_t>((elements_ - 1 - index) / stride + 1);
    }
    if (inside != 0)
      copyElements(matrix, tensor_ + size_t{index} * sizeof(Element), stride, inside);
    if constexpr (!kStores)
      std::memset(matrix + size_t{inside} * sizeof(Element), 0,
                  size_t{count - inside} * sizeof(Element));
  }

  static void copyElements(Matrix* matrix, Tensor* tensor, size_t stride, uint32_t count) {
    auto copy = [](Matrix* m, Tensor* t, size_t bytes) {
      if constexpr (kStores)
        std::memcpy(t, m, bytes);
      else
        std::memcpy(m, t, bytes);
    };
    if (stride == 1) return copy(matrix, tensor, count * sizeof(Element));
    for (size_t k = 0; k < count; ++k)
      copy(matrix + k * sizeof(Element), tensor + k * stride * sizeof(Element), sizeof(Element));
  }

  Tensor* const tensor_;
  Matrix* const matrix_;
  const TensorForm& form_;
  const TensorState& state_;
  const uint64_t elements_;  // that the limit leaves
  const Element fill_;
};

template <bool kStores, typename Tensor, typename Matrix>
void copyTensor(Tensor* tensor, Matrix* matrix, const TensorForm& form, const TensorState& state) {
  switch (form.component_bytes) {
    case 1:
      return TensorCopy<uint8_t, kStores>(tensor, matrix, form, state).run();
    case 2:
      return TensorCopy<uint16_t, kStores>(tensor, matrix, form, state).run();
    case 4:
      return TensorCopy<uint32_t, kStores>(tensor, matrix, form, state).run();
    default:
      return TensorCopy<uint64_t, kStores>(tensor, matrix, form, state).run();
  }
}

}  // namespace

void loadTensor(const std::byte* tensor, std::byte* matrix, const TensorForm* form,
                const TensorState* state) {
  copyTensor<false>(tensor, matrix, *form, *state);
}

void storeTensor(std::byte* tensor, const std::byte* matrix, const TensorForm* form,
                 const TensorState* state) {
  copyTensor<true>(tensor, matrix, *form, *state);
}

}  // namespace rt
