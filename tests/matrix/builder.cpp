// SPDX-License-Identifier: Apache-2.0

#include "tests/matrix/builder.h"

#include <numeric>

#include "tests/matrix/number.h"

namespace matrices {
namespace {

constexpr uint32_t kMaxInvocations = 128;
constexpr int32_t kBudget = 9;
constexpr size_t kMaxResults = 4;

ElementType otherSign(ElementType type) {
  switch (type) {
    case ElementType::U8:
      return ElementType::S8;
    case ElementType::S8:
      return ElementType::U8;
    case ElementType::U16:
      return ElementType::S16;
    case ElementType::S16:
      return ElementType::U16;
    case ElementType::U32:
      return ElementType::S32;
    case ElementType::S32:
      return ElementType::U32;
    case ElementType::U64:
      return ElementType::S64;
    case ElementType::S64:
      return ElementType::U64;
    default:
      return type;
  }
}

bool isFloat8(ElementType type) { return type == ElementType::E4M3 || type == ElementType::E5M2; }

}  // namespace

bool isConvertible(ElementType from, ElementType to) {
  const auto &source = kernels::elementInfo(from), &target = kernels::elementInfo(to);
  return source.bits == target.bits || source.kind != kernels::ElementKind::Unsigned ||
         target.kind != kernels::ElementKind::Signed;
}

bool isBitcast(ElementType from, ElementType to) {
  return !isFloat(from) && !isFloat(to) &&
         kernels::elementInfo(from).bits == kernels::elementInfo(to).bits;
}

Program generate(const Facts& facts, uint64_t seed) { return Builder(facts, seed).build(); }

Program Builder::build() {
  chooseInvocations();
  chooseRows();
  budget_ = kBudget;
  if (random_.chance(45)) product(program_.main);
  for (const MatrixType& type : {rows_[0].typeA(), rows_[0].typeB(), rows_[0].typeC()}) {
    if (random_.chance(50)) keep(load(program_.main, type, Contents::Small));
  }
  if (live_.empty()) keep(load(program_.main, rows_[0].typeA(), Contents::Small));
  while (budget_ > 0) statement(program_.main);
  // What came last is made of the most.
  const size_t results = std::min(live_.size(), kMaxResults);
  for (size_t k = 0; k < results; ++k) store(program_.main, live_[live_.size() - 1 - k]);
  if (random_.chance(8)) holders(program_.main);
  for (uint32_t k = 0; k < program_.regions.size(); ++k) {
    if (program_.regions[k].storage == Storage::Workgroup) continue;
    regions_.fill(k, contents_[k]);
    if (program_.robust) regions_.cutOff(k);
  }
  return std::move(program_);
}

void Builder::chooseInvocations() {
  // Workgroups that hold matrices together are as large as a row says.
  uint32_t invocations = 0;
  std::vector<WorkgroupRow> workgroup_rows;
  if (!facts_.workgroup_rows.empty() && random_.chance(30)) {
    std::vector<uint32_t> sizes;
    for (const WorkgroupRow& row : facts_.workgroup_rows)
      if (std::find(sizes.begin(), sizes.end(), row.invocations) == sizes.end())
        sizes.push_back(row.invocations);
    invocations = random_.of(sizes);
  }
  for (const WorkgroupRow& row : facts_.workgroup_rows)
    if (row.invocations == invocations) offer(row.row);
  if (invocations == 0 || random_.chance(50))
    for (const Multiplication& row : facts_.rows) offer(row);

  program_.subgroup_size = facts_.subgroup_size;
  const bool fits = invocations % facts_.subgroup_size == 0;
  if (facts_.size_control && (!fits || random_.chance(70))) {
    program_.required_size = true;
    program_.subgroup_size = random_.of(facts_.subgroupSizesFor(invocations));
  }
  const uint32_t most =
      std::max(1u, std::min(kMaxInvocations, facts_.max_invocations) / program_.subgroup_size);
  if (invocations != 0) {
    program_.subgroups = invocations / program_.subgroup_size;
  } else {
    program_.subgroups = random_.chance(40) ? 1 : random_.between(1, std::min(most, 4u));
  }
  program_.workgroups = random_.between(1, 2);
  program_.robust = facts_.robust && random_.chance(12);
  program_.specialized_types = random_.chance(25);
  program_.float_controls = facts_.float_controls && random_.chance(50);
}

void Builder::offer(const Multiplication& row) {
  offered_.push_back(row);
  for (const MatrixType& type : {row.typeA(), row.typeB(), row.typeC(), row.typeResult()})
    if (std::find(types_.begin(), types_.end(), type) == types_.end()) types_.push_back(type);
}

void Builder::chooseRows() {
  // First a type, so that those with many rows do not crowd out the others.
  const Scope scope = offered_[0].scope;
  std::vector<ElementType> types;
  for (const Multiplication& row : offered_) {
    if (row.scope == scope && std::find(types.begin(), types.end(), row.a) == types.end())
      types.push_back(row.a);
  }
  const ElementType chosen = random_.of(types);
  std::vector<Multiplication> rows, of_other_scope;
  for (const Multiplication& row : offered_)
    if (row.a == chosen) (row.scope == scope ? rows : of_other_scope).push_back(row);
  rows_.push_back(random_.of(rows));
  if (!of_other_scope.empty()) rows_.push_back(random_.of(of_other_scope));
  // Others that take its matrices.
  for (const Multiplication& row : offered_) {
    if (row.typeA() == rows_[0].typeA() || row.typeC() == rows_[0].typeResult())
      if (random_.chance(20)) rows_.push_back(row);
  }
}

Multiplication Builder::row() {
  std::vector<Multiplication> rows;
  for (const Multiplication& row : rows_)
    if (isUsable(row.scope)) rows.push_back(row);
  return random_.of(rows);
}

ValueId Builder::any(Block& block) {
  std::vector<ValueId> usable;
  for (ValueId id : live_)
    if (isUsable(type(id).scope)) usable.push_back(id);
  if (!usable.empty()) return random_.of(usable);
  keep(load(block, row().typeA(), Contents::Small));
  return live_.back();
}

ValueId Builder::newValue(const MatrixType& type) {
  program_.values.push_back(type);
  return static_cast<ValueId>(program_.values.size() - 1);
}

uint32_t Builder::newRegion(const MatrixType& type, bool workgroup, Contents contents) {
  const uint32_t bytes = kernels::elementInfo(type.component).bytes();
  const uint32_t line = std::gcd(type.rows * bytes, type.columns * bytes);
  const uint32_t region = regions_.add(type.component, line, workgroup);
  contents_.push_back(contents);
  return region;
}

ValueId Builder::load(Block& block, const MatrixType& type, Contents contents) {
  --budget_;
  // Sometimes from memory that other matrices come from too.
  uint32_t region = ~0u;
  for (uint32_t k = 0; k < program_.regions.size(); ++k) {
    const Region& r = program_.regions[k];
    if (r.component == type.component && r.storage != Storage::Workgroup && !r.exchanged &&
        contents_[k] == contents && r.unitBytes() <= r.componentBytes() && random_.chance(30))
      region = k;
  }
  if (region == ~0u) region = newRegion(type, false, contents);
  Place place = regions_.place(region, {type, false});
  place.loop_steps.assign(loops_, 0);
  const ValueId result = newValue(type);
  block.statements.push_back(Load{result, place});
  return result;
}

ValueId Builder::splat(Block& block, const MatrixType& type, Contents contents) {
  const ValueId result = newValue(type);
  const auto form = random_.of({Splat::Form::Constant, Splat::Form::Construct});
  const Source source = random_.of({Source::Specialization, Source::Memory});
  block.statements.push_back(
      Splat{result, randomBits(random_, type.component, contents), form, source});
  return result;
}

void Builder::store(Block& block, ValueId value) {
  --budget_;
  const uint32_t region = newRegion(type(value), false, Contents::Unwritten);
  Place place = regions_.place(region, {type(value), true});
  place.loop_steps.assign(loops_, 0);
  block.statements.push_back(Store{value, place});
}

ValueId Builder::some(Block& block, const MatrixType& type, Contents contents) {
  if (random_.chance(75)) {
    std::vector<ValueId> found;
    for (ValueId id : live_)
      if (this->type(id) == type) found.push_back(id);
    if (!found.empty()) return random_.of(found);
  }
  if (random_.chance(25)) return splat(block, type, contents);
  const ValueId loaded = load(block, type, contents);
  keep(loaded);
  return loaded;
}

void Builder::statements(Block& block, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) statement(block);
}

void Builder::statement(Block& block) {
  --budget_;
  const uint32_t choice = random_.between(0, 99);
  if (choice < 20) return arithmetic(block);
  if (choice < 34) return random_.chance(60) ? convert(block) : convertUse(block);
  if (choice < 52) return multiplyAdd(block);
  if (choice < 62) return pass(block);
  if (choice < 68) return replaceNegative(block);
  if (choice < 72) return eachElement(block);
  if (choice < 76) return reduction(block);
  if (choice < 80) {
    const Multiplication row = this->row();
    const std::vector<MatrixType> types = {row.typeA(), row.typeB(), row.typeC()};
    const Contents contents =
        random_.of({Contents::Real, Contents::Wide, Contents::Special, Contents::Small});
    return keep(load(block, random_.of(types), contents));
  }
  if (choice < 88 && together_) return exchange(block);
  if (choice < 94 && depth_ < 2) return branch(block);
  if (depth_ < 2) return loop(block);
}

void Builder::arithmetic(Block& block) {
  const ValueId left = any(block);
  const MatrixType made = type(left);
  if (!facts_.hasArithmetic(made.component)) return;
  const uint32_t choice = random_.between(0, 5);
  if (choice == 4) {
    const ValueId result = newValue(made);
    block.statements.push_back(Negate{result, left});
    return keep(result);
  }
  if (choice == 5) {
    const ValueId result = newValue(made);
    block.statements.push_back(Scale{result, left,
                                     randomBits(random_, made.component, Contents::Small),
                                     random_.of({Source::Constant, Source::Memory})});
    return keep(result);
  }
  const auto operation = static_cast<Arithmetic>(choice);
  ValueId right;
  if (operation == Arithmetic::Divide) {
    // Integers have no quotient by 0.
    right = random_.chance(50) ? splat(block, made, Contents::Divisor)
                               : load(block, made, Contents::Divisor);
  } else {
    right = some(block, made, random_.of({Contents::Small, Contents::Real, Contents::Special}));
  }
  const ValueId result = newValue(made);
  block.statements.push_back(Binary{operation, result, left, right, random_.chance(30)});
  keep(result);
}

void Builder::convert(Block& block) {
  const ValueId operand = any(block);
  const MatrixType from = type(operand);
  std::vector<MatrixType> types;
  for (const MatrixType& to : types_) {
    if (to.rows == from.rows && to.columns == from.columns && to.use == from.use &&
        to.scope == from.scope && to.component != from.component &&
        isConvertible(from.component, to.component))
      types.push_back(to);
  }
  if (types.empty()) return;
  const MatrixType to = random_.of(types);
  const bool saturate = isFloat8(to.component) && !isFloat8(from.component) && random_.chance(50);
  const ValueId result = newValue(to);
  // OpSConvert and OpUConvert change the width.
  if (isBitcast(from.component, to.component)) {
    block.statements.push_back(Bitcast{result, operand});
  } else {
    block.statements.push_back(Convert{result, operand, saturate});
  }
  keep(result);
}

void Builder::multiplyAdd(Block& block) {
  --budget_;
  const Multiplication row = this->row();
  const Contents contents = random_.of(
      {Contents::Small, Contents::Small, Contents::Real, Contents::Wide, Contents::Special});
  const bool signs_differ = random_.chance(25);
  auto declared = [&](MatrixType type) {
    if (signs_differ && random_.chance(50)) type.component = otherSign(type.component);
    return type;
  };
  const ValueId a = some(block, declared(row.typeA()), contents);
  const ValueId b = some(block, declared(row.typeB()), contents);
  // Saturation shows at the ends of the range.
  const ValueId c =
      some(block, declared(row.typeC()),
           row.saturating ? random_.of({Contents::Special, Contents::Wide}) : contents);
  const ValueId result = newValue(declared(row.typeResult()));
  block.statements.push_back(MulAdd{result, a, b, c, row, random_.chance(20)});
  keep(result);
}

void Builder::pass(Block& block) {
  const ValueId operand = any(block), result = newValue(type(operand));
  const auto through = static_cast<Pass::Through>(
      random_.between(0, static_cast<uint32_t>(Pass::Through::Count) - 1));
  block.statements.push_back(Pass{result, operand, through});
  keep(result);
}

void Builder::replaceNegative(Block& block) {
  --budget_;
  const ValueId operand = any(block);
  const MatrixType made = type(operand);
  if (kernels::elementInfo(made.component).kind == kernels::ElementKind::Unsigned) return;
  const ValueId result = newValue(made);
  block.statements.push_back(
      ReplaceNegative{result, operand, randomBits(random_, made.component, Contents::Divisor)});
  keep(result);
}

void Builder::holders(Block& block) {
  const ValueId operand = live_.back();
  const MatrixType held = type(operand);
  auto region = [&](ElementType component, uint32_t elements) {
    Region made;
    made.component = made.unit = component;
    made.bytes = elements * kernels::elementInfo(component).bytes();
    made.whole = true;
    program_.regions.push_back(made);
    contents_.push_back(Contents::Unwritten);
    return static_cast<uint32_t>(program_.regions.size() - 1);
  };
  const uint32_t bits = kernels::elementInfo(held.component).bits;
  if ((bits == 8 && !facts_.storage8) || (bits == 16 && !facts_.storage16)) return;
  if (held.scope == Scope::Workgroup) {
    // Numbers of invocations must fit into components, and components into what is kept of an
    // invocation, even if several hold the same.
    constexpr uint32_t kCopies = 4;
    if (bits == 8 || held.size() * kCopies > kMaxHeld * program_.invocations()) return;
  }
  const uint32_t invocations = program_.invocations() * program_.workgroups;
  Holders made{operand,
               {},
               {},
               region(held.component, invocations * kMaxHeld),
               region(ElementType::U32, invocations)};
  for (Place* place : {&made.lanes, &made.indices}) {
    *place = regions_.place(newRegion(held, false, Contents::Unwritten), {held, true});
    program_.regions[place->region].whole = true;
  }
  block.statements.push_back(made);
}

}  // namespace matrices
