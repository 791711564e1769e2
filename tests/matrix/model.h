// SPDX-License-Identifier: Apache-2.0

// Computes a program one component at a time, from nothing but what the specifications say.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/matrix/number.h"
#include "tests/matrix/program.h"

namespace matrices {

using Matrix = std::vector<Number>;  // row-major

// What Holders statements saw: one for each matrix.
struct Held {
  uint32_t held, lengths;  // regions
  const Place *lanes, *indices;
  uint32_t instance;     // of all subgroups, or workgroups
  uint32_t invocations;  // that hold the matrix
  MatrixType type;
  Matrix matrix;
};

struct Outcome {
  // What the components of each region may be in the end; empty for Workgroup.
  std::vector<std::vector<Number>> memory;
  std::vector<Held> held;
};

Outcome compute(const Program& program, Promise promise);

// The component of a region where a place has element (row, column); `instance` counts those of the
// place's scope, of the workgroup in Storage::Workgroup and of all workgroups elsewhere.
size_t componentAt(const Region& region, const Place& place, uint32_t instance,
                   const std::vector<uint32_t>& counters, uint32_t row, uint32_t column);

// One multiply-add; operands have the types of the row.
Matrix multiplyAdd(const Multiplication& row, const Matrix& a, const Matrix& b, const Matrix& c,
                   Promise promise);

}  // namespace matrices
