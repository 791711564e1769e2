// SPDX-License-Identifier: Apache-2.0

// GLSL and SPIR-V text to SPIR-V words, in process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace host {

// what() holds the compiler's messages.
class ShaderError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct GlslOptions {
  std::vector<std::pair<std::string, std::string>> defines;
  bool optimize = false;     // SPIRV-Tools' performance passes
  bool debug_info = false;   // NonSemantic.Shader.DebugInfo with the source
  bool debug_lines = false;  // OpLine and the source; not with debug_info
  // Where files lie that it includes (GL_GOOGLE_include_directive); nowhere unless said.
  std::optional<std::filesystem::path> include_folder;
};

// A compute shader for Vulkan 1.3 (SPIR-V 1.6). Thread-safe. Throws ShaderError.
std::vector<uint32_t> compileGlsl(const std::string& source, const std::string& file_name,
                                  const GlslOptions& options);

// Assembles without validating: tests need broken modules too. Throws ShaderError.
std::vector<uint32_t> assembleSpirv(const std::string& source, const std::string& file_name);

// Empty when the module is valid in Vulkan 1.3's environment, else the validator's message.
std::string validateSpirv(std::span<const uint32_t> spirv);

// As spirv-opt -O.
std::vector<uint32_t> optimizeSpirv(std::span<const uint32_t> spirv);

}  // namespace host
