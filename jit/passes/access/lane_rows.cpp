// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/lane_rows.h"

#include "jit/simt/lane_windows.h"

namespace jit::simt {

std::optional<LaneRows> laneRowsOf(const LaneAddresses& addresses, unsigned lanes) {
  if (addresses.lanes == nullptr || addresses.index != nullptr) return std::nullopt;
  // Constants of the shader's: modulo 2^64.
  auto past = [&](unsigned lane, unsigned from) {
    return static_cast<int64_t>(addresses.lanes->getElementAsInteger(lane) -
                                addresses.lanes->getElementAsInteger(from));
  };
  LaneRows rows{1, past(1, 0), {}};
  if (rows.step <= 0 || rows.step > kMostOffset) return std::nullopt;
  auto isRow = [&](unsigned length) {
    for (unsigned lane = 0; lane < lanes; ++lane)
      if (past(lane, lane & ~(length - 1)) != rows.step * (lane & (length - 1))) return false;
    return true;
  };
  while (rows.lanes < lanes && isRow(2 * rows.lanes)) rows.lanes *= 2;
  if (rows.lanes == 1 || rows.lanes == lanes) return std::nullopt;
  for (unsigned lane = 0; lane < lanes; lane += rows.lanes) {
    const int64_t start = past(lane, 0);
    if (start > kMostOffset || start < -kMostOffset) return std::nullopt;
    rows.starts.push_back(start);
  }
  return rows;
}

}  // namespace jit::simt
