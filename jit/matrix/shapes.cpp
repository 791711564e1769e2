// SPDX-License-Identifier: Apache-2.0

#include "jit/matrix/shapes.h"

#include <algorithm>
#include <vector>

namespace jit::coopmat {

std::span<const Shape> shapes() {
  static constexpr Shape kShapes[] = {
#define SHAPE(scope, m, n, k, a, b, c, result, saturating) \
  {Scope::scope, m, n, k, Component::a, Component::b, Component::c, Component::result, saturating},
#include "jit/matrix/shapes.def"
  };
  return kShapes;
}

std::vector<Shape> nvShapesOf(std::span<const Shape> table) {
  auto ieee = [](Component c) {
    return c == Component::F16 || c == Component::F32 || c == Component::F64;
  };
  std::vector<Shape> rows;
  for (const Shape& row : table) {
    const Component types[] = {row.a, row.b, row.c, row.result};
    auto integers = [&](bool are_signed) {
      return std::ranges::all_of(
          types, [&](Component c) { return isInteger(c) && isSigned(c) == are_signed; });
    };
    if (!row.saturating && (std::ranges::all_of(types, ieee) || integers(true) || integers(false)))
      rows.push_back(row);
  }
  return rows;
}

std::span<const Shape> nvShapes() { return ownTables().nv; }

const Tables& ownTables() {
  static const Tables tables{.fixed = {shapes().begin(), shapes().end()},
                             .nv = nvShapesOf(shapes()),
                             .flexible = {flexibleShapes().begin(), flexibleShapes().end()}};
  return tables;
}

std::span<const FlexibleShape> flexibleShapes() {
  static constexpr FlexibleShape kFlexibleShapes[] = {
#define FLEXIBLE(m, n, k, a, b, c, result, saturating) \
  {m, n, k, Component::a, Component::b, Component::c, Component::result, saturating},
#include "jit/matrix/flexible.def"
  };
  return kFlexibleShapes;
}

namespace {

// The matrix that a row has in a use; C, for the accumulators. Its sizes may be a granularity.
struct Matrix {
  Component component;
  uint32_t rows, columns;

  bool operator==(const Matrix&) const = default;
};

template <typename Row>
Matrix matrixOf(const Row& row, Use use) {
  switch (use) {
    case Use::A:
      return {row.a, row.m, row.k};
    case Use::B:
      return {row.b, row.k, row.n};
    case Use::Accumulator:
      return {row.c, row.m, row.n};
  }
  return {};
}

bool isSize(uint32_t size, uint32_t granularity, const Tables& tables) {
  return size % granularity == 0 && size > 0 && size <= tables.max_dimension;
}

bool isHeld(const FlexibleShape& row, Scope scope, uint32_t invocations) {
  return row.scope.value_or(scope) == scope &&
         (row.invocations == 0 || row.invocations == invocations);
}

constexpr const char* kNone = "none, as this device has no such matrices";

// How many types a row has in common with a multiplication; those of the factors count most.
template <typename Row>
int commonTypes(const Row& row, const Shape& shape) {
  return 2 * (row.a == shape.a) + 2 * (row.b == shape.b) + (row.c == shape.c) +
         (row.result == shape.result);
}

}  // namespace

bool hasShape(const Shape& shape, std::span<const Shape> table) {
  return std::ranges::find(table, shape) != table.end();
}

bool isFlexible(const Shape& shape, const Tables& tables, uint32_t invocations) {
  return std::ranges::any_of(tables.flexible, [&](const FlexibleShape& row) {
    return row.a == shape.a && row.b == shape.b && row.c == shape.c && row.result == shape.result &&
           row.saturating == shape.saturating && isHeld(row, shape.scope, invocations) &&
           isSize(shape.m, row.m, tables) && isSize(shape.n, row.n, tables) &&
           isSize(shape.k, row.k, tables);
  });
}

bool hasFlexibleMatrix(Scope scope, Component component, uint32_t rows, uint32_t columns, Use use,
                       const Tables& tables, uint32_t invocations) {
  return std::ranges::any_of(tables.flexible, [&](const FlexibleShape& row) {
    const Matrix matrix = matrixOf(row, use);
    return matrix.component == component && isHeld(row, scope, invocations) &&
           isSize(rows, matrix.rows, tables) && isSize(columns, matrix.columns, tables);
  });
}

bool hasMatrix(Scope scope, Component component, uint32_t rows, uint32_t columns, Use use,
               std::span<const Shape> table) {
  return std::ranges::any_of(table, [&](const Shape& row) {
    return row.scope == scope && matrixOf(row, use) == Matrix{component, rows, columns};
  });
}

const Shape& nearestShape(const Shape& shape, std::span<const Shape> table) {
  auto likeness = [&](const Shape& row) {
    return 4 * commonTypes(row, shape) + 2 * (row.scope == shape.scope) + (row.m == shape.m) +
           (row.n == shape.n) + (row.k == shape.k) + (row.saturating == shape.saturating);
  };
  return *std::ranges::max_element(table, {}, likeness);
}

const Shape& nearestShape(Scope scope, Component component, uint32_t rows, uint32_t columns,
                          Use use, std::span<const Shape> table) {
  auto likeness = [&](const Shape& row) {
    const Matrix matrix = matrixOf(row, use);
    return 4 * (matrix.component == component) + 2 * (row.scope == scope) + (matrix.rows == rows) +
           (matrix.columns == columns);
  };
  return *std::ranges::max_element(table, {}, likeness);
}

namespace {

template <typename Row>
std::string describeSizes(const Row& row) {
  return std::to_string(row.m) + "x" + std::to_string(row.n) + "x" + std::to_string(row.k);
}

template <typename Row>
std::string describeTypes(const Row& row) {
  auto text = [](Component component) { return std::string(info(component).text); };
  return text(row.a) + " * " + text(row.b) + " + " + text(row.c) + " -> " + text(row.result) +
         (row.saturating ? ", saturating" : "");
}

}  // namespace

std::string describe(const Shape& shape) {
  return describeSizes(shape) + " " + describeTypes(shape) +
         (shape.scope == Scope::Subgroup ? ", subgroup" : ", workgroup");
}

std::string describe(const FlexibleShape& shape, uint32_t max_dimension) {
  std::string holders;
  if (shape.scope == Scope::Subgroup) holders = ", subgroup";
  if (shape.scope == Scope::Workgroup)
    holders =
        ", workgroup" +
        (shape.invocations == 0 ? "" : " of " + std::to_string(shape.invocations) + " invocations");
  return "multiples of " + describeSizes(shape) + " up to " + std::to_string(max_dimension) + ", " +
         describeTypes(shape) + holders;
}

std::string describeNearest(const Shape& shape, const Tables& tables) {
  const auto flexible =
      std::ranges::max_element(tables.flexible, {}, [&](const FlexibleShape& row) {
        return 4 * commonTypes(row, shape) + 2 * (row.saturating == shape.saturating) +
               (row.scope.value_or(shape.scope) == shape.scope);
      });
  const bool is_flexible = flexible != tables.flexible.end();
  if (tables.fixed.empty()) return is_flexible ? describe(*flexible, tables.max_dimension) : kNone;
  const Shape& fixed = nearestShape(shape, tables.fixed);
  return is_flexible && (shape.scope == Scope::Workgroup ||
                         commonTypes(*flexible, shape) >= commonTypes(fixed, shape))
             ? describe(*flexible, tables.max_dimension)
             : describe(fixed);
}

std::string describeNearest(Scope scope, Component component, uint32_t rows, uint32_t columns,
                            Use use, const Tables& tables) {
  auto isHere = [&](const FlexibleShape& row) { return row.scope.value_or(scope) == scope; };
  const auto flexible = std::ranges::find_if(tables.flexible, [&](const FlexibleShape& row) {
    return matrixOf(row, use).component == component && isHere(row);
  });
  if (flexible != tables.flexible.end()) return describe(*flexible, tables.max_dimension);
  const auto any = std::ranges::find_if(tables.flexible, isHere);
  if (any != tables.flexible.end() && scope == Scope::Workgroup)
    return describe(*any, tables.max_dimension);
  if (!tables.fixed.empty())
    return describe(nearestShape(scope, component, rows, columns, use, tables.fixed));
  return kNone;
}

std::string describeNearestNv(const Shape& shape, const Tables& tables) {
  return tables.nv.empty() ? kNone : describe(nearestShape(shape, tables.nv));
}

std::string describeNearestNv(Component component, uint32_t rows, uint32_t columns, Use use,
                              const Tables& tables) {
  if (tables.nv.empty()) return kNone;
  return describe(nearestShape(Scope::Subgroup, component, rows, columns, use, tables.nv));
}

}  // namespace jit::coopmat
