// SPDX-License-Identifier: Apache-2.0

// What the types of a tensor access tell of where elements lie.
#pragma once

#include <cstdint>
#include <optional>

#include "jit/ir/matrix_ops.h"
#include "jit/spirv/module.h"

namespace jit::spirv {

// Where an element is, and so what a load makes of it.
enum class TensorRegion : uint32_t {
  Clipped,  // it keeps what Object has
  Outside,  // of the layout: it is the clamp value
  Beyond,   // the accessible memory: it is 0
  Inside,
};

// How elements of a matrix that are side by side along a tensor's innermost dimension lie in the
// matrix, as far as the types of layout and view (null: none) tell. None where they do not.
std::optional<coopmat::Layout> tensorLines(const Type& layout, const Type* view);

// Whether a view leaves dimensions where they are.
bool isIdentity(const Type& view);

}  // namespace jit::spirv
