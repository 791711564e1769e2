// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/lane_windows.h"

#include <llvm/ADT/STLExtras.h>

namespace jit::simt {
namespace {

using Windows = std::vector<LaneWindow>;

// Of a vector, so many are as good as a gather.
constexpr size_t kLanesForWindow = 4;

// Where lanes that follow each other read what does, in pieces of half a register or a whole one:
// these, which are put into registers as they are. None where it is not so.
Windows pieces(llvm::ArrayRef<int64_t> offsets, int64_t bytes, int64_t register_bytes) {
  Windows result;
  for (int64_t offset : offsets) {
    if (!result.empty() && offset < result.back().end) return {};
    const bool goes_on = !result.empty() && offset == result.back().end &&
                         result.back().end - result.back().first < register_bytes;
    if (!goes_on) result.push_back({offset, offset});
    result.back().end = offset + bytes;
  }
  auto size = [](const LaneWindow& piece) { return piece.end - piece.first; };
  const int64_t each = size(result.front());
  const bool fills = each == register_bytes || 2 * each == register_bytes;
  const bool alike = llvm::all_of(result, [&](const LaneWindow& w) { return size(w) == each; });
  return fills && alike ? result : Windows();
}

// As few as there can be.
std::optional<Windows> fewest(std::vector<int64_t> offsets, int64_t bytes, int64_t granule,
                              int64_t register_bytes) {
  llvm::sort(offsets);
  Windows windows;
  for (int64_t offset : offsets) {
    const bool fits = !windows.empty() && offset + bytes - windows.back().first <= register_bytes;
    if (!fits) windows.push_back({offset, offset + bytes});
    if ((offset - windows.back().first) % granule != 0) return std::nullopt;
    windows.back().end = offset + bytes;
  }
  return windows;
}

}  // namespace

std::optional<std::vector<LaneWindow>> laneWindows(llvm::ArrayRef<int64_t> offsets, int64_t bytes,
                                                   int64_t granule, int64_t register_bytes) {
  const bool is_near = llvm::all_of(
      offsets, [](int64_t offset) { return offset >= -kMostOffset && offset <= kMostOffset; });
  if (!is_near) return std::nullopt;
  std::optional<Windows> windows = pieces(offsets, bytes, register_bytes);
  if (windows->empty()) windows = fewest(offsets.vec(), bytes, granule, register_bytes);
  if (!windows || windows->size() * kLanesForWindow > offsets.size()) return std::nullopt;
  return windows;
}

}  // namespace jit::simt
