// SPDX-License-Identifier: Apache-2.0

// Which invocation holds which component of a matrix. Only shaders that index components see it.
// No LLVM here; the emitter turns the functions below into addresses and shuffles.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "jit/matrix/component.h"
#include "jit/matrix/shapes.h"

namespace jit::coopmat {

// The mappings on offer (TESSERA_COMPONENT_LAYOUT).
//
// Native: with n invocations, component i of invocation l is element i * n + l in row-major order,
// so a component of all invocations together is contiguous. Elements past the end are phantoms:
// they read 0 and drop writes.
//
// Nvidia, Ptx: a matrix is cut into blocks of 8 rows and 16 bytes to the row (of A; B is the same
// transposed; blocks of accumulators, and of 64-bit components, have 8 and 4 components to the
// row). Of each block, invocation t holds a piece of row t / 4: of four equal ones, the t % 4th.
// Nvidia has the blocks in the order of NVIDIA's Vulkan driver, as measured on an H200: along K
// first (of accumulators: along N), then along M or N. Ptx has the registers of the PTX document's
// mma: as Nvidia for B; of A and accumulators, each 16 rows are a fragment of their own, in which
// the two blocks above each other come first. Subgroups of a workgroup's matrix form a grid, of
// which A is the same in each row, and B in each column.
//
// Where these two do not apply - subgroups of another size than 32, matrices that are not cut into
// whole blocks - they are Native.
enum class Mapping : uint8_t { Native, Nvidia, Ptx };

// A matrix as a mapping sees it; `invocations` is the size of its scope.
struct MappedMatrix {
  Component component;
  uint32_t rows, columns;
  Use use;
  uint32_t invocations;
  Scope scope = Scope::Subgroup;
};

// A number in mixed radix, each digit with a weight of its own.
struct Digit {
  uint32_t radix, weight;
};

// A mapping as arithmetic: the row-major index of an element is the sum of the weighted digits of
// the invocation's number and of the component's, lowest digits first. What is not below the number
// of elements is a phantom. weigh() is that sum for one number.
using Digits = std::array<Digit, 4>;
uint32_t weigh(const Digits& digits, uint32_t number);

struct Placement {
  Digits invocation, component;
};
Placement placementOf(Mapping mapping, const MappedMatrix& matrix);

// OpCooperativeMatrixLengthKHR: components that each invocation holds, at least 1.
uint32_t length(Mapping mapping, const MappedMatrix& matrix);

// Row-major index of the element that component `index` of `invocation` is; none for a phantom, or
// past the length.
// The same element may be several invocations' (A and B of a workgroup).
std::optional<uint32_t> element(Mapping mapping, const MappedMatrix& matrix, uint32_t invocation,
                                uint32_t index);

}  // namespace jit::coopmat
