// THE table of cooperative matrix multiplications: which types and sizes this driver has. The
// property queries, the compiler's type check, tests and docs come from it.
// Source: Vulkan Specification, VkCooperativeMatrixPropertiesKHR; SPV_KHR_cooperative_matrix.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "jit/coopmat/component.h"

namespace jit::coopmat {

enum class Scope : uint8_t { Subgroup, Workgroup };

// A is M x K, B is K x N, C and Result are M x N.
struct Shape {
  Scope scope;
  uint32_t m, n, k;
  Component a, b, c, result;
  bool saturating;

  bool operator==(const Shape&) const = default;
};

// In the order in which the queries return them; clients take the first that suits.
std::span<const Shape> shapes();

// Whether the table has exactly this row.
bool hasShape(const Shape& shape);

// Which matrices of a multiplication a type can be.
enum class Use : uint8_t { A, B, Accumulator };

// Whether some row has a matrix of this type in this use.
bool hasMatrix(Scope scope, Component component, uint32_t rows, uint32_t columns, Use use);

// The row nearest to a multiplication, or to a matrix, that the table lacks, for messages: same
// component types first, then same sizes. Never fails, as the table is not empty.
const Shape& nearestShape(const Shape& shape);
const Shape& nearestShape(Scope scope, Component component, uint32_t rows, uint32_t columns,
                          Use use);

// "16x16x16 float16_t * float16_t + float -> float, subgroup", for messages.
std::string describe(const Shape& shape);

}  // namespace jit::coopmat
