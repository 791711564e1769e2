// SPDX-License-Identifier: Apache-2.0

// The time of one barrier of a workgroup of 256 invocations, with a store and a load of shared
// memory around it.
#include "bench/compute/shader_run.h"
#include "bench/compute/workload.h"
#include "bench/timing.h"
#include "compute_source.h"

namespace bench {
namespace {

constexpr uint32_t kWorkgroups = 64;
constexpr uint32_t kRounds = 10000;

class Barriers : public Workload {
 public:
  explicit Barriers(const host::Device& device)
      : shader_(device,
                {"barrier", kBarrierSource, {}, {4 * 256 * kWorkgroups}, {kRounds}, kWorkgroups}) {}

  std::string check() override {
    const auto data = shader_.buffer<uint32_t>(0);
    for (uint32_t i = 0; i < data.size(); ++i) data[i] = i * 7;
    shader_.run();
    // What began as 0 at the end has had one more round added at each step to here.
    for (uint32_t i = 0; i < data.size(); ++i) {
      const uint32_t steps = 256 - i % 256;
      if (data[i] != steps * kRounds - steps * (steps + 1) / 2)
        return "element " + std::to_string(i);
    }
    return "";
  }

  Sample measure() override {
    const Block block = measureBlock(2 * kShortestBlock, [&] { shader_.run(); });
    return {block.cpu / block.runs / kRounds / kWorkgroups * 1e9, 0};
  }

 private:
  ShaderRun shader_;
};

}  // namespace

std::unique_ptr<Workload> makeBarriers(const host::Device& device) {
  return std::make_unique<Barriers>(device);
}

}  // namespace bench
