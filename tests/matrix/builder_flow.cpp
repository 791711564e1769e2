// SPDX-License-Identifier: Apache-2.0

// Branches, loops, and what subgroups do together.
#include <numeric>

#include "tests/matrix/builder.h"
#include "tests/matrix/number.h"

namespace matrices {
namespace {

constexpr uint32_t kMaxShared = 32768;
constexpr uint32_t kMaxProducts = 1 << 18;  // of components, by all invocations

}  // namespace

Condition Builder::condition() {
  Condition made;
  made.kind = random_.of(
      {Condition::Kind::Number, Condition::Kind::SubgroupParity, Condition::Kind::WorkgroupParity});
  // Subgroups by themselves have nothing to do with a workgroup's matrices.
  const bool subgroups = std::any_of(rows_.begin(), rows_.end(), [](const Multiplication& row) {
    return row.scope == Scope::Subgroup;
  });
  if (!subgroups) made.kind = Condition::Kind::Number;
  made.truth = random_.chance(50);
  return made;
}

void Builder::branch(Block& block) {
  Branch made;
  made.condition = condition();
  made.ways.resize(2);
  const std::vector<ValueId> before = live_;
  const bool together = together_;
  together_ = together && made.condition.kind != Condition::Kind::SubgroupParity;
  ++depth_;
  std::vector<ValueId> made_in[2];
  for (size_t way : {0, 1}) {
    live_ = before;
    statements(made.ways[way], random_.between(1, 2));
    made_in[way].assign(live_.begin() + static_cast<ptrdiff_t>(before.size()), live_.end());
  }
  --depth_;
  together_ = together;
  live_ = before;
  for (ValueId first : made_in[0]) {
    // The other way's value of the type, or one from before, or none at all.
    std::vector<ValueId> others;
    for (ValueId id : made_in[1])
      if (type(id) == type(first)) others.push_back(id);
    for (ValueId id : before)
      if (type(id) == type(first)) others.push_back(id);
    ValueId second;
    if (!others.empty()) {
      second = random_.of(others);
    } else if (made.condition.kind == Condition::Kind::Number && made.condition.truth) {
      second = newValue(type(first));
      made.ways[1].statements.push_back(Undefined{second});
    } else {
      second = newValue(type(first));
      made.ways[1].statements.push_back(Splat{second, 0, Splat::Form::Null, Source::Constant});
    }
    const ValueId result = newValue(type(first));
    made.merges.push_back({result, first, second});
    keep(result);
  }
  block.statements.push_back(std::move(made));
}

void Builder::loop(Block& block) {
  Loop made;
  made.count = random_.between(0, 3);
  made.source = random_.of({Source::Constant, Source::Memory});
  made.carry = random_.of({Loop::Carry::Phi, Loop::Carry::Variables});
  made.body.resize(1);
  const std::vector<ValueId> before = live_;
  for (uint32_t k = random_.between(1, 2); k > 0; --k) {
    const ValueId initial = any(block);
    const ValueId inner = newValue(type(initial));
    made.carried.push_back({newValue(type(initial)), initial, inner, inner});
  }
  for (const Loop::Carried& c : made.carried) keep(c.inner);
  ++depth_;
  ++loops_;
  statements(made.body[0], random_.between(1, 3));
  --loops_;
  --depth_;
  for (Loop::Carried& c : made.carried) {
    std::vector<ValueId> next;
    for (size_t k = before.size(); k < live_.size(); ++k)
      if (type(live_[k]) == type(c.inner)) next.push_back(live_[k]);
    c.next = random_.chance(80) ? next.back() : random_.of(next);
  }
  live_ = before;
  for (const Loop::Carried& c : made.carried) keep(c.result);
  block.statements.push_back(std::move(made));
}

void Builder::exchange(Block& block) {
  budget_ -= 2;
  const ValueId operand = any(block);
  const MatrixType from = type(operand);
  // Read back as it is, or as the transpose of a type that has its rows and columns exchanged, by
  // those who wrote it or in the other scope.
  std::vector<MatrixType> types = {from};
  for (const MatrixType& to : types_) {
    if (to.component != from.component) continue;
    if ((to.rows == from.rows && to.columns == from.columns) ||
        (to.rows == from.columns && to.columns == from.rows))
      types.push_back(to);
  }
  const MatrixType to = random_.of(types);
  const uint32_t region = newRegion(from, random_.chance(70), Contents::Unwritten);
  program_.regions[region].exchanged = true;
  Place place = regions_.place(region, {from, true});
  if (program_.regions[region].storage == Storage::Workgroup &&
      regions_.sharedBytes() > sharedBytes()) {
    program_.regions[region].storage = Storage::StorageBuffer;
    program_.regions[region].bytes = 0;
    const uint32_t bits = kernels::elementInfo(program_.regions[region].unit).bits;
    if ((bits == 8 && !facts_.storage8) || (bits == 16 && !facts_.storage16)) {
      program_.regions[region].unit = ElementType::U32;
      program_.regions[region].unit_width = 1;
    }
    place = regions_.place(region, {from, true});
  }
  place.loop_steps.assign(loops_, 0);
  Place back = place;
  const bool same = to.rows == from.rows && to.columns == from.columns;
  const bool transposed = to.rows == from.columns && to.columns == from.rows;
  if (!same || (transposed && random_.chance(50))) back.column_major = !place.column_major;
  if (to.scope == Scope::Subgroup && from.scope == Scope::Subgroup) {
    back.rotation = random_.between(0, program_.subgroups - 1);
  } else if (to.scope == Scope::Workgroup && from.scope == Scope::Subgroup) {
    // What one of the subgroups wrote.
    back.scope = Scope::Workgroup;
    back.offset += random_.between(0, program_.subgroups - 1) * place.step;
    back.step = program_.subgroups * place.step;
  }
  back.form = PointerForm::AccessChain;
  const ValueId result = newValue(to);
  block.statements.push_back(Barrier{});
  block.statements.push_back(Store{operand, place});
  block.statements.push_back(Barrier{});
  block.statements.push_back(Load{result, back});
  keep(result);
}

uint32_t Builder::sharedBytes() const {
  return std::min(kMaxShared, facts_.shared_bytes - facts_.reserved_shared_bytes);
}

void Builder::readyOperand(Block& block, ValueId& operand) {
  const MatrixType made = type(operand);
  if (!facts_.hasArithmetic(made.component)) return;
  const ValueId result = newValue(made);
  block.statements.push_back(Scale{result, operand,
                                   randomBits(random_, made.component, Contents::Divisor),
                                   random_.of({Source::Constant, Source::Memory})});
  operand = result;
}

// A product of matrices of several tiles, in a loop along K.
void Builder::product(Block& block) {
  const Multiplication row = rows_[0];
  if (row.c != row.result) return;  // accumulators go round as they come
  const uint32_t products = (row.scope == Scope::Workgroup ? 1 : program_.subgroups) *
                            program_.workgroups * row.m * row.n * row.k;
  uint32_t tile_rows = random_.between(1, 3), tile_columns = random_.between(1, 3),
           steps = random_.between(1, 5);
  auto isTooMuch = [&] { return tile_rows * tile_columns * steps * products > kMaxProducts; };
  while (isTooMuch() && steps > 2) --steps;
  while (isTooMuch() && tile_rows > 1) --tile_rows;
  while (isTooMuch() && tile_columns > 1) --tile_columns;
  while (isTooMuch() && steps > 1) --steps;
  budget_ -= static_cast<int32_t>(3 + tile_rows * tile_columns);
  const Contents contents = random_.of({Contents::Small, Contents::Real, Contents::Wide});

  Loop made;
  made.count = steps;
  made.source = random_.of({Source::Constant, Source::Specialization, Source::Memory});
  made.carry = random_.of({Loop::Carry::Phi, Loop::Carry::Variables, Loop::Carry::Array});
  made.body.resize(1);
  Block& body = made.body[0];

  // One operand: the tiles of a step, from a matrix in memory or by way of Workgroup memory.
  struct Operand {
    MatrixType type;
    uint32_t down, right;            // tiles of a step
    uint32_t step_down, step_right;  // from a step's first tile to the next one's
    std::vector<ValueId> tiles;
  } operands[2] = {{row.typeA(), tile_rows, 1, 0, 1, {}}, {row.typeB(), 1, tile_columns, 1, 0, {}}};
  // Twice the tiles leaves room for strides.
  const uint32_t tile_bytes = (tile_rows * row.m * row.k + tile_columns * row.k * row.n) *
                              kernels::elementInfo(row.a).bytes();
  const bool staged = 2 * tile_bytes <= sharedBytes() && random_.chance(35);
  std::vector<Statement> loads;
  if (staged) body.statements.push_back(Barrier{});
  for (Operand& o : operands) {
    const uint32_t component_bytes = kernels::elementInfo(o.type.component).bytes();
    const uint32_t region = newRegion(o.type, staged, contents);
    Regions::Shape shape{o.type, false, o.down, o.right, staged};
    if (!staged) {
      shape.tile_rows += o.step_down * (steps - 1);
      shape.tile_columns += o.step_right * (steps - 1);
    }
    uint32_t source = region;
    if (staged) {
      program_.regions[region].exchanged = true;
      source = regions_.addLike(region);
      contents_.push_back(contents);
    }
    Place place = regions_.place(region, shape);
    place.loop_steps = {0};
    if (staged) {
      const uint32_t bytes = program_.regions[region].bytes;
      program_.regions[source].bytes = bytes * (steps + program_.workgroups - 1);
      body.statements.push_back(Stage{source, region, 0, 0, bytes, bytes, bytes});
    } else {
      place.loop_steps[0] =
          Regions::tileOffset(place, o.type, component_bytes, o.step_down, o.step_right);
    }
    for (uint32_t down = 0; down < o.down; ++down) {
      for (uint32_t right = 0; right < o.right; ++right) {
        Place tile = place;
        tile.offset += Regions::tileOffset(place, o.type, component_bytes, down, right);
        const ValueId loaded = newValue(o.type);
        o.tiles.push_back(loaded);
        loads.push_back(Load{loaded, tile});
      }
    }
  }
  if (staged) body.statements.push_back(Barrier{});
  for (Statement& load : loads) body.statements.push_back(std::move(load));
  if (random_.chance(25)) readyOperand(body, operands[random_.between(0, 1)].tiles[0]);

  const bool no_contraction = random_.chance(15);
  for (uint32_t i = 0; i < tile_rows; ++i) {
    for (uint32_t j = 0; j < tile_columns; ++j) {
      ValueId initial;
      if (random_.chance(40)) {
        initial = load(block, row.typeC(), contents);
      } else {
        initial = newValue(row.typeC());
        block.statements.push_back(Splat{
            initial, 0, random_.of({Splat::Form::Null, Splat::Form::Constant}), Source::Constant});
      }
      const ValueId inner = newValue(row.typeC()), next = newValue(row.typeResult());
      made.carried.push_back({newValue(row.typeC()), initial, inner, next});
      body.statements.push_back(
          MulAdd{next, operands[0].tiles[i], operands[1].tiles[j], inner, row, no_contraction});
    }
  }
  for (const Loop::Carried& c : made.carried) keep(c.result);
  block.statements.push_back(std::move(made));
}

}  // namespace matrices
