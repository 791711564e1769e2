// SPDX-License-Identifier: Apache-2.0

// The operands of OpCooperativeMatrixLoadTensorNV and OpCooperativeMatrixStoreTensorNV.
// Source: SPV_NV_cooperative_matrix2, SPV_NV_cooperative_matrix_decode_vector.
#pragma once

#include <optional>

#include "jit/spirv/reading.h"

namespace jit::spirv {

struct TensorAccess {
  bool stores;
  Id pointer, object, layout;
  Id view = 0;           // 0: none
  Id decode = 0;         // a function; 0: none
  Id decode_vector = 0;  // a function; 0: none
  bool is_volatile = false;
};

// None for another instruction, and for one that lacks operands.
std::optional<TensorAccess> tensorAccess(const Instruction& instruction);

// Malformed where what decodes is not a function of three parameters, a pointer first: the
// validator takes that for granted.
llvm::Error checkDecodeFunctions(const Reading& reading);

// Malformed where what a matrix is stored from is no value: the validator looks for its type.
llvm::Error checkStoredMatrices(const Reading& reading);

}  // namespace jit::spirv
