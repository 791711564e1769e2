// SPDX-License-Identifier: Apache-2.0

// The module of a kernel file.
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include "tests/support/array_file.h"
#include "tests/support/kernel_runner.h"
#include "tests/support/shader_compiler.h"

namespace kernels {
namespace {

std::vector<uint32_t> wordsOf(const std::filesystem::path& path) {
  const std::vector<std::byte> bytes = readArray(path, ElementType::U32);
  std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

std::string textOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw host::ShaderError(path.string() + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<uint32_t> compileGlsl(const Kernel& kernel, const std::filesystem::path& path,
                                  const std::string& text) {
  host::GlslOptions options;
  options.defines = kernel.compile.defines;
  for (const auto& [key, value] : kernel.source.parameters)
    options.defines.emplace_back(key, value);
  options.debug_info = kernel.compile.debug_info;
  options.debug_lines = kernel.compile.debug_lines;
  options.include_folder = path.parent_path();
  std::string name = path.filename().string();
  auto compile = [&] { return host::compileGlsl(text, name, options); };
  if (options.debug_info || options.debug_lines || !isDebugged()) return compile();
  name = std::filesystem::absolute(path).string();  // where debuggers find it
  options.debug_info = true;
  std::vector<uint32_t> spirv = compile();
  // glslang writes ids of 0 for some types (those of tensors), and columns that are not there where
  // macros stand for members.
  if (host::validateSpirv(spirv).empty()) return spirv;
  options.debug_info = false;
  options.debug_lines = true;
  return compile();
}

std::vector<uint32_t> moduleOf(const Kernel& kernel) {
  const KernelSource& source = kernel.source;
  switch (source.language) {
    case Language::Glsl:
      return compileGlsl(kernel, source.path, source.text);
    case Language::SpirvText:
      return host::assembleSpirv(source.text, source.path.filename().string());
    case Language::Spirv:
      return wordsOf(source.path);
    case Language::Directives:
      break;
  }
  const std::filesystem::path& path = kernel.module;
  if (path.extension() == ".comp") return compileGlsl(kernel, path, textOf(path));
  if (path.extension() == ".spvasm")
    return host::assembleSpirv(textOf(path), path.filename().string());
  return wordsOf(path);
}

}  // namespace

bool isDebugged() {
  const char* debug = std::getenv("TESSERA_DEBUG");
  return debug != nullptr && debug == std::string_view("1");
}

std::vector<uint32_t> compileKernel(const Kernel& kernel) {
  const std::string file = kernel.source.path.filename().string();
  std::vector<uint32_t> spirv = moduleOf(kernel);
  if (kernel.compile.optimize) spirv = host::optimizeSpirv(spirv);
  for (const auto& [index, word] : kernel.compile.patched_words) {
    if (index >= spirv.size()) throw host::ShaderError(file + ": patch behind the module's end");
    spirv[index] = word;
  }
  if (kernel.compile.truncated_words && *kernel.compile.truncated_words < spirv.size()) {
    spirv.resize(*kernel.compile.truncated_words);
  }
  if (!kernel.refusal && kernel.compile.validate) {
    const std::string invalid = host::validateSpirv(spirv);
    if (!invalid.empty()) throw host::ShaderError(file + ": " + invalid);
  }
  return spirv;
}

}  // namespace kernels
