// SPDX-License-Identifier: Apache-2.0

// What is measured beside each other: the spellings of a kernel, and the same algorithm in C++,
// ISPC and OpenCL. Each is checked when it is made.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "bench/suite/kernel.h"
#include "bench/worker_process.h"
#include "tests/support/vulkan_host.h"

namespace bench {

class Contestant {
 public:
  virtual ~Contestant() = default;
  // Processor seconds of one run.
  virtual double measure() = 0;
};

// Why a contestant is not there, although it has a source.
class Absent : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// All in this process work on the same buffers: how these lie in memory is the same for all.
//
// Makers return null where there is no source in their language, and throw Absent where what they
// need is not installed, and std::runtime_error where the result is wrong.
std::unique_ptr<Contestant> makeCpp(const SuiteKernel& kernel, const BufferSet& buffers);

// The compiler of ISPC makes a shared library of each kernel, in a folder that lives as long.
class IspcCompiler {
 public:
  IspcCompiler();
  ~IspcCompiler();
  IspcCompiler(const IspcCompiler&) = delete;
  IspcCompiler& operator=(const IspcCompiler&) = delete;
  std::unique_ptr<Contestant> make(const SuiteKernel& kernel, const BufferSet& buffers) const;

 private:
  std::filesystem::path folder_;
};

// OpenCL lives in a process of its own, with the libraries that it was built with.
class OpenClProcess {
 public:
  OpenClProcess();
  std::unique_ptr<Contestant> make(const SuiteKernel& kernel);

 private:
  std::unique_ptr<WorkerProcess> process_;
};
// That process's side.
int serveOpenCl();

struct SpellingResult {
  std::unique_ptr<Contestant> contestant;  // null if it was not run, or not right
  std::string missing, wrong;
  double compile_seconds = 0;
};
SpellingResult makeSpelling(const host::Device& device, const SuiteKernel& kernel,
                            const BufferSet& buffers, const kernels::Kernel& spelling);

}  // namespace bench
