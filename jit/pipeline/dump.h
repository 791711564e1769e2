// SPDX-License-Identifier: Apache-2.0

// The stages of each compilation, for people: as files (TESSERA_DUMP), and as what
// VK_KHR_pipeline_executable_properties shows.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "jit/base/kernel_request.h"

namespace llvm {
class Module;
}

namespace jit {

// The files of one request: <directory>/<number>-<kernel>.<step>-<stage>.<extension>, numbers
// and steps ascending. Without a directory no file is written. Texts are collected too, where
// somebody wants them. A file that cannot be written is a warning and the last one of the request,
// never a failure of the compilation. `after`: passes after which the IR is wanted too, or "all";
// it outlives the dump.
class Dump {
 public:
  using Warn = std::function<void(std::string_view)>;

  Dump(const std::string& directory, std::string_view kernel, const Warn& warn,
       std::vector<Representation>* collected = nullptr, std::span<const std::string> after = {});

  // Whether the IR after the pass belongs to the dump.
  bool wantsAfter(std::string_view pass) const;
  bool enabled() const { return !prefix_.empty() || collected_ != nullptr; }
  void spirv(std::span<const uint32_t> words);  // as binary and as text
  void text(std::string_view stage, std::string_view extension, std::string_view content);
  void ir(std::string_view stage, const llvm::Module& module);

 private:
  void file(std::string_view stage, std::string_view extension, std::string_view content);
  void fail(const std::string& path, std::error_code error);

  std::string prefix_;  // empty: no file is written
  std::vector<Representation>* collected_;
  std::span<const std::string> after_;
  unsigned step_ = 0;
  const Warn& warn_;
};

}  // namespace jit
