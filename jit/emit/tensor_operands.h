// SPDX-License-Identifier: Apache-2.0

// The tensor layout and view of an access.
#pragma once

#include <optional>

#include "jit/emit/emission.h"

namespace jit::spirv {

// Each leaf is a scalar that all live invocations share.
struct TensorOperands {
  Value layout;
  std::optional<Value> view;
};

// `view`: 0 for none. Malformed where the two do not fit each other.
llvm::Expected<TensorOperands> tensorOperands(Emission& e, const Instruction& i, Id layout,
                                              Id view);

}  // namespace jit::spirv
