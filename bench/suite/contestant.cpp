// SPDX-License-Identifier: Apache-2.0

#include "bench/suite/contestant.h"

#include <algorithm>

#include "bench/compute/shader_run.h"
#include "bench/timing.h"
#include "tests/support/kernel_runner.h"

namespace bench {
namespace {

class CppContestant : public Contestant {
 public:
  CppContestant(const SuiteKernel& kernel, const BufferSet& buffers)
      : kernel_(kernel), buffers_(buffers) {}

  double measure() override {
    const Block block = measureBlock(
        kShortestBlock, [&] { kernel_.row().peer(kernel_.pushed(), buffers_.pointers()); });
    return block.cpu / block.runs;
  }

 private:
  const SuiteKernel& kernel_;
  const BufferSet& buffers_;
};

// Dispatches are submitted together until they take so long: submitting is measured elsewhere.
constexpr double kSubmissionSeconds = 0.001;

class ShaderContestant : public Contestant {
 public:
  ShaderContestant(const host::Device& device, const ShaderDescription& description)
      : shader_(device, description) {}

  // Empty when it is right.
  std::string check(const SuiteKernel& kernel, const BufferSet& buffers) {
    buffers.assign(kernel.contents());
    shader_.run();
    return kernel.compare(buffers.spans());
  }
  double measure() override {
    if (dispatches_ == 0) {
      shader_.run();
      const double start = processSeconds();
      shader_.run();
      const double seconds = std::max(1e-6, processSeconds() - start);
      dispatches_ = static_cast<uint32_t>(std::clamp(kSubmissionSeconds / seconds, 1.0, 100.0));
      shader_.record(dispatches_);
    }
    const Block block = measureBlock(kShortestBlock, [&] { shader_.run(); });
    return block.cpu / block.runs / dispatches_;
  }
  double compileSeconds() const { return shader_.compileSeconds(); }

 private:
  ShaderRun shader_;
  uint32_t dispatches_ = 0;  // of a submission; 0: not measured yet
};

void compileAndCheck(const host::Device& device, const SuiteKernel& kernel,
                     const BufferSet& buffers, const kernels::Kernel& spelling,
                     SpellingResult& result) {
  const kernels::Dispatch& dispatch = spelling.dispatches.front();
  ShaderDescription description;
  description.name = spelling.source.path.filename().string();
  description.shared_buffers = buffers.buffers();
  description.push_constants = kernel.push();
  description.workgroups = dispatch.groups[0];
  description.workgroups_y = dispatch.groups[1];
  description.workgroups_z = dispatch.groups[2];
  description.subgroup_size = dispatch.subgroup_size;
  description.spirv = kernels::compileKernel(spelling);
  auto contestant = std::make_unique<ShaderContestant>(device, description);
  result.compile_seconds = contestant->compileSeconds();
  result.wrong = contestant->check(kernel, buffers);
  if (result.wrong.empty()) result.contestant = std::move(contestant);
}

}  // namespace

std::unique_ptr<Contestant> makeCpp(const SuiteKernel& kernel, const BufferSet& buffers) {
  return std::make_unique<CppContestant>(kernel, buffers);
}

SpellingResult makeSpelling(const host::Device& device, const SuiteKernel& kernel,
                            const BufferSet& buffers, const kernels::Kernel& spelling) {
  SpellingResult result;
  result.missing = findUnmetRequirement(spelling, device);
  if (!result.missing.empty()) return result;
  try {
    compileAndCheck(device, kernel, buffers, spelling, result);
  } catch (const std::exception& error) {
    result.wrong = error.what();
  }
  return result;
}

}  // namespace bench
