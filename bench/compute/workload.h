// SPDX-License-Identifier: Apache-2.0

// What compute_bench measures: a shader on a Vulkan device beside what the same cores can do.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/vulkan_host.h"

namespace bench {

// One of a row's interleaved measurements.
struct Sample {
  double ours = 0;
  double peer = 0;  // 0: there is none
};

class Workload {
 public:
  virtual ~Workload() = default;
  // Runs once and checks all results; empty when they are right.
  virtual std::string check() = 0;
  virtual Sample measure() = 0;
};

struct WorkloadRow {
  const char* name;
  const char* unit;  // of a sample's numbers
  const char* peer;  // what `ours` is held against
  // The least share of the peer; without a peer the greatest value.
  double target;
  std::unique_ptr<Workload> (*make)(const host::Device& device);
};

// All of them, in the order of the table.
const std::vector<WorkloadRow>& workloads();

std::unique_ptr<Workload> makeSaxpy(const host::Device& device);
std::unique_ptr<Workload> makeReduction(const host::Device& device);
std::unique_ptr<Workload> makeFourFmaChains(const host::Device& device);
std::unique_ptr<Workload> makeEightFmaChains(const host::Device& device);
std::unique_ptr<Workload> makeNbody(const host::Device& device);
std::unique_ptr<Workload> makeRobustSharedByOne(const host::Device& device);
std::unique_ptr<Workload> makeRobustSharedByEach(const host::Device& device);
std::unique_ptr<Workload> makeRobustLocalByOne(const host::Device& device);
std::unique_ptr<Workload> makeRobustLocalByEach(const host::Device& device);
std::unique_ptr<Workload> makeBarriers(const host::Device& device);
std::unique_ptr<Workload> makeDependentDispatches(const host::Device& device);
std::unique_ptr<Workload> makeLoneDispatch(const host::Device& device);
std::unique_ptr<Workload> makeEmptySubmit(const host::Device& device);

}  // namespace bench
