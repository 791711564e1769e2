// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/check_tensor.h"

#include <algorithm>
#include <optional>
#include <string>

#include "runtime/kernel_library/site_report.h"

namespace rt {

namespace {

uint32_t divisor(uint32_t number) { return std::max(number, 1u); }

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

}  // namespace

void checkTensor(const DispatchArgs* dispatch, const char* site, const CheckedTensor* tensor,
                 const TensorForm* form, const TensorState* state) {
  if (dispatch->checker == nullptr) return;
  CheckedWorkgroup workgroup{};
  std::copy_n(tensor->workgroup, 3, workgroup.id);
  workgroup.subgroup = tensor->subgroup;
  const SiteReport report(dispatch, site, workgroup);
  const MemoryMap& memory = report.checker().memory();
  uint64_t size = tensor->size, offset = tensor->offset;
  const uint64_t address = tensor->base + offset;
  if (tensor->by_address != 0) {
    const auto buffer = memory.bufferAt(address, 1);
    size = buffer && buffer->has_address ? buffer->bytes() : 0;
    offset = size != 0 ? address - buffer->begin : 0;
  }
  const uint64_t left = offset < size ? (size - offset) / form->component_bytes : 0;
  const TensorElements elements(*form, *state, tensor->is_store != 0);
  if (elements.most() < left) return;
  uint64_t outside = 0;
  uint32_t first_row = 0, first_column = 0, first = 0;
  for (uint32_t row = 0; row < form->rows; ++row)
    for (uint32_t column = 0; column < form->columns; ++column) {
      const std::optional<uint32_t> element = elements.of(row, column);
      if (!element || *element < left) continue;
      if (outside++ != 0) continue;
      first_row = row;
      first_column = column;
      first = *element;
    }
  if (outside == 0) return;
  report.add(FindingKind::TensorBounds, [&](Finding& finding) {
    finding.is_store = tensor->is_store != 0;
    finding.what = std::string(finding.is_store ? "a store" : "a load") +
                   " of a matrix through a tensor layout leads outside" + ofObject(finding.site) +
                   ": row " + std::to_string(first_row) + ", column " +
                   std::to_string(first_column) + " is element " + std::to_string(first) +
                   " of the tensor, which " +
                   offsetText(offset + uint64_t{first} * form->component_bytes, size);
    finding.details.push_back(std::to_string(outside) + " of " +
                              std::to_string(uint64_t{form->rows} * form->columns) +
                              " elements of a " + std::to_string(form->rows) + "x" +
                              std::to_string(form->columns) + " matrix are outside");
    describeBuffer(memory, address, finding);
  });
}

}  // namespace rt
