// SPDX-License-Identifier: Apache-2.0

// Random tensor layouts and views, and what is promised of loads and stores through them.
#pragma once

#include <string>

#include "tests/matrix/random.h"
#include "tests/support/tensor_model.h"

namespace tensors {

struct Case {
  uint32_t rows, columns;
  Layout layout;
  std::optional<View> view;

  std::string describe() const;
};

// The tensor has about as many elements as the matrix, so that slices lie inside, at edges, and
// outside; many are the plain rows or columns that clients mostly load. `blocks`: whether there may
// be block sizes above 1, which SPV_NV_cooperative_matrix2 does not allow for stores.
Case randomCase(matrices::Random& random, uint32_t rows, uint32_t columns, bool blocks);

// Elements that the tensor of a case needs to have in memory.
uint64_t elementsOf(const Case& c);

}  // namespace tensors
