// SPDX-License-Identifier: Apache-2.0

// The sum of each subgroup's part of 64 MiB by subgroupAdd, beside a C++ sum on the same cores,
// which is as fast as memory.
#include <atomic>

#include "bench/compute/shader_run.h"
#include "bench/compute/workload.h"
#include "bench/parallel.h"
#include "bench/timing.h"
#include "compute_source.h"

namespace bench {
namespace {

constexpr uint32_t kElements = 16u << 20;
constexpr double kBytes = 4.0 * kElements;

// Many sums side by side: one addition after the other would be slower than memory.
__attribute__((target_clones("avx512f", "avx2", "default"))) float sum(const float* data,
                                                                       size_t first, size_t last) {
  float sums[64] = {};
  for (size_t i = first; i + 64 <= last; i += 64)
    for (size_t k = 0; k < 64; ++k) sums[k] += data[i + k];
  float all = 0;
  for (float part : sums) all += part;
  return all;
}

class Reduction : public Workload {
 public:
  explicit Reduction(const host::Device& device)
      : subgroup_size_(device.physical().subgroup.subgroupSize),
        shader_(device, {"reduction",
                         kReductionSource,
                         {},
                         {4ull * kElements, 4ull * kElements / subgroup_size_},
                         {},
                         kElements / 256}),
        data_(kElements) {
    for (uint32_t i = 0; i < kElements; ++i) data_[i] = static_cast<float>(i * 2654435761u >> 20);
    std::copy(data_.begin(), data_.end(), shader_.buffer<float>(0).begin());
  }

  std::string check() override {
    shader_.run();
    for (uint32_t s = 0; s < kElements / subgroup_size_; ++s) {
      float exact = 0;  // of whole numbers below 2^24
      for (uint32_t k = 0; k < subgroup_size_; ++k) exact += data_[s * subgroup_size_ + k];
      if (shader_.buffer<float>(1)[s] != exact) return "subgroup " + std::to_string(s);
    }
    return "";
  }

  Sample measure() override {
    const Block ours = measureBlock(kShortestBlock, [&] { shader_.run(); });
    const Block peer = measureBlock(kShortestBlock, [&] {
      onAllCores(kElements,
                 [&](size_t first, size_t last) { total_ = sum(data_.data(), first, last); });
    });
    return {kBytes * ours.runs / ours.wall * 1e-9, kBytes * peer.runs / peer.wall * 1e-9};
  }

 private:
  uint32_t subgroup_size_;
  ShaderRun shader_;
  std::vector<float> data_;
  std::atomic<float> total_;  // so that nothing is left out
};

}  // namespace

std::unique_ptr<Workload> makeReduction(const host::Device& device) {
  return std::make_unique<Reduction>(device);
}

}  // namespace bench
