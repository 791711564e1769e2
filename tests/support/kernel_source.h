// SPDX-License-Identifier: Apache-2.0

// The text of a kernel file before its directives mean anything: reading, variants, and the
// directive lines with their line numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kernels {

// Directives: of a file that has no shader, which a directive names.
enum class Language : uint8_t { Glsl, SpirvText, Spirv, Directives };

// One logical directive line: marker removed, continuation lines joined.
struct Directive {
  std::string text;
  uint32_t line = 0;
};

// One variant of a file: its "each" parameters replaced in the whole text.
struct KernelSource {
  std::filesystem::path path;
  std::string variant;  // values that tell it from the others, joined by '_'; empty: the only one
  Language language = Language::Glsl;
  std::map<std::string, std::string> parameters;
  std::string text;
  std::vector<Directive> directives;  // without the "each" lines

  // "scalar/add.comp" or "scalar/add.comp:row_f16", relative to `root`.
  std::string name(const std::filesystem::path& root) const;
};

// All variants, in the order of the file. `more`: directives that come behind the file's own, as
// from line 0. Throws FormatError, and std::runtime_error when the file cannot be read or its name
// ends in neither .comp, .spvasm, .spv (a module, which has no directives of its own) nor .kernel.
std::vector<KernelSource> readKernelSources(const std::filesystem::path& path,
                                            const std::vector<std::string>& more = {});

// Every kernel file below the folder, sorted by path.
std::vector<std::filesystem::path> findKernelFiles(const std::filesystem::path& folder);

}  // namespace kernels
