// SPDX-License-Identifier: Apache-2.0

// Copies between a matrix and a tensor in memory, as SPV_NV_tensor_addressing describes the tensor:
// what a cooperative matrix's load or store through a tensor layout comes to where it is not plain
// rows. Called by generated code.
//
// Source: SPV_NV_cooperative_matrix2, "Tensor Layout and View"; SPV_NV_tensor_addressing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rt {

inline constexpr uint32_t kTensorDimensions = 5;  // at most

// The values of SPIR-V's TensorClampMode.
enum class TensorClamp : uint8_t { Undefined, Constant, ClampToEdge, Repeat, RepeatMirrored };

// What of an access is known when the kernel is compiled.
struct TensorForm {
  uint32_t rows, columns;     // of the matrix
  uint8_t component_bytes;    // 1, 2, 4 or 8
  uint8_t by_columns;         // where the matrix lies in memory: by columns, else by rows; no gaps
  uint8_t layout_dimensions;  // 1 to 5
  uint8_t view_dimensions;    // 0: no view. Not more than the layout's, or has_dimensions.
  TensorClamp clamp;
  uint8_t has_dimensions;  // of the view
  uint8_t permutation[kTensorDimensions];
  uint8_t unused;
};
static_assert(sizeof(TensorForm) == 20);

// The state of a layout and a view, and the memory that is there. Arrays go from the outermost
// dimension to the innermost; what is beyond the number of dimensions is not read.
struct TensorState {
  uint64_t limit;  // bytes accessible from the tensor's start
  uint32_t block_size[kTensorDimensions];
  uint32_t dimension[kTensorDimensions];
  uint32_t stride[kTensorDimensions];
  uint32_t offset[kTensorDimensions];  // signed
  uint32_t span[kTensorDimensions];
  uint32_t clamp_value;
  uint32_t view_dimension[kTensorDimensions];
  uint32_t view_stride[kTensorDimensions];
  uint32_t clip_row_offset, clip_row_span, clip_column_offset, clip_column_span;
};
static_assert(offsetof(TensorState, block_size) == 8 && sizeof(TensorState) == 168);

// Fills `matrix` from `tensor`. Elements that the view clips keep what they have; those that lie
// outside of the layout are what the clamp mode says, and those beyond the limit 0.
void loadTensor(const std::byte* tensor, std::byte* matrix, const TensorForm* form,
                const TensorState* state);

// Writes `matrix` to `tensor`, without what is clipped, outside of the layout, or beyond the limit.
void storeTensor(std::byte* tensor, const std::byte* matrix, const TensorForm* form,
                 const TensorState* state);

}  // namespace rt
