// SPDX-License-Identifier: Apache-2.0

// Which of SPIR-V's cooperative matrix types a device has: those of its tables.
#pragma once

#include <llvm/Support/Error.h>

#include <optional>

#include "jit/ir/matrix_ops.h"
#include "jit/matrix/layout.h"
#include "jit/matrix/shapes.h"
#include "jit/spirv/module.h"

namespace jit::spirv {

// The component kind of a scalar type; none for a type that no matrix has. `is_signed` overrides
// the type's own signedness for integers, as the operands of OpCooperativeMatrixMulAddKHR do.
std::optional<coopmat::Component> componentOf(const Type& scalar,
                                              std::optional<bool> is_signed = std::nullopt);

// None for a scope whose invocations hold no matrices here.
std::optional<coopmat::Scope> scopeOf(const Type& matrix);

// An OpTypeCooperativeMatrixNV has none of its own; it is laid out as the first of accumulator, A
// and B that some multiplication can use it as.
coopmat::Use useOf(const Type& matrix);

// What operations in the IR call it. It is one that checkMatrix() accepts.
coopmat::MatrixType matrixType(const Type& matrix);

// The matrix as a component mapping sees it, in a scope of so many invocations.
coopmat::MappedMatrix mapped(const Type& matrix, uint32_t invocations);

// Unsupported when no multiplication of the tables has the matrix, with the nearest that there is.
// Of an OpTypeCooperativeMatrixNV, finds what it can be used as. `invocations` are the workgroup's.
llvm::Error checkMatrix(Type& matrix, const coopmat::Tables& tables, uint32_t invocations);

}  // namespace jit::spirv
