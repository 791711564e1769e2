// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/module_files.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace fuzz {

std::vector<std::pair<std::string, Words>> modulesIn(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(TESSERA_FUZZ_FOLDER) / folder))
    if (file.path().extension() == ".spv") paths.push_back(file.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::pair<std::string, Words>> modules;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    Words words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
    modules.emplace_back(path.filename(), std::move(words));
  }
  return modules;
}

void writeModule(const std::string& file, const Words& words) {
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(words.data()),
             static_cast<std::streamsize>(words.size() * 4));
}

}  // namespace fuzz
