// SPDX-License-Identifier: Apache-2.0

#include "bench/gemm/gemm_rows.h"

#include <algorithm>

namespace bench {
namespace {

enum class Registers : uint8_t { Best, Of256, Moved };

GemmRow makeRow(GemmType type, GemmForm form, uint32_t stage_k, GemmSize size, Registers registers,
                double target, ShareOf share_of) {
  GemmRow row{type, {}, size, registers == Registers::Of256, false, {}};
  row.options.form = form;
  row.options.stage_k = stage_k;
  if (registers == Registers::Moved) {
    row.options.extra_stride = 48;
    row.options.reversed_bindings = true;
  }
  if (share_of != ShareOf::None) row.targets.push_back({share_of, target});
  return row;
}

struct TileTarget {
  TileUse tiles;
  GemmRow row;
};

// In place of the rows' own targets. The rows that have some come first, in the order of the table.
void useTargetsOfTiles(TileUse tiles, std::vector<GemmRow>& rows) {
  const TileTarget targets[] = {
#define TILE_TARGET(tiles, type, form, stage_k, size, least, of)                   \
  {TileUse::tiles, makeRow(GemmType::type, GemmForm::form, stage_k, GemmSize size, \
                           Registers::Best, least, ShareOf::of)},
#include "bench/gemm/gemm_tile_targets.def"
  };
  std::vector<GemmRow> others = std::move(rows);
  rows.clear();
  for (const TileTarget& target : targets) {
    if (target.tiles != tiles) continue;
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const GemmRow& row) {
      return row.name() == target.row.name();
    });
    if (found == rows.end())
      rows.push_back(target.row);
    else
      found->targets.push_back(target.row.targets[0]);
  }
  const auto with_targets = static_cast<std::ptrdiff_t>(rows.size());
  for (GemmRow& row : others) {
    row.targets.clear();
    if (std::none_of(rows.begin(), rows.begin() + with_targets,
                     [&](const GemmRow& other) { return other.name() == row.name(); }))
      rows.push_back(std::move(row));
  }
  for (GemmRow& row : rows) row.one_thread = true;
}

constexpr GemmSize kCube = {1024, 1024, 1024};

}  // namespace

std::string GemmRow::name() const {
  return options.describe() + " " + gemmTypeInfo(type).name + " " + size.describe() +
         (avx2 ? " avx2" : "");
}

PeakKind GemmRow::peak() const { return avx2 ? PeakKind::F32Of256 : gemmTypeInfo(type).peak; }

std::string GemmRow::base(ShareOf of) const {
  GemmRow base = *this;
  base.size = kCube;
  if (of == ShareOf::Unstaged) base.options = {};
  return of == ShareOf::Unstaged || of == ShareOf::Cube ? base.name() : "";
}

std::string GemmRow::heldAgainst(ShareOf of) const {
  if (of == ShareOf::OneDnn) return "oneDNN";
  if (of == ShareOf::OneDnnWall) return "oneDNN, all threads by the clock";
  const std::string row = base(of);
  return row.empty() ? "peak" : row;
}

std::vector<GemmRow> gemmRows(TileUse tiles) {
  std::vector<GemmRow> rows = {
#define GEMM_ROW(type, form, stage_k, size, registers, target, share_of)                        \
  makeRow(GemmType::type, GemmForm::form, stage_k, GemmSize size, Registers::registers, target, \
          ShareOf::share_of),
#include "bench/gemm/gemm_rows.def"
  };
  if (tiles != TileUse::None) useTargetsOfTiles(tiles, rows);
  return rows;
}

}  // namespace bench
