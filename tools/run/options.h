// SPDX-License-Identifier: Apache-2.0

// What the command line of tessera-run asks for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/kernel_file.h"

namespace run {

// What is wrong with the command line or with a file that it names, and what would be right: one
// line.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A buffer after the run, or how it differs from another one, as a file.
struct Output {
  std::string buffer;
  std::string minus;  // another buffer, or kCompared; empty: nothing
  std::optional<std::pair<uint64_t, uint64_t>> shape;  // rows, columns
  std::filesystem::path path;
};
// What the driver of --compare has in the same buffer.
inline constexpr char kCompared[] = "compared";

struct Options {
  std::vector<std::string> files;
  std::vector<std::string> directives;  // behind those of the files
  std::string device, dump, modules, spirv, variant, compared;
  kernels::Tolerance tolerance;
  std::vector<Output> outputs;
  bool list = false, matrices = false, debug = false;
  uint32_t timed_runs = 0;
  // With --debug: arguments of gdb, and of the program that runs in it.
  std::vector<std::string> debugger, debugged;
  // Of the driver: variables of the environment.
  std::vector<std::pair<std::string, std::string>> variables;
};

// Ends the process for --help. Throws UsageError.
Options parseOptions(int argc, char** argv);

}  // namespace run
