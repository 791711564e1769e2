// SPDX-License-Identifier: Apache-2.0

// What the extensions of cooperative matrices add: conversions of use, functions of elements,
// reductions.
#include <optional>

#include "tests/matrix/builder.h"
#include "tests/matrix/number.h"

namespace matrices {
namespace {

bool hasSizeOf(const MatrixType& to, const MatrixType& from, bool transposed) {
  return to.rows == (transposed ? from.columns : from.rows) &&
         to.columns == (transposed ? from.rows : from.columns);
}

}  // namespace

// From accumulators to operands, with VK_EXT_cooperative_matrix_maintenance1 back as well.
void Builder::convertUse(Block& block) {
  const ValueId operand = any(block);
  const MatrixType from = type(operand);
  std::vector<Convert> conversions;
  std::vector<MatrixType> types;
  for (const MatrixType& to : types_) {
    if (to.use == from.use || to.scope != from.scope) continue;
    const bool same = to.component == from.component;
    // Bits cannot change their use.
    if (!same &&
        (!isConvertible(from.component, to.component) || isBitcast(from.component, to.component)))
      continue;
    const bool forth = from.use == Use::Accumulator, back = to.use == Use::Accumulator;
    const bool transposable = forth && (facts_.conversions_back || (to.use == Use::B && same));
    for (bool transposed : {false, true}) {
      if (!hasSizeOf(to, from, transposed)) continue;
      if (transposed ? !transposable : !(forth || (back && facts_.conversions_back))) continue;
      conversions.push_back({0, operand, false, transposed});
      types.push_back(to);
    }
  }
  if (types.empty()) return;
  const size_t chosen = random_.between(0, static_cast<uint32_t>(types.size()) - 1);
  Convert made = conversions[chosen];
  made.result = newValue(types[chosen]);
  block.statements.push_back(made);
  keep(made.result);
}

void Builder::eachElement(Block& block) {
  --budget_;
  const ValueId operand = any(block);
  const MatrixType made = type(operand);
  std::vector<EachElement::Form> forms;
  if (facts_.per_element) forms.push_back(EachElement::Form::Function);
  if (facts_.coordinates) forms.push_back(EachElement::Form::Coordinates);
  if (forms.empty()) return;
  const ValueId other = some(block, made, Contents::Small);
  const ValueId result = newValue(made);
  block.statements.push_back(EachElement{result, operand, other, random_.of(forms),
                                         random_.between(1, 4),
                                         randomBits(random_, made.component, Contents::Real),
                                         random_.of({Source::Constant, Source::Memory})});
  keep(result);
}

void Builder::reduction(Block& block) {
  --budget_;
  if (!facts_.reductions) return;
  const ValueId operand = any(block);
  const MatrixType from = type(operand);
  using Along = Reduction::Along;
  std::vector<std::pair<Along, MatrixType>> results;
  for (const MatrixType& to : types_) {
    if (from.use != Use::Accumulator || to.use != from.use || to.component != from.component ||
        to.scope != from.scope)
      continue;
    if (to.rows == from.rows) results.emplace_back(Along::Rows, to);
    if (to.columns == from.columns) results.emplace_back(Along::Columns, to);
    if (to.rows * 2 == from.rows && to.columns * 2 == from.columns)
      results.emplace_back(Along::Quads, to);
    results.emplace_back(Along::Everything, to);
  }
  if (results.empty()) return;
  const auto [along, to] = random_.of(results);
  // The order of a sum is the device's.
  const bool sum = !isFloat(from.component) && random_.chance(50);
  const ValueId result = newValue(to);
  block.statements.push_back(Reduction{result, operand, along, sum});
  keep(result);
}

}  // namespace matrices
