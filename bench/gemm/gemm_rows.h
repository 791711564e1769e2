// SPDX-License-Identifier: Apache-2.0

// The rows of gemm_bench's table.
#pragma once

#include <string>
#include <vector>

#include "bench/gemm/gemm.h"

namespace bench {

enum class ShareOf : uint8_t { None, Peak, Unstaged, Cube };

struct GemmRow {
  GemmType type;
  GemmOptions options;
  GemmSize size;
  bool avx2 = false;  // under TESSERA_ISA=avx2, held against registers of 256 bits
  double target = 0;  // the least share; 0: none
  ShareOf share_of = ShareOf::None;

  std::string name() const;  // "4x4 tiles f16->f32 1024x1024x1024"
  PeakKind peak() const;
  // The name of the row that this one is a share of; empty if that is the peak.
  std::string base() const;
};

// 2 threads against 1, of each row of whole products: those that are held against the best peak.
inline constexpr double kScalingTarget = 1.93;

std::vector<GemmRow> gemmRows();

}  // namespace bench
