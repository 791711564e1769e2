// SPDX-License-Identifier: Apache-2.0

// Independent chains of fused multiply-adds, beside the peak of the processor's.
#include <bit>
#include <cmath>

#include "bench/compute/shader_run.h"
#include "bench/compute/workload.h"
#include "bench/parallel.h"
#include "bench/peak.h"
#include "bench/timing.h"
#include "compute_source.h"

namespace bench {
namespace {

// Enough for each core that starting and ending a dispatch does not count.
constexpr uint32_t kWorkgroupsForEachCore = 128;
constexpr uint32_t kRounds = 2048;
constexpr float kScale = 0.5f;

class FmaChains : public Workload {
 public:
  FmaChains(const host::Device& device, uint32_t chains)
      : chains_(chains),
        invocations_(256 * kWorkgroupsForEachCore * static_cast<uint32_t>(coreCount())),
        shader_(device, {"fma_chains",
                         kFmaChainsSource,
                         {{"CHAINS", std::to_string(chains)}},
                         {4ull * invocations_},
                         {std::bit_cast<uint32_t>(kScale), kRounds},
                         invocations_ / 256}) {}

  std::string check() override {
    const auto data = shader_.buffer<float>(0);
    for (uint32_t i = 0; i < invocations_; ++i) data[i] = start(i);
    shader_.run();
    // Each chain halves its distance to 2 start every round, and so arrives there; it never comes
    // near zero, where denormals would cost some processors a hundred times as much.
    for (uint32_t i = 0; i < invocations_; ++i)
      if (data[i] != -start(i)) return "element " + std::to_string(i);
    return "";
  }

  Sample measure() override {
    const Peak peak = measurePeakOfBusyCores(PeakKind::F32, 0.03);
    const Block block = measureBlock(2 * kShortestBlock, [&] { shader_.run(); });
    const double operations = 2.0 * chains_ * kRounds * invocations_;
    return {operations * block.runs / block.cpu * 1e-9, peak.operations_per_second * 1e-9};
  }

 private:
  static float start(uint32_t invocation) { return static_cast<float>(1 + invocation % 97); }

  const uint32_t chains_;
  const uint32_t invocations_;
  ShaderRun shader_;
};

}  // namespace

std::unique_ptr<Workload> makeFourFmaChains(const host::Device& device) {
  return std::make_unique<FmaChains>(device, 4);
}

std::unique_ptr<Workload> makeEightFmaChains(const host::Device& device) {
  return std::make_unique<FmaChains>(device, 8);
}

}  // namespace bench
