// SPDX-License-Identifier: Apache-2.0

#include "jit/matrix/layout.h"

#include <algorithm>

namespace jit::coopmat {
namespace {

constexpr uint32_t kBlockRows = 8;

// Subgroups of 32 among which a matrix of a scope of `invocations` is divided, along M and N.
struct SubgroupGrid {
  uint32_t m, n;
};

std::optional<SubgroupGrid> gridOf(const MappedMatrix& matrix) {
  if (matrix.invocations == 32) return SubgroupGrid{1, 1};
  if (matrix.scope != Scope::Workgroup) return std::nullopt;
  switch (matrix.invocations) {
    case 64:
      return SubgroupGrid{1, 2};
    case 128:
      return SubgroupGrid{2, 2};
    case 256:
      return SubgroupGrid{2, 4};
    default:
      return std::nullopt;
  }
}

Placement native(const MappedMatrix& matrix) {
  const uint32_t elements = matrix.rows * matrix.columns;
  const uint32_t length = std::max(1u, (elements + matrix.invocations - 1) / matrix.invocations);
  constexpr Digit kNone{1, 0};
  return {.invocation = {{{matrix.invocations, 1}, kNone, kNone, kNone}},
          .component = {{{length, matrix.invocations}, kNone, kNone, kNone}}};
}

// The fragments of Nvidia and Ptx; nothing where the matrix is not cut into whole blocks.
std::optional<Placement> fragments(Mapping mapping, const MappedMatrix& matrix) {
  const std::optional<SubgroupGrid> grid = gridOf(matrix);
  if (!grid) return std::nullopt;
  // As of A: `height` by `width`, with these steps between elements. B is transposed.
  const bool is_b = matrix.use == Use::B, is_sum = matrix.use == Use::Accumulator;
  const uint32_t height = is_b ? matrix.columns : matrix.rows;
  const uint32_t width = is_b ? matrix.rows : matrix.columns;
  const uint32_t down = is_b ? 1 : matrix.columns, across = is_b ? matrix.columns : 1;
  const uint32_t parts_down = is_b ? grid->n : grid->m, parts_across = is_sum ? grid->n : 1;
  // A piece of a row is a register of 32 bits, of accumulators two components.
  const uint32_t piece = is_sum ? 2 : std::max(1u, 4 / bytesOf(matrix.component));
  const uint32_t block_width = 4 * piece;
  if (height % (kBlockRows * parts_down) != 0 || width % (block_width * parts_across) != 0)
    return std::nullopt;
  const uint32_t blocks_down = height / parts_down / kBlockRows;
  const uint32_t blocks_across = width / parts_across / block_width;
  const uint32_t stacked = mapping == Mapping::Ptx && !is_b && blocks_down > 1 ? 2 : 1;
  if (blocks_down % stacked != 0) return std::nullopt;

  const Digit subgroup_m{grid->m, is_b ? 0 : matrix.rows / grid->m * matrix.columns};
  const Digit subgroup_n{grid->n, matrix.use == Use::A ? 0 : matrix.columns / grid->n};
  return Placement{
      .invocation = {{{4, piece * across}, {kBlockRows, down}, subgroup_n, subgroup_m}},
      .component = {{{piece, across},
                     {stacked, kBlockRows * down},
                     {blocks_across, block_width * across},
                     {blocks_down / stacked, stacked * kBlockRows * down}}}};
}

}  // namespace

Placement placementOf(Mapping mapping, const MappedMatrix& matrix) {
  if (mapping != Mapping::Native)
    if (std::optional<Placement> placement = fragments(mapping, matrix)) return *placement;
  return native(matrix);
}

uint32_t weigh(const Digits& digits, uint32_t number) {
  uint32_t sum = 0;
  for (const Digit& digit : digits) {
    sum += number % digit.radix * digit.weight;
    number /= digit.radix;
  }
  return sum;
}

uint32_t length(Mapping mapping, const MappedMatrix& matrix) {
  uint32_t count = 1;
  for (const Digit& digit : placementOf(mapping, matrix).component) count *= digit.radix;
  return count;
}

std::optional<uint32_t> element(Mapping mapping, const MappedMatrix& matrix, uint32_t invocation,
                                uint32_t index) {
  const Placement placement = placementOf(mapping, matrix);
  const uint32_t at = weigh(placement.invocation, invocation) + weigh(placement.component, index);
  if (index < length(mapping, matrix) && at < matrix.rows * matrix.columns) return at;
  return std::nullopt;
}

}  // namespace jit::coopmat
