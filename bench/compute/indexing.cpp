// SPDX-License-Identifier: Apache-2.0

// What robust access to variables costs: a shader that does little else than to index shared
// memory, or an array of its own, in a robust pipeline and beside it in one that is not.
#include "bench/compute/shader_run.h"
#include "bench/compute/workload.h"
#include "bench/parallel.h"
#include "bench/timing.h"
#include "compute_source.h"

namespace bench {
namespace {

constexpr uint32_t kSteps = 1024;
constexpr uint32_t kStride = 7;
constexpr uint32_t kInvocations = 256;
constexpr uint32_t kWorkgroupsForEachCore = 32;

enum class Indexing : uint32_t { SharedByOne, SharedByEach, LocalByOne, LocalByEach };

// What the shader leaves for an invocation.
uint32_t expected(Indexing indexing, uint32_t i) {
  const bool local = indexing >= Indexing::LocalByOne;
  const uint32_t last = local ? 63 : 1023;
  std::vector<uint32_t> table(last + 1);
  for (uint32_t k = 0; k <= last; ++k) table[k] = k * k + (local ? i : 0);
  const bool by_one = indexing == Indexing::SharedByOne || indexing == Indexing::LocalByOne;
  uint32_t x = i;
  for (uint32_t k = 0; k < kSteps; ++k) {
    x = x * 5 + table[(by_one ? k * kStride : x >> 3) & last];
    if (local) table[(by_one ? k * kStride + 7 : x >> 9) & last] = x;
  }
  return x;
}

class Robust : public Workload {
 public:
  Robust(const host::Device& device, Indexing indexing)
      : indexing_(indexing),
        checked_(device, description(indexing, true)),
        unchecked_(device, description(indexing, false)) {}

  std::string check() override {
    for (const ShaderRun* shader : {&checked_, &unchecked_}) {
      shader->run();
      const auto results = shader->buffer<uint32_t>(0);
      for (uint32_t k = 0; k < results.size(); k += 61)
        if (results[k] != expected(indexing_, k % kInvocations))
          return "invocation " + std::to_string(k);
    }
    return "";
  }

  Sample measure() override { return {speed(checked_), speed(unchecked_)}; }

 private:
  static uint32_t workgroups() {
    return kWorkgroupsForEachCore * static_cast<uint32_t>(coreCount());
  }
  static ShaderDescription description(Indexing indexing, bool robust) {
    return {.name = "indexing",
            .glsl = kIndexingSource,
            .defines = {{"INDEXING", std::to_string(static_cast<uint32_t>(indexing))}},
            .buffers = {4ull * kInvocations * workgroups()},
            .push_constants = {kSteps, kStride},
            .workgroups = workgroups(),
            .robust = robust};
  }
  double speed(const ShaderRun& shader) const {
    const Block block = measureBlock(kShortestBlock, [&] { shader.run(); });
    return 1e-9 * kSteps * kInvocations * workgroups() * block.runs / block.cpu;
  }

  const Indexing indexing_;
  const ShaderRun checked_, unchecked_;
};

}  // namespace

std::unique_ptr<Workload> makeRobustSharedByOne(const host::Device& device) {
  return std::make_unique<Robust>(device, Indexing::SharedByOne);
}
std::unique_ptr<Workload> makeRobustSharedByEach(const host::Device& device) {
  return std::make_unique<Robust>(device, Indexing::SharedByEach);
}
std::unique_ptr<Workload> makeRobustLocalByOne(const host::Device& device) {
  return std::make_unique<Robust>(device, Indexing::LocalByOne);
}
std::unique_ptr<Workload> makeRobustLocalByEach(const host::Device& device) {
  return std::make_unique<Robust>(device, Indexing::LocalByEach);
}

}  // namespace bench
