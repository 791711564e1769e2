// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/collected_vector.h"

#include <vector>

namespace jit::simt {

llvm::Value* collected(llvm::IRBuilderBase& ir, llvm::ArrayRef<llvm::Value*> sources,
                       llvm::ArrayRef<ElementSource> chosen) {
  const auto width = static_cast<unsigned>(chosen.size());
  std::vector<llvm::Value*> parts;
  llvm::SmallVector<llvm::SmallVector<bool, 64>, 8> covered;
  const auto n = static_cast<int>(width);
  for (size_t s = 0; s < sources.size(); s += 2) {
    llvm::SmallVector<int, 64> mask(width, -1);
    llvm::SmallVector<bool, 64> here(width, false);
    bool any = false;
    for (unsigned t = 0; t < width; ++t) {
      const int second = chosen[t].first - static_cast<int>(s);
      if (second != 0 && second != 1) continue;
      mask[t] = second * n + chosen[t].second;
      here[t] = any = true;
    }
    if (!any) continue;
    llvm::Value* other = s + 1 < sources.size() ? sources[s + 1] : sources[s];
    parts.push_back(ir.CreateShuffleVector(sources[s], other, mask));
    covered.push_back(here);
  }
  while (parts.size() > 1) {
    std::vector<llvm::Value*> merged;
    llvm::SmallVector<llvm::SmallVector<bool, 64>, 8> both;
    for (size_t p = 0; p < parts.size(); p += 2) {
      merged.push_back(parts[p]);
      both.push_back(covered[p]);
      if (p + 1 == parts.size()) break;
      llvm::SmallVector<int, 64> mask(width, -1);
      for (unsigned t = 0; t < width; ++t) {
        if (covered[p][t]) mask[t] = static_cast<int>(t);
        if (covered[p + 1][t]) mask[t] = n + static_cast<int>(t);
        both.back()[t] |= covered[p + 1][t];
      }
      merged.back() = ir.CreateShuffleVector(parts[p], parts[p + 1], mask);
    }
    parts = std::move(merged);
    covered = std::move(both);
  }
  return parts[0];
}

}  // namespace jit::simt
