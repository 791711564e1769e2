// SPDX-License-Identifier: Apache-2.0

#include "jit/coverage_map.h"

#include <algorithm>
#include <map>
#include <utility>

#include "jit/base/containment.h"
#include "jit/spirv/coverage_flags.h"
#include "jit/spirv/module.h"

namespace jit {

namespace {

class CoverageReader {
 public:
  explicit CoverageReader(const spirv::Module& module) : module_(module) {}

  CoverageMap read() {
    for (const spirv::Block& block : module_.entry.blocks) {
      CoverageMap::Block& covered = map_.blocks.emplace_back();
      for (const spirv::Instruction& instruction : block.instructions)
        add(instruction.location, covered);
      add(block.terminator.location, covered);
      std::sort(covered.lines.begin(), covered.lines.end());
      covered.lines.erase(std::unique(covered.lines.begin(), covered.lines.end()),
                          covered.lines.end());
      const spirv::CoveredBlock& numbers = module_.coverage[map_.blocks.size() - 1];
      covered.flag = numbers.flag;
      for (const spirv::CoveredBranch& branch : numbers.branches)
        covered.branches.push_back(branch.flag);
      if (!covered.branches.empty()) covered.branch = lineOf(block.terminator.location);
    }
    return std::move(map_);
  }

 private:
  void add(const spirv::Location& location, CoverageMap::Block& block) {
    if (const std::optional<CoverageMap::Line> line = lineOf(location))
      block.lines.push_back(*line);
  }

  std::optional<CoverageMap::Line> lineOf(spirv::Location at) {
    // What the driver has written stands for the instruction that it was written for.
    while (at.call != 0 && module_.inlined_calls[at.call - 1].is_written)
      at = module_.inlined_calls[at.call - 1].at;
    auto file = module_.strings.find(at.file);
    if (at.line == 0 || file == module_.strings.end()) return std::nullopt;
    auto [known, is_new] =
        numbers_.try_emplace(file->second, static_cast<uint32_t>(map_.files.size()));
    if (is_new) map_.files.push_back(file->second);
    return CoverageMap::Line{known->second, at.line};
  }

  const spirv::Module& module_;
  std::map<std::string, uint32_t> numbers_;
  CoverageMap map_;
};

}  // namespace

std::optional<CoverageMap> coverageOf(const KernelRequest& request) {
  std::optional<CoverageMap> map;
  llvm::Error error = runContained([&]() -> llvm::Error {
    auto module = spirv::readModule(request);
    if (!module) return module.takeError();
    const uint32_t flags = spirv::numberCoverage(**module);
    map = CoverageReader(**module).read();
    map->flags = flags;
    return llvm::Error::success();
  });
  if (error) llvm::consumeError(std::move(error));
  return map;
}

}  // namespace jit
