// SPDX-License-Identifier: Apache-2.0

// 8-bit floats among SPIR-V's values: a leaf of one is an i8 (SPV_EXT_float8).
#pragma once

#include <optional>

#include "jit/emit/emission.h"
#include "jit/math/float8.h"

namespace jit::spirv {

// The 8-bit format that a scalar, vector or matrix type is made of; nothing for all other types.
std::optional<math::Float8> float8Of(const Type& type);

// A leaf of a value of `type` in a format that LLVM has: of an 8-bit float the same number as
// binary32, everything else as it is.
llvm::Value* inLlvmFormat(Emission& e, const Type& type, llvm::Value* leaf);

}  // namespace jit::spirv
