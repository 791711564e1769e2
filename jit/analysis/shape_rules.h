// SPDX-License-Identifier: Apache-2.0

// What the rules for lane shapes share. Internal to jit/analysis.
#pragma once

#include <cstdint>
#include <optional>

#include "jit/analysis/lane_shape.h"
#include "jit/spirv/module.h"

namespace jit::simt {

// Bits of the shape of a value of this type; a truth value's is of one. 0: no shape is kept.
unsigned shapeWidth(const spirv::Type* type);

// What an instruction compares: `relation` of the operands, or its opposite, of the second and the
// first where `swapped`.
struct Comparison {
  Relation relation;
  bool swapped = false;
};
std::optional<Comparison> comparison(spv::Op op);

}  // namespace jit::simt
