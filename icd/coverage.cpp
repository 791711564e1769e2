// SPDX-License-Identifier: Apache-2.0

#include "icd/coverage.h"

#include <algorithm>
#include <cstdio>

namespace icd {

namespace {

// All of the process, written once more when it ends.
struct CoverageFiles {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<CoverageFile>> files;

  ~CoverageFiles() {
    for (const auto& [path, file] : files) file->write();
  }
};

}  // namespace

std::shared_ptr<CoverageFile> CoverageFile::open(const std::string& path) {
  static CoverageFiles all;
  std::lock_guard lock(all.mutex);
  if (auto known = all.files.find(path); known != all.files.end()) return known->second;
  auto file = std::make_shared<CoverageFile>(path);
  if (!file->write()) return nullptr;
  all.files.emplace(path, file);
  return file;
}

std::byte* CoverageFile::add(jit::CoverageMap map) {
  const uint32_t flags = map.flags;
  std::lock_guard lock(mutex_);
  Kernel& kernel = kernels_.emplace_back(std::move(map), std::make_unique<std::byte[]>(flags));
  return kernel.flags.get();
}

void CoverageFile::addTo(std::map<std::string, Source>& sources, const Kernel& kernel) const {
  // Branches of a line are numbered through its blocks, as they stand in the module.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> blocks_of_line;
  for (const jit::CoverageMap::Block& block : kernel.map.blocks) {
    const bool is_reached = kernel.flags[block.flag] != std::byte{0};
    for (const jit::CoverageMap::Line& line : block.lines) {
      int& hits = sources[kernel.map.files[line.file]].lines[line.number];
      hits = std::max(hits, is_reached ? 1 : 0);
    }
    if (!block.branch) continue;
    const auto [file, number] = *block.branch;
    const uint32_t block_number = blocks_of_line[{file, number}]++;
    std::vector<int>& taken = sources[kernel.map.files[file]].branches[{number, block_number}];
    taken.resize(std::max(taken.size(), block.branches.size()), -1);
    for (size_t k = 0; k < block.branches.size(); ++k) {
      const bool is_taken = kernel.flags[block.branches[k]] != std::byte{0};
      taken[k] = std::max(taken[k], is_reached ? (is_taken ? 1 : 0) : -1);
    }
  }
}

// As geninfo(1) describes it.
std::string CoverageFile::text() const {
  std::map<std::string, Source> sources;
  for (const Kernel& kernel : kernels_) addTo(sources, kernel);
  std::string text;
  for (const auto& [file, source] : sources) {
    text += "TN:\nSF:" + file + "\n";
    size_t branches = 0, taken_branches = 0, reached = 0;
    for (const auto& [place, taken] : source.branches) {
      for (size_t k = 0; k < taken.size(); ++k)
        text += "BRDA:" + std::to_string(place.first) + "," + std::to_string(place.second) + "," +
                std::to_string(k) + "," + (taken[k] < 0 ? "-" : std::to_string(taken[k])) + "\n";
      branches += taken.size();
      taken_branches += static_cast<size_t>(std::ranges::count(taken, 1));
    }
    text += "BRF:" + std::to_string(branches) + "\nBRH:" + std::to_string(taken_branches) + "\n";
    for (const auto& [line, hits] : source.lines) {
      text += "DA:" + std::to_string(line) + "," + std::to_string(hits) + "\n";
      reached += static_cast<size_t>(hits);
    }
    text += "LF:" + std::to_string(source.lines.size()) + "\nLH:" + std::to_string(reached) +
            "\nend_of_record\n";
  }
  return text;
}

std::byte* CoverageFile::ofUnknownKernels() {
  static std::byte bytes[jit::kMostCoverageFlags];
  return bytes;
}

bool CoverageFile::write() {
  std::lock_guard lock(mutex_);
  std::FILE* file = std::fopen(path_.c_str(), "we");
  if (file == nullptr) return false;
  const std::string all = text();
  const bool is_written = std::fwrite(all.data(), 1, all.size(), file) == all.size();
  return std::fclose(file) == 0 && is_written;
}

}  // namespace icd
