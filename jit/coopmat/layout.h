// Which invocation holds which component of a matrix. Only shaders that index components see it.
// No LLVM here; the emitter turns the functions below into addresses and shuffles.
#pragma once

#include <cstdint>
#include <optional>

#include "jit/coopmat/component.h"
#include "jit/coopmat/shapes.h"

namespace jit::coopmat {

// The mappings on offer. Native: with n invocations, component i of invocation l is element
// i * n + l in row-major order, so a component of all invocations together is contiguous.
// Elements past the end are phantoms: they read 0 and drop writes.
enum class Mapping : uint8_t { Native };

// A matrix as a mapping sees it; `invocations` is the size of its scope.
struct MappedMatrix {
  Component component;
  uint32_t rows, columns;
  Use use;
  uint32_t invocations;
};

// OpCooperativeMatrixLengthKHR: components that each invocation holds, at least 1.
uint32_t length(Mapping mapping, const MappedMatrix& matrix);

// Row-major index of the element that component `index` of `invocation` is; none for a phantom.
std::optional<uint32_t> element(Mapping mapping, const MappedMatrix& matrix, uint32_t invocation,
                                uint32_t index);

// When component `index` of invocations 0, 1, 2... is consecutive elements (phantoms after the
// last), the row-major index of the first; nothing otherwise. Length * invocations elements are
// then an array that starts with the matrix in row-major order.
std::optional<uint32_t> firstContiguous(Mapping mapping, const MappedMatrix& matrix,
                                        uint32_t index);

}  // namespace jit::coopmat
