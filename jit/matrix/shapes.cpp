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

std::span<const Shape> nvShapes() {
  static const std::vector<Shape> nv_shapes = [] {
    auto ieee = [](Component c) {
      return c == Component::F16 || c == Component::F32 || c == Component::F64;
    };
    std::vector<Shape> rows;
    for (const Shape& row : shapes()) {
      const Component types[] = {row.a, row.b, row.c, row.result};
      auto integers = [&](bool are_signed) {
        return std::ranges::all_of(
            types, [&](Component c) { return isInteger(c) && isSigned(c) == are_signed; });
      };
      if (!row.saturating &&
          (std::ranges::all_of(types, ieee) || integers(true) || integers(false)))
        rows.push_back(row);
    }
    return rows;
  }();
  return nv_shapes;
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

bool isSize(uint32_t size, uint32_t granularity) {
  return size % granularity == 0 && size > 0 && size <= kMaxDimension;
}

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

bool isFlexible(const Shape& shape) {
  return std::ranges::any_of(flexibleShapes(), [&](const FlexibleShape& row) {
    return row.a == shape.a && row.b == shape.b && row.c == shape.c && row.result == shape.result &&
           row.saturating == shape.saturating && isSize(shape.m, row.m) && isSize(shape.n, row.n) &&
           isSize(shape.k, row.k);
  });
}

bool hasFlexibleMatrix(Component component, uint32_t rows, uint32_t columns, Use use) {
  return std::ranges::any_of(flexibleShapes(), [&](const FlexibleShape& row) {
    const Matrix matrix = matrixOf(row, use);
    return matrix.component == component && isSize(rows, matrix.rows) &&
           isSize(columns, matrix.columns);
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

std::string describe(const FlexibleShape& shape) {
  return "multiples of " + describeSizes(shape) + " up to " + std::to_string(kMaxDimension) + ", " +
         describeTypes(shape);
}

std::string describeNearest(const Shape& shape) {
  const FlexibleShape& flexible =
      *std::ranges::max_element(flexibleShapes(), {}, [&](const FlexibleShape& row) {
        return 2 * commonTypes(row, shape) + (row.saturating == shape.saturating);
      });
  const Shape& fixed = nearestShape(shape);
  return shape.scope == Scope::Workgroup ||
                 commonTypes(flexible, shape) >= commonTypes(fixed, shape)
             ? describe(flexible)
             : describe(fixed);
}

std::string describeNearest(Scope scope, Component component, uint32_t rows, uint32_t columns,
                            Use use) {
  const auto flexible = std::ranges::find_if(flexibleShapes(), [&](const FlexibleShape& row) {
    return matrixOf(row, use).component == component;
  });
  if (flexible != flexibleShapes().end()) return describe(*flexible);
  if (scope == Scope::Workgroup) return describe(flexibleShapes().front());
  return describe(nearestShape(scope, component, rows, columns, use));
}

}  // namespace jit::coopmat
