// SPDX-License-Identifier: Apache-2.0

// What a dispatch costs besides its work: among a thousand in one command buffer, each of which
// needs the one before, and alone from its submission to the end of the wait; and what a submission
// without any costs.
#include <algorithm>

#include "bench/compute/shader_run.h"
#include "bench/compute/workload.h"
#include "bench/timing.h"
#include "compute_source.h"

namespace bench {
namespace {

class TinyDispatches : public Workload {
 public:
  TinyDispatches(const host::Device& device, uint32_t dispatches)
      : dispatches_(dispatches),
        shader_(device, {.name = "tiny",
                         .glsl = kTinySource,
                         .defines = {},
                         .buffers = {4 * 32},
                         .push_constants = {},
                         .workgroups = 1,
                         .dispatches = dispatches}) {}

  std::string check() override {
    const auto count = shader_.buffer<uint32_t>(0);
    std::ranges::fill(count, 7);
    shader_.run();
    uint32_t expected = 7;
    for (uint32_t i = 0; i < dispatches_; ++i) expected = expected * 3 + 1;
    for (uint32_t i = 0; i < count.size(); ++i)
      if (count[i] != expected) return "element " + std::to_string(i);
    return "";
  }

  Sample measure() override {
    const Block block = measureBlock(2 * kShortestBlock, [&] { shader_.run(); });
    return {block.wall / block.runs / std::max(1u, dispatches_) * 1e6, 0};
  }

 private:
  const uint32_t dispatches_;
  ShaderRun shader_;
};

}  // namespace

std::unique_ptr<Workload> makeDependentDispatches(const host::Device& device) {
  return std::make_unique<TinyDispatches>(device, 1000);
}

std::unique_ptr<Workload> makeEmptySubmit(const host::Device& device) {
  return std::make_unique<TinyDispatches>(device, 0);
}

std::unique_ptr<Workload> makeLoneDispatch(const host::Device& device) {
  return std::make_unique<TinyDispatches>(device, 1);
}

}  // namespace bench
