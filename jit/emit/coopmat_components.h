// SPDX-License-Identifier: Apache-2.0

// Components of cooperative matrices that are values: taken out, put in, and filled.
#pragma once

#include "jit/emit/emission.h"

namespace jit::spirv {

// Component `index` of every invocation, out of a matrix held as one vector.
llvm::Expected<llvm::Value*> extractComponent(Emission& e, const Instruction& i, const Type& matrix,
                                              llvm::Value* value, uint32_t index);

// The matrix with component `index` of every live invocation replaced.
llvm::Expected<llvm::Value*> insertComponent(Emission& e, const Instruction& i, const Type& matrix,
                                             llvm::Value* value, llvm::Value* component,
                                             uint32_t index);

// A matrix of one value. The specification asks for one that is uniform. Of one that is not, each
// invocation's goes to the components that the invocation holds, as where matrices are spread over
// invocations; the CTS counts on that (compute.*.cooperative_matrix.*.composite).
llvm::Expected<llvm::Value*> fillMatrix(Emission& e, const Instruction& i, const Type& matrix,
                                        llvm::Value* value);

}  // namespace jit::spirv
