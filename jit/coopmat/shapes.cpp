#include "jit/coopmat/shapes.h"

#include <algorithm>
#include <vector>

namespace jit::coopmat {

std::span<const Shape> shapes() {
  static constexpr Shape kShapes[] = {
#define SHAPE(scope, m, n, k, a, b, c, result, saturating) \
  {Scope::scope, m, n, k, Component::a, Component::b, Component::c, Component::result, saturating},
#include "jit/coopmat/shapes.def"
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

bool hasShape(const Shape& shape, std::span<const Shape> table) {
  return std::ranges::find(table, shape) != table.end();
}

namespace {

// The matrix that a row has in a use; C, for the accumulators.
struct Matrix {
  Component component;
  uint32_t rows, columns;

  bool operator==(const Matrix&) const = default;
};

Matrix matrixOf(const Shape& row, Use use) {
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

}  // namespace

bool hasMatrix(Scope scope, Component component, uint32_t rows, uint32_t columns, Use use,
               std::span<const Shape> table) {
  return std::ranges::any_of(table, [&](const Shape& row) {
    return row.scope == scope && matrixOf(row, use) == Matrix{component, rows, columns};
  });
}

const Shape& nearestShape(const Shape& shape, std::span<const Shape> table) {
  auto likeness = [&](const Shape& row) {
    return 8 * (row.a == shape.a) + 8 * (row.b == shape.b) + 4 * (row.c == shape.c) +
           4 * (row.result == shape.result) + 2 * (row.scope == shape.scope) + (row.m == shape.m) +
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

std::string describe(const Shape& shape) {
  auto text = [](Component component) { return std::string(info(component).text); };
  return std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" + std::to_string(shape.k) +
         " " + text(shape.a) + " * " + text(shape.b) + " + " + text(shape.c) + " -> " +
         text(shape.result) + (shape.saturating ? ", saturating" : "") +
         (shape.scope == Scope::Subgroup ? ", subgroup" : ", workgroup");
}

}  // namespace jit::coopmat
