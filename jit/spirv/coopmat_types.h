// Between SPIR-V's cooperative matrix types and those of jit/coopmat.
#pragma once

#include "jit/coopmat/layout.h"
#include "jit/coopmat/shapes.h"
#include "jit/spirv/emission.h"

namespace jit::spirv {

// The component kind of a scalar type; none for a type that no matrix has. `is_signed` overrides
// the type's own signedness for integers, as the operands of OpCooperativeMatrixMulAddKHR do.
std::optional<coopmat::Component> componentOf(const Type& scalar,
                                              std::optional<bool> is_signed = std::nullopt);

coopmat::Use useOf(const Type& matrix);

// The matrix as the component mapping sees it, for a subgroup of `width` invocations.
coopmat::MappedMatrix mapped(const Type& matrix, uint32_t width);

// Row-major element numbers (vector of i64) of component `index` of every invocation; phantom
// components are numbered past the end of the matrix.
llvm::Value* componentElements(Emission& e, const Type& matrix, llvm::Value* index);

}  // namespace jit::spirv
