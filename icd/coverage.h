// SPDX-License-Identifier: Apache-2.0

// Lines and branches of shaders that kernels have reached (TESSERA_COVERAGE), as a file for lcov.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "jit/coverage_map.h"

namespace icd {

// Thread-safe. What all pipelines of the process reach, which the file has when a device is
// destroyed and when the process ends.
class CoverageFile {
 public:
  explicit CoverageFile(std::string path) : path_(std::move(path)) {}

  // The one of this path in the process; null, with errno, if it cannot be written.
  static std::shared_ptr<CoverageFile> open(const std::string& path);

  // The bytes of a kernel, which live as long as the process.
  std::byte* add(jit::CoverageMap map);

  // Bytes for kernels whose module nobody has: nobody reads them.
  static std::byte* ofUnknownKernels();

  // Whether it could be.
  bool write();

 private:
  struct Kernel {
    jit::CoverageMap map;
    std::unique_ptr<std::byte[]> flags;
  };
  // Of a source file: lines, and branches by line, block and number. 0: not reached; of a branch
  // -1: nor was its block.
  struct Source {
    std::map<uint32_t, int> lines;
    std::map<std::pair<uint32_t, uint32_t>, std::vector<int>> branches;
  };
  void addTo(std::map<std::string, Source>& sources, const Kernel& kernel) const;
  std::string text() const;

  const std::string path_;
  std::mutex mutex_;
  std::vector<Kernel> kernels_;  // under mutex_
};

}  // namespace icd
