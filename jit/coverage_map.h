// SPDX-License-Identifier: Apache-2.0

// Which lines and branches of a shader's source there are to be reached, and which byte a kernel
// sets where it reaches them (TESSERA_COVERAGE). No LLVM here.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jit/base/coverage.h"
#include "jit/base/kernel_request.h"

namespace jit {

struct CoverageMap {
  struct Line {
    uint32_t file, number;  // of `files`; from 1
    auto operator<=>(const Line&) const = default;
  };
  struct Block {
    uint32_t flag = 0;               // the byte that is set when it runs
    std::vector<Line> lines;         // ascending, each once
    std::optional<Line> branch;      // where it chooses; none: it does not, or that is not known
    std::vector<uint32_t> branches;  // the bytes of its ways to go
  };
  std::vector<std::string> files;
  std::vector<Block> blocks;
  uint32_t flags = 0;  // how many bytes there are
};

// Of the module that the request names; nothing where it cannot be read. Without lines there are no
// files.
std::optional<CoverageMap> coverageOf(const KernelRequest& request);

}  // namespace jit
