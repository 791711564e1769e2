// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/lane_windows.h"

#include <llvm/ADT/STLExtras.h>

namespace jit::simt {
namespace {

// Of a vector, so many are as good as a gather.
constexpr size_t kLanesForWindow = 4;

}  // namespace

std::optional<std::vector<LaneWindow>> laneWindows(llvm::ArrayRef<int64_t> offsets, int64_t bytes,
                                                   int64_t granule, int64_t register_bytes) {
  std::vector<int64_t> sorted(offsets.begin(), offsets.end());
  llvm::sort(sorted);
  if (sorted.front() < -kMostOffset || sorted.back() > kMostOffset) return std::nullopt;
  std::vector<LaneWindow> windows;
  for (int64_t offset : sorted) {
    const bool fits = !windows.empty() && offset + bytes - windows.back().first <= register_bytes;
    if (!fits) windows.push_back({offset, offset + bytes});
    if ((offset - windows.back().first) % granule != 0) return std::nullopt;
    windows.back().end = offset + bytes;
  }
  if (windows.size() * kLanesForWindow > offsets.size()) return std::nullopt;
  return windows;
}

}  // namespace jit::simt
