// Components of cooperative matrices: which elements an index means.
#pragma once

#include "jit/coopmat/layout.h"
#include "jit/spirv/coopmat_support.h"
#include "jit/spirv/emission.h"

namespace jit::spirv {

// Row-major element numbers (vector of i64) of component `index` of every invocation; phantom
// components are numbered past the end of the matrix.
llvm::Value* componentElements(Emission& e, const Type& matrix, llvm::Value* index);

}  // namespace jit::spirv
