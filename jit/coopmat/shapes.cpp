#include "jit/coopmat/shapes.h"

#include <algorithm>

namespace jit::coopmat {

std::span<const Shape> shapes() {
  static constexpr Shape kShapes[] = {
#define SHAPE(scope, m, n, k, a, b, c, result, saturating) \
  {Scope::scope, m, n, k, Component::a, Component::b, Component::c, Component::result, saturating},
#include "jit/coopmat/shapes.def"
  };
  return kShapes;
}

bool hasShape(const Shape& shape) { return std::ranges::find(shapes(), shape) != shapes().end(); }

const Shape& nearestShape(const Shape& shape) {
  auto likeness = [&](const Shape& row) {
    return 8 * (row.a == shape.a) + 8 * (row.b == shape.b) + 4 * (row.c == shape.c) +
           4 * (row.result == shape.result) + 2 * (row.scope == shape.scope) + (row.m == shape.m) +
           (row.n == shape.n) + (row.k == shape.k) + (row.saturating == shape.saturating);
  };
  return *std::ranges::max_element(shapes(), {}, likeness);
}

bool hasMatrix(Scope scope, Component component, uint32_t rows, uint32_t columns, Use use) {
  return std::ranges::any_of(shapes(), [&](const Shape& row) {
    if (row.scope != scope) return false;
    switch (use) {
      case Use::A:
        return row.a == component && row.m == rows && row.k == columns;
      case Use::B:
        return row.b == component && row.k == rows && row.n == columns;
      case Use::Accumulator:
        return (row.c == component || row.result == component) && row.m == rows && row.n == columns;
    }
    return false;
  });
}

std::string describe(const Shape& shape) {
  auto text = [](Component component) { return std::string(info(component).text); };
  return std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" + std::to_string(shape.k) +
         " " + text(shape.a) + " * " + text(shape.b) + " + " + text(shape.c) + " -> " +
         text(shape.result) + (shape.saturating ? ", saturating" : "") +
         (shape.scope == Scope::Subgroup ? ", subgroup" : ", workgroup");
}

}  // namespace jit::coopmat
