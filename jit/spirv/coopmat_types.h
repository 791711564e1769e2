// Between SPIR-V's cooperative matrix types and those of jit/coopmat.
#pragma once

#include "jit/coopmat/layout.h"
#include "jit/spirv/coopmat_support.h"
#include "jit/spirv/emission.h"

namespace jit::spirv {

// The matrix as the component mapping sees it, for a subgroup of `width` invocations.
coopmat::MappedMatrix mapped(const Type& matrix, uint32_t width);

// Row-major element numbers (vector of i64) of component `index` of every invocation; phantom
// components are numbered past the end of the matrix.
llvm::Value* componentElements(Emission& e, const Type& matrix, llvm::Value* index);

}  // namespace jit::spirv
