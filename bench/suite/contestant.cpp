// SPDX-License-Identifier: Apache-2.0

#include "bench/suite/contestant.h"

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
    const Block block = measureBlock(kShortestBlock, [&] { shader_.run(); });
    return block.cpu / block.runs;
  }
  double compileSeconds() const { return shader_.compileSeconds(); }

 private:
  ShaderRun shader_;
};

}  // namespace

std::unique_ptr<Contestant> makeCpp(const SuiteKernel& kernel, const BufferSet& buffers) {
  return std::make_unique<CppContestant>(kernel, buffers);
}

SpellingResult makeSpelling(const host::Device& device, const SuiteKernel& kernel,
                            const BufferSet& buffers, const kernels::Kernel& spelling) {
  SpellingResult result;
  result.missing = findUnmetRequirement(spelling, device);
  if (!result.missing.empty()) return result;
  const kernels::Dispatch& dispatch = spelling.dispatches.front();
  ShaderDescription description;
  description.name = spelling.source.path.filename().string();
  description.spirv = kernels::compileKernel(spelling);
  description.shared_buffers = buffers.buffers();
  description.push_constants = kernel.push();
  description.workgroups = dispatch.groups[0];
  description.workgroups_y = dispatch.groups[1];
  description.workgroups_z = dispatch.groups[2];
  description.subgroup_size = dispatch.subgroup_size;
  auto contestant = std::make_unique<ShaderContestant>(device, description);
  result.compile_seconds = contestant->compileSeconds();
  result.wrong = contestant->check(kernel, buffers);
  if (result.wrong.empty()) result.contestant = std::move(contestant);
  return result;
}

}  // namespace bench
