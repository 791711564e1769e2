// SPDX-License-Identifier: Apache-2.0

// Accelerations of bodies that attract each other, tiles of them in shared memory, beside the peak
// of FMA.
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

constexpr uint32_t kBodiesForEachCore = 2048;
constexpr float kSoftening = 0.01f;
// 3 subtractions, 3 multiply-adds for the distance, the root, 3 products, 3 multiply-adds: the
// root counts as one, as is usual for this program.
constexpr double kOperationsPerPair = 3 + 6 + 1 + 3 + 6;

class Nbody : public Workload {
 public:
  explicit Nbody(const host::Device& device)
      : bodies_(kBodiesForEachCore * static_cast<uint32_t>(coreCount())),
        shader_(device, {"nbody",
                         kNbodySource,
                         {},
                         {16ull * bodies_, 16ull * bodies_},
                         {bodies_, std::bit_cast<uint32_t>(kSoftening)},
                         bodies_ / 256}) {
    const auto bodies = shader_.buffer<float>(0);
    uint32_t state = 1;
    for (float& x : bodies) {
      state = state * 1664525u + 1013904223u;
      x = static_cast<float>(state >> 8) * 0x1p-24f;
    }
  }

  std::string check() override {
    shader_.run();
    const auto bodies = shader_.buffer<float>(0);
    const auto accelerations = shader_.buffer<float>(1);
    for (uint32_t i = 0; i < bodies_; i += 61) {
      double sum[3] = {}, magnitude[3] = {};
      for (uint32_t k = 0; k < bodies_; ++k) {
        double d[3], square = double{kSoftening};
        for (int c = 0; c < 3; ++c) {
          d[c] = double{bodies[4 * k + c]} - double{bodies[4 * i + c]};
          square += d[c] * d[c];
        }
        const double pull = double{bodies[4 * k + 3]} / (square * std::sqrt(square));
        for (int c = 0; c < 3; ++c) {
          sum[c] += d[c] * pull;
          magnitude[c] += std::fabs(d[c] * pull);
        }
      }
      // Each pair has about 20 roundings or errors of the root, and the sum one for each
      // pair, of which some go up and some down.
      for (int c = 0; c < 3; ++c)
        if (!(std::fabs(double{accelerations[4 * i + c]} - sum[c]) <=
              magnitude[c] * (20 + std::sqrt(static_cast<double>(bodies_))) * 0x1p-24))
          return "body " + std::to_string(i);
    }
    return "";
  }

  Sample measure() override {
    const Peak peak = measurePeakOfBusyCores(PeakKind::F32, 0.03);
    const Block block = measureBlock(2 * kShortestBlock, [&] { shader_.run(); });
    const double operations = kOperationsPerPair * bodies_ * bodies_;
    return {operations * block.runs / block.cpu * 1e-9, peak.operations_per_second * 1e-9};
  }

 private:
  const uint32_t bodies_;
  ShaderRun shader_;
};

}  // namespace

std::unique_ptr<Workload> makeNbody(const host::Device& device) {
  return std::make_unique<Nbody>(device);
}

}  // namespace bench
