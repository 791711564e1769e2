// SPDX-License-Identifier: Apache-2.0

// THE tables of cooperative matrix multiplications: which types and sizes this driver has, some in
// certain sizes (shapes.def), some in all multiples of a granularity (flexible.def). The property
// queries, the compiler's type check, tests and docs come from them.
// Source: Vulkan Specification, VkCooperativeMatrixPropertiesKHR,
// VkCooperativeMatrixFlexibleDimensionsPropertiesNV, VkCooperativeMatrixProperties2EXT;
// SPV_KHR_cooperative_matrix, SPV_NV_cooperative_matrix.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jit/matrix/component.h"

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

// The rows that VK_NV_cooperative_matrix has too. Its multiply-add has no operands that say how, so
// nothing saturates, and integers are all signed or all unsigned, as in
// GL_NV_integer_cooperative_matrix; bfloat16 and 8-bit floats are for OpTypeCooperativeMatrixKHR
// alone (SPV_KHR_bfloat16, SPV_EXT_float8).
std::span<const Shape> nvShapes();

// A multiplication of any sizes that are multiples of these, up to Tables::max_dimension.
struct FlexibleShape {
  uint32_t m, n, k;  // granularity
  Component a, b, c, result;
  bool saturating;
  std::optional<Scope> scope = std::nullopt;  // nothing: either
  uint32_t invocations = 0;                   // that a workgroup must have, in its scope; 0: any

  bool operator==(const FlexibleShape&) const = default;
};

// The most rows or columns that a matrix of flexible sizes has.
inline constexpr uint32_t kMaxDimension = 1024;

// A workgroup that holds matrices may have any power of two of invocations up to this one, as many
// as any workgroup has, that is a multiple of the subgroup's size.
inline constexpr uint32_t kMaxWorkgroupScopeInvocations = 1024;

// In the order in which the queries return them.
std::span<const FlexibleShape> flexibleShapes();

// What a device multiplies: this driver, or what it says that it is (TESSERA_IMITATE). Any of the
// tables may be empty then.
struct Tables {
  std::vector<Shape> fixed, nv;
  std::vector<FlexibleShape> flexible;
  uint32_t max_dimension = kMaxDimension;
  uint32_t max_workgroup = kMaxWorkgroupScopeInvocations;
  uint32_t reserved_shared_bytes = 0;  // of the workgroup, where it holds matrices

  bool operator==(const Tables&) const = default;
};
// The tables above.
const Tables& ownTables();
// The rows of a table that are fit for VK_NV_cooperative_matrix.
std::vector<Shape> nvShapesOf(std::span<const Shape> table);

// In what follows, `table` is Tables::fixed or Tables::nv, and `invocations` the size of the
// workgroup, which only those rows ask for that are of certain workgroups.

// Whether the table has exactly this row.
bool hasShape(const Shape& shape, std::span<const Shape> table = shapes());
// Whether it is one of flexible sizes.
bool isFlexible(const Shape& shape, const Tables& tables = ownTables(), uint32_t invocations = 0);

// Which matrices of a multiplication a type can be.
enum class Use : uint8_t { A, B, Accumulator };

// Whether some row has a matrix of this type in this use.
bool hasMatrix(Scope scope, Component component, uint32_t rows, uint32_t columns, Use use,
               std::span<const Shape> table = shapes());
// Whether some multiplication of flexible sizes has one.
bool hasFlexibleMatrix(Scope scope, Component component, uint32_t rows, uint32_t columns, Use use,
                       const Tables& tables = ownTables(), uint32_t invocations = 0);

// The row nearest to a multiplication, or to a matrix, that the table lacks, for messages: same
// component types first, then same sizes. The table must not be empty.
const Shape& nearestShape(const Shape& shape, std::span<const Shape> table = shapes());
const Shape& nearestShape(Scope scope, Component component, uint32_t rows, uint32_t columns,
                          Use use, std::span<const Shape> table = shapes());

// "16x16x16 float16_t * float16_t + float -> float, subgroup", for messages.
std::string describe(const Shape& shape);
// "multiples of 8x8x8 up to 1024, float16_t * float16_t + float -> float".
std::string describe(const FlexibleShape& shape, uint32_t max_dimension = kMaxDimension);
// The nearest row of the fixed and flexible tables to what neither has.
std::string describeNearest(const Shape& shape, const Tables& tables = ownTables());
std::string describeNearest(Scope scope, Component component, uint32_t rows, uint32_t columns,
                            Use use, const Tables& tables = ownTables());
// The same of the table `nv`.
std::string describeNearestNv(const Shape& shape, const Tables& tables = ownTables());
std::string describeNearestNv(Component component, uint32_t rows, uint32_t columns, Use use,
                              const Tables& tables = ownTables());

}  // namespace jit::coopmat
