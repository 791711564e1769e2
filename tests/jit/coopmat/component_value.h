// SPDX-License-Identifier: Apache-2.0

// Components of matrices as doubles, and as they lie in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "jit/ir/matrix_ops.h"
#include "jit/matrix/component.h"

namespace jit::test {

double readComponent(coopmat::Component component, const void* memory);
void writeComponent(coopmat::Component component, void* memory, double value);

// `value` rounded to the component type: to nearest even, integers modulo their width.
double roundTo(coopmat::Component component, double value);

// A matrix in memory: lines `stride_bytes` apart from the start of `bytes`.
struct TestMatrix {
  coopmat::Component component;
  uint32_t rows, columns;
  coopmat::Layout layout;
  uint64_t stride_bytes;
  std::vector<std::byte> bytes;

  // `padding` bytes lie between lines.
  TestMatrix(coopmat::Component component, uint32_t rows, uint32_t columns, coopmat::Layout layout,
             uint32_t padding = 0);

  // Small values that every component type of the kind has, from `seed`; floats times `scale`.
  void fill(uint32_t seed, double scale = 1);
  uint64_t offset(uint32_t row, uint32_t column) const;
  // 0 for what does not lie below `limit`.
  double at(uint32_t row, uint32_t column, uint64_t limit = UINT64_MAX) const;
  void set(uint32_t row, uint32_t column, double value);
};

// One accumulator of a multiply-add, exactly as `op` defines it: ascending k, fused, floats rounded
// to f32 (f64) after each term and to the result at the end. `a` and `b` hold op.k components.
double modelMulAdd(const coopmat::MulAdd& op, const std::vector<double>& a,
                   const std::vector<double>& b, double c);

}  // namespace jit::test
