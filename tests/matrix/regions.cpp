// SPDX-License-Identifier: Apache-2.0

#include "tests/matrix/regions.h"

#include <algorithm>
#include <cmath>

namespace matrices {
namespace {

using kernels::elementInfo;
using kernels::ElementKind;
using kernels::encode;
using kernels::Int128;
using kernels::Value;

uint32_t roundUp(uint32_t bytes, uint32_t unit) { return (bytes + unit - 1) / unit * unit; }

uint64_t mask(ElementType type) {
  const uint32_t bits = elementInfo(type).bits;
  return bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
}

uint64_t specialBits(Random& random, ElementType type) {
  const auto& info = elementInfo(type);
  const uint64_t sign = uint64_t{1} << (info.bits - 1);
  if (info.kind != ElementKind::Float) return random.of({uint64_t{0}, mask(type), sign, sign - 1});
  const uint64_t exponents = ((uint64_t{1} << info.exponent_bits) - 1) << info.mantissa_bits;
  const uint64_t least_normal = uint64_t{1} << info.mantissa_bits;
  const uint64_t magnitude =
      random.of({uint64_t{0}, uint64_t{1}, least_normal - 1, least_normal, exponents - 1, exponents,
                 exponents | 1, exponents | (least_normal - 1)});
  return random.chance(50) ? magnitude : magnitude | sign;
}

}  // namespace

uint64_t randomBits(Random& random, ElementType type, Contents contents) {
  const auto& info = elementInfo(type);
  const bool negative = info.kind != ElementKind::Unsigned;
  auto whole = [&](int low, int high) {
    const int value = low + static_cast<int>(random.between(0, static_cast<uint32_t>(high - low)));
    return encode(type, Value::of(Int128{value}));
  };
  switch (contents) {
    case Contents::Small:
      return whole(negative ? -4 : 0, 4);
    case Contents::Divisor:
      return whole(1, 7);
    case Contents::Real:
      if (info.kind != ElementKind::Float) return whole(negative ? -100 : 0, 100);
      return encode(type, Value::of(random.real() * 4 - 2));
    case Contents::Wide:
      if (info.kind != ElementKind::Float) return random.bits() & mask(type);
      return encode(type, Value::of(std::ldexp(random.real() * 2 - 1,
                                               static_cast<int>(random.between(0, 12)) - 6)));
    case Contents::Special:
      return random.chance(4) ? specialBits(random, type)
                              : randomBits(random, type, Contents::Small);
    case Contents::Unwritten:
      break;
  }
  return 0xa5a5a5a5a5a5a5a5 & mask(type);
}

uint32_t Regions::instances(const Region& region, Scope scope) const {
  const uint32_t of_workgroup = scope == Scope::Workgroup ? 1 : program_.subgroups;
  return region.storage == Storage::Workgroup ? of_workgroup : of_workgroup * program_.workgroups;
}

uint32_t Regions::add(ElementType component, uint32_t line_bytes, bool workgroup) {
  Region region;
  region.component = component;
  if (workgroup) {
    region.storage = Storage::Workgroup;
  } else if (facts_.physical_addresses && random_.chance(30)) {
    region.storage = Storage::PhysicalStorageBuffer;
  }
  std::vector<std::pair<ElementType, uint32_t>> units;
  for (ElementType type :
       {ElementType::U8, ElementType::S8, ElementType::U16, ElementType::F16, ElementType::BF16,
        ElementType::U32, ElementType::S32, ElementType::F32, ElementType::U64, ElementType::F64}) {
    const uint32_t bits = elementInfo(type).bits;
    if (!facts_.hasScalar(type)) continue;
    if (!workgroup && ((bits == 8 && !facts_.storage8) || (bits == 16 && !facts_.storage16)))
      continue;
    for (uint32_t width : {1, 2, 4}) {
      if (line_bytes % (bits / 8 * width) == 0) units.emplace_back(type, width);
    }
  }
  const bool own = workgroup || elementInfo(component).bits >= 32 ||
                   (elementInfo(component).bits == 16 ? facts_.storage16 : facts_.storage8);
  if (own && (random_.chance(50) || units.empty())) {
    region.unit = component;
  } else {
    std::tie(region.unit, region.unit_width) = random_.of(units);
  }
  region.untyped = facts_.untyped_pointers && (!workgroup || facts_.workgroup_layouts) &&
                   random_.chance(workgroup ? 25 : 15);
  program_.regions.push_back(region);
  return static_cast<uint32_t>(program_.regions.size() - 1);
}

uint32_t Regions::addLike(uint32_t region) {
  Region copy = program_.regions[region];
  copy.storage = Storage::StorageBuffer;
  copy.exchanged = false;
  copy.whole = true;
  const uint32_t bits = elementInfo(copy.unit).bits;
  if ((bits == 8 && !facts_.storage8) || (bits == 16 && !facts_.storage16)) {
    // The same number of bytes as words; Stage copies units of one type.
    copy.unit = ElementType::U32;
    copy.unit_width = 1;
    program_.regions[region].unit = copy.unit;
    program_.regions[region].unit_width = 1;
  }
  program_.regions.push_back(copy);
  return static_cast<uint32_t>(program_.regions.size() - 1);
}

uint32_t Regions::tileOffset(const Place& place, const MatrixType& type, uint32_t component_bytes,
                             uint32_t row, uint32_t column) {
  const uint32_t down = row * type.rows, right = column * type.columns;
  const uint32_t line = place.column_major ? right : down;
  const uint32_t in_line = place.column_major ? down : right;
  return line * place.stride + in_line * component_bytes;
}

Place Regions::place(uint32_t index, const Shape& shape) {
  Region& region = program_.regions[index];
  Place place;
  place.region = index;
  place.scope = shape.type.scope;
  place.column_major = random_.chance(50);
  const uint32_t bytes = region.componentBytes();
  const uint32_t tile_rows = shape.type.rows * shape.tile_rows;
  const uint32_t tile_columns = shape.type.columns * shape.tile_columns;
  const uint32_t lines = place.column_major ? tile_columns : tile_rows;
  const uint32_t line = (place.column_major ? tile_rows : tile_columns) * bytes;
  const uint32_t one_line = (place.column_major ? shape.type.rows : shape.type.columns) * bytes;
  // Vulkan: VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986.
  const bool loose = facts_.any_alignment && random_.chance(50);
  const uint32_t alignment = loose ? bytes : std::min(16u, one_line);
  const uint32_t unit = std::max(alignment, region.unitBytes());
  place.alignment = std::min(unit, 16u);
  const uint32_t instances = this->instances(region, place.scope);
  const bool shared = shape.shared || (!shape.store && random_.chance(30));
  const uint32_t whole_line = roundUp(line, unit);
  place.stride = whole_line;
  const bool apart = shape.store || shape.tile_rows * shape.tile_columns > 1;
  bool between_lines = false;
  switch (random_.between(0, 9)) {
    case 0:
      if (!apart) place.stride = 0;
      break;
    case 1:
      if (!apart) place.stride = unit * random_.between(0, whole_line / unit);
      break;
    case 2:
      // Lines of one and the next instance beside each other.
      between_lines = !shared;
      place.stride = whole_line * (shared ? 1 : instances) + unit * random_.between(0, 2);
      break;
    case 3:
      place.stride += unit * random_.between(1, region.storage == Storage::Workgroup ? 4 : 40);
      break;
    case 4:
    case 5:
    case 6:
      place.stride += unit * random_.between(1, 3);
      break;
    default:
      break;
  }
  const uint32_t extent = (lines - 1) * place.stride + line;
  if (!shared) {
    place.step = between_lines ? whole_line : roundUp(extent, unit) + unit * random_.between(0, 2);
  }
  place.offset = unit * (random_.chance(40) ? 0 : random_.between(1, 5));
  const uint32_t end = place.offset + (instances - 1) * place.step + extent;
  region.bytes = std::max(region.bytes, roundUp(end + random_.between(0, 3) * unit, 32));
  // Constants, or known when the pipeline is made, or only to the running shader.
  place.offset_source = random_.of({Source::Constant, Source::Specialization, Source::Memory});
  place.stride_source = random_.of({Source::Constant, Source::Specialization, Source::Memory});
  place.stride_type = random_.of({ElementType::U32, ElementType::U32, ElementType::S32});
  if (facts_.int64 && random_.chance(10)) place.stride_type = ElementType::S64;
  const bool selectable = region.storage == Storage::Workgroup ? facts_.variable_pointers
                          : region.storage == Storage::StorageBuffer
                              ? facts_.variable_pointers_storage
                              : true;
  if (selectable && random_.chance(25)) {
    place.form = region.untyped ? PointerForm::Selected
                                : random_.of({PointerForm::PtrAccessChain, PointerForm::Selected});
  }
  place.is_volatile = random_.chance(5);
  return place;
}

void Regions::fill(uint32_t index, Contents contents) {
  Region& region = program_.regions[index];
  const uint32_t components = region.bytes / region.componentBytes();
  for (uint32_t k = static_cast<uint32_t>(region.initial.size()); k < components; ++k)
    region.initial.push_back(randomBits(random_, region.component, contents));
}

void Regions::cutOff(uint32_t index) {
  Region& region = program_.regions[index];
  if (region.whole || region.storage != Storage::StorageBuffer || random_.chance(30)) return;
  region.bound = 4 * random_.between(1, region.bytes / 4);
}

uint32_t Regions::sharedBytes() const {
  uint32_t bytes = 0;
  for (const Region& region : program_.regions)
    if (region.storage == Storage::Workgroup) bytes += region.bytes;
  return bytes;
}

}  // namespace matrices
