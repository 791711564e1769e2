// SPDX-License-Identifier: Apache-2.0

// The rows of gemm_bench's table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/gemm/gemm.h"
#include "bench/tiles.h"

namespace bench {

enum class ShareOf : uint8_t { None, Peak, Unstaged, Cube, OneDnn, OneDnnWall };

// Whether it is a ratio to the library in the same run, instead of a share of the peak or a ratio
// of two shares.
constexpr bool isOfLibrary(ShareOf of) {
  return of == ShareOf::OneDnn || of == ShareOf::OneDnnWall;
}

struct GemmTarget {
  ShareOf of = ShareOf::Peak;
  double least = 0;
};

struct GemmRow {
  GemmType type;
  GemmOptions options;
  GemmSize size;
  bool avx2 = false;  // under TESSERA_ISA=avx2, held against registers of 256 bits
  // Speed per core is one thread's, not that of a run with all threads busy: on machines with
  // tiles, where processors may share a core and its tile unit.
  bool one_thread = false;
  std::vector<GemmTarget> targets;

  std::string name() const;  // "4x4 tiles f16->f32 1024x1024x1024"
  PeakKind peak() const;
  // The name of the row that this one is a share of; empty where it is one of something else.
  std::string base(ShareOf of) const;
  // "peak", "oneDNN", "oneDNN, all threads by the clock", or the base's name.
  std::string heldAgainst(ShareOf of) const;
};

// 2 threads against 1, of each row of whole products: those that are held against the best peak.
inline constexpr double kScalingTarget = 1.93;

// With the targets of such a machine.
std::vector<GemmRow> gemmRows(TileUse tiles);

}  // namespace bench
