// SPDX-License-Identifier: Apache-2.0

#include "tests/matrix/overlap_setting.h"

#include <algorithm>

namespace matrices::overlaps {
namespace {

constexpr uint32_t kMaxInvocations = 128;
constexpr uint32_t kMostSharedBytes = 1 << 14;
constexpr uint32_t kMostMatrixBytes = 1 << 14, kUsualMatrixBytes = 1 << 11;

// Bytes that a matrix takes at least, whatever its layout and the path.
uint32_t leastExtent(const MatrixType& type) {
  const uint32_t bytes = bytesOf(type.component);
  return std::max(type.rows * roundUp(type.columns * bytes, 16),
                  type.columns * roundUp(type.rows * bytes, 16));
}

}  // namespace

Setting::Setting(const Facts& facts, uint64_t seed) : facts_(facts), random_(seed) {
  program_.seed = seed;
  chooseInvocations();
  chooseTypes();
  chooseMemory();
}

void Setting::chooseInvocations() {
  uint32_t invocations = 0;
  if (!facts_.workgroup_rows.empty() && random_.chance(20))
    invocations = random_.of(facts_.workgroup_rows).invocations;
  for (const WorkgroupRow& row : facts_.workgroup_rows)
    if (row.invocations == invocations) offer(row.row);
  if (invocations == 0 || random_.chance(50))
    for (const Multiplication& row : facts_.rows) offer(row);

  program_.subgroup_size = facts_.subgroup_size;
  const bool fits = invocations % facts_.subgroup_size == 0;
  if (facts_.size_control && (!fits || random_.chance(50))) {
    program_.required_size = true;
    program_.subgroup_size = random_.of(facts_.subgroupSizesFor(invocations));
  }
  const uint32_t most =
      std::max(1u, std::min(kMaxInvocations, facts_.max_invocations) / program_.subgroup_size);
  if (invocations != 0) {
    program_.subgroups = invocations / program_.subgroup_size;
  } else {
    program_.subgroups = random_.chance(60) ? 1 : random_.between(1, std::min(most, 4u));
  }
  program_.workgroups = random_.chance(70) ? 1 : 2;
  program_.robust = facts_.robust && random_.chance(15);
}

void Setting::offer(const Multiplication& row) {
  const uint32_t most = random_.chance(15) ? kMostMatrixBytes : kUsualMatrixBytes;
  for (const MatrixType& type : {row.typeA(), row.typeB(), row.typeC(), row.typeResult()})
    if (bytesOf(type) > most) return;
  offered_.push_back(row);
}

void Setting::chooseTypes() {
  // First the scope and a component, so that those with many rows do not crowd out the others.
  std::vector<ElementType> components;
  const Scope scope = offered_[0].scope;
  for (const Multiplication& row : offered_)
    if (row.scope == scope && !std::count(components.begin(), components.end(), row.a))
      components.push_back(row.a);
  const ElementType component = random_.of(components);
  std::vector<Multiplication> rows;
  for (const Multiplication& row : offered_)
    if (row.scope == scope && row.a == component) rows.push_back(row);
  row_ = random_.of(rows);
  types_ = {random_.of({row_.typeA(), row_.typeB(), row_.typeC()})};
  if (random_.chance(20)) types_ = {row_.typeA(), row_.typeB(), row_.typeC(), row_.typeResult()};
  if (random_.chance(15)) {
    const Multiplication& other = random_.of(offered_);
    types_.push_back(other.typeC());
  }
}

void Setting::chooseMemory() {
  uint32_t home = 256, part = 0;
  for (const MatrixType& type : types_)
    (type.scope == Scope::Workgroup ? part : home) =
        std::max(type.scope == Scope::Workgroup ? part : home, leastExtent(type));
  part = std::max(home * program_.subgroups, part);
  // Room for another one, in part.
  part = part + part * random_.between(2, 16) / 10;
  program_.home = roundUp(part / program_.subgroups + 1, 64);

  const MatrixType& main = types_[0];
  std::vector<Unit> units{{ElementType::U32, 1}, {ElementType::U32, 4}, {ElementType::F32, 2}};
  if (facts_.int64) units.push_back({ElementType::U64, 1});
  const uint32_t bits = kernels::elementInfo(main.component).bits;
  const Unit own{main.component, 1};
  const bool in_buffers = (bits != 8 || facts_.storage8) && (bits != 16 || facts_.storage16);
  auto unit = [&](Path path) -> Unit& { return program_.units[static_cast<size_t>(path)]; };
  for (Path path : {Path::Second, Path::Address})
    unit(path) = in_buffers && random_.chance(60) ? own : random_.of(units);
  program_.shared_twice = facts_.workgroup_layouts && random_.chance(40);
  if (program_.shared_twice) unit(Path::SharedAgain) = random_.chance(60) ? own : random_.of(units);

  paths_ = {Path::First, Path::Second, Path::Other};
  program_.has_addresses = facts_.physical_addresses;
  if (program_.has_addresses) paths_.push_back(Path::Address);
  const uint32_t reserved = hasWorkgroupScope() ? facts_.reserved_shared_bytes : 0;
  const uint32_t shared =
      std::min(facts_.shared_bytes - std::min(facts_.shared_bytes, reserved), kMostSharedBytes);
  if (program_.part() <= shared && random_.chance(40)) {
    program_.has_shared = true;
    paths_.push_back(Path::Shared);
    if (program_.shared_twice) paths_.push_back(Path::SharedAgain);
  }
  program_.shared_twice &= program_.has_shared;
  if (!program_.robust) return;
  for (Path path : {Path::First, Path::Second}) {
    if (random_.chance(30)) continue;
    const uint32_t all = program_.part() * program_.workgroups;
    program_.bounds[static_cast<size_t>(path)] = 4 * random_.between(all / 8, all / 4);
  }
}

bool Setting::hasWorkgroupScope() const {
  return std::any_of(types_.begin(), types_.end(),
                     [](const MatrixType& type) { return type.scope == Scope::Workgroup; });
}

}  // namespace matrices::overlaps
