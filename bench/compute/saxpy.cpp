// SPDX-License-Identifier: Apache-2.0

// y = a x + y over 64 MiB, beside a C++ loop on the same cores.
#include <bit>
#include <cmath>

#include "bench/compute/shader_run.h"
#include "bench/compute/workload.h"
#include "bench/parallel.h"
#include "bench/timing.h"
#include "compute_source.h"

namespace bench {
namespace {

constexpr uint32_t kElements = 8u << 20;  // two vectors of 32 MiB
constexpr float kFactor = 1.0f / 1024;
constexpr double kBytes = 3.0 * 4 * kElements;  // x and y read, y written

__attribute__((target_clones("avx512f", "avx2", "default"))) void saxpy(float a, const float* x,
                                                                        float* y, size_t first,
                                                                        size_t last) {
  for (size_t i = first; i < last; ++i) y[i] = a * x[i] + y[i];
}

class Saxpy : public Workload {
 public:
  explicit Saxpy(const host::Device& device)
      : shader_(device, {"saxpy",
                         kSaxpySource,
                         {},
                         {4ull * kElements, 4ull * kElements},
                         {std::bit_cast<uint32_t>(kFactor), kElements},
                         kElements / 256}),
        x_(kElements),
        y_(kElements) {
    for (uint32_t i = 0; i < kElements; ++i) {
      x_[i] = static_cast<float>(i * 2654435761u >> 16);
      y_[i] = static_cast<float>(i % 1000);
    }
    std::copy(x_.begin(), x_.end(), shader_.buffer<float>(0).begin());
    std::copy(y_.begin(), y_.end(), shader_.buffer<float>(1).begin());
  }

  std::string check() override {
    shader_.run();
    for (uint32_t i = 0; i < kElements; ++i) {
      const double exact = double{kFactor} * double{x_[i]} + double{y_[i]};
      // Two roundings.
      if (!(std::fabs(double{shader_.buffer<float>(1)[i]} - exact) <= std::ldexp(exact, -23)))
        return "element " + std::to_string(i);
    }
    return "";
  }

  Sample measure() override {
    const Block ours = measureBlock(kShortestBlock, [&] { shader_.run(); });
    const Block peer = measureBlock(kShortestBlock, [&] {
      onAllCores(kElements, [&](size_t first, size_t last) {
        saxpy(kFactor, x_.data(), y_.data(), first, last);
      });
    });
    return {kBytes * ours.runs / ours.wall * 1e-9, kBytes * peer.runs / peer.wall * 1e-9};
  }

 private:
  ShaderRun shader_;
  std::vector<float> x_, y_;
};

}  // namespace

std::unique_ptr<Workload> makeSaxpy(const host::Device& device) {
  return std::make_unique<Saxpy>(device);
}

}  // namespace bench
