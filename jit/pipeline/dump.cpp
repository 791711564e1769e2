// SPDX-License-Identifier: Apache-2.0

#include "jit/pipeline/dump.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>
#include <spirv-tools/libspirv.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <memory>

namespace jit {
namespace {

// A name that is safe in a file system; what is there after it stays readable.
std::string fileName(std::string_view kernel) {
  std::string name(kernel.substr(0, 80));
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '_';
  }
  return name.empty() ? "kernel" : name;
}

std::string disassemble(std::span<const uint32_t> words) {
  std::unique_ptr<spv_context_t, void (*)(spv_context)> context(
      spvContextCreate(SPV_ENV_VULKAN_1_3), spvContextDestroy);
  spv_text text = nullptr;
  spv_diagnostic diagnostic = nullptr;
  constexpr uint32_t kOptions = SPV_BINARY_TO_TEXT_OPTION_INDENT |
                                SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES |
                                SPV_BINARY_TO_TEXT_OPTION_COMMENT;
  spvBinaryToText(context.get(), words.data(), words.size(), kOptions, &text, &diagnostic);
  std::string result = text         ? std::string(text->str, text->length)
                       : diagnostic ? std::string("; ") + diagnostic->error + "\n"
                                    : "; not SPIR-V\n";
  spvTextDestroy(text);
  spvDiagnosticDestroy(diagnostic);
  return result;
}

}  // namespace

Dump::Dump(const std::string& directory, std::string_view kernel, const Warn& warn,
           std::vector<Representation>* collected, std::span<const std::string> after)
    : collected_(collected), after_(after), warn_(warn) {
  if (directory.empty()) return;
  static std::atomic<unsigned> next_number{0};
  char number[16];
  std::snprintf(number, sizeof(number), "%04u", next_number.fetch_add(1));
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, std::string(number) + "-" + fileName(kernel));
  prefix_ = path.str();
  if (std::error_code error = llvm::sys::fs::create_directories(directory)) fail(directory, error);
}

void Dump::fail(const std::string& path, std::error_code error) {
  if (warn_) warn_("TESSERA_DUMP: " + path + ": " + error.message());
  prefix_.clear();
}

bool Dump::wantsAfter(std::string_view pass) const {
  return enabled() && std::ranges::any_of(after_, [&](const std::string& name) {
           return name == pass || name == "all";
         });
}

void Dump::spirv(std::span<const uint32_t> words) {
  if (!enabled()) return;
  file("spirv", "spv", {reinterpret_cast<const char*>(words.data()), words.size_bytes()});
  text("spirv", "spvasm", disassemble(words));
}

void Dump::text(std::string_view stage, std::string_view extension, std::string_view content) {
  if (!enabled()) return;
  file(stage, extension, content);
  if (collected_)
    collected_->push_back({std::string(stage), std::string(extension), std::string(content)});
}

void Dump::file(std::string_view stage, std::string_view extension, std::string_view content) {
  if (prefix_.empty()) return;
  std::string path = prefix_ + "." + std::to_string(step_++) + "-" + std::string(stage) + "." +
                     std::string(extension);
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  if (!error) {
    stream << llvm::StringRef(content);
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  if (error) fail(path, error);
}

void Dump::ir(std::string_view stage, const llvm::Module& module) {
  if (!enabled()) return;
  std::string content;
  llvm::raw_string_ostream stream(content);
  module.print(stream, nullptr);
  text(stage, "ll", content);
}

}  // namespace jit
