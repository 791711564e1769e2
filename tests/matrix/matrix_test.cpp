// SPDX-License-Identifier: Apache-2.0

// Random compute shaders with cooperative matrices: every result must be what a model of scalars
// has, which knows nothing of the driver.
//
// TESSERA_TEST_MATRIX_PROGRAMS: how many programs instead of kPrograms, and
// TESSERA_TEST_OVERLAP_PROGRAMS: of those about memory. TESSERA_TEST_SEED: the first one's seed.
// TESSERA_TEST_ANY_ALIGNMENT=1: lines of matrices that are less aligned than Vulkan asks for.
// TESSERA_NUMERICS=exact: the device's numbers have no leeway. README.md says more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "runtime/cpu_features.h"
#include "tests/matrix/generator.h"
#include "tests/matrix/overlap_builder.h"
#include "tests/matrix/overlap_runner.h"
#include "tests/matrix/runner.h"
#include "tests/support/environment.h"
#include "tools/job_pool.h"

namespace matrices {
namespace {

constexpr uint64_t kPrograms = 500;
constexpr uint64_t kOverlapPrograms = 300;
constexpr uint64_t kFirstSeed = 1;
constexpr double kTimeLimit = 60;  // seconds of processor time for a program
constexpr uint32_t kProcesses = 2;
constexpr size_t kSlowest = 8;
constexpr const char* kNoRows = "the device has no cooperative matrices";

struct TestedDevice {
  host::Instance instance;
  std::unique_ptr<host::Device> device, robust_device;
  Facts facts;
  Promise promise = Promise::Usual;

  TestedDevice() {
    device = host::Device::withAllFeatures(instance, instance.choose(), false);
    facts = factsOf(*device, test::numberFromEnvironment("TESSERA_TEST_ANY_ALIGNMENT", 0) != 0);
    auto robust = host::Device::withAllFeatures(instance, instance.choose(), true);
    facts.robust = robust->features().find("robustBufferAccess2").value_or(false) &&
                   robust->features().find("cooperativeMatrixRobustBufferAccess").value_or(false);
    if (facts.robust) robust_device = std::move(robust);
    const char* numerics = std::getenv("TESSERA_NUMERICS");
    // Other drivers have promised no more than the specification asks for.
    if (device->physical().driver.find("Tessera") == std::string::npos) {
      promise = Promise::Vulkan;
    } else if (numerics != nullptr && std::string(numerics) == "exact") {
      promise = Promise::Exact;
    }
  }

  // "ok", the number of components and how many of them were settled; or what was wrong.
  std::string run(uint64_t seed) const {
    const Program program = generate(facts, seed);
    const Verdict verdict =
        runProgram(program.robust ? *robust_device : *device, program,
                   program.float_controls ? std::max(promise, Promise::FloatControls) : promise);
    if (!verdict.failure.empty()) return verdict.failure;
    return "ok " + std::to_string(verdict.components) + " " + std::to_string(verdict.settled);
  }

  // The same of a program about memory, whose components all have one value.
  std::string runOverlaps(uint64_t seed) const {
    const overlaps::Program program = overlaps::generate(facts, seed);
    std::string failure = overlaps::failureOf(program.robust ? *robust_device : *device, program);
    if (!failure.empty()) return failure;
    const std::string bytes = std::to_string(program.part() * program.workgroups);
    return "ok " + bytes + " " + bytes;
  }
};

class RandomPrograms {
 public:
  using Runner = std::string (TestedDevice::*)(uint64_t seed) const;

  // `variable` says how many, if it is not `count`.
  RandomPrograms(Runner runner, const char* variable, uint64_t count)
      : runner_(runner),
        variable_(variable),
        first_(test::numberFromEnvironment("TESSERA_TEST_SEED", kFirstSeed)),
        count_(test::numberFromEnvironment(variable, count)) {}

  void run() {
    const char* isa = std::getenv("TESSERA_ISA");
    const std::optional<rt::Isa> wanted = rt::parseIsa(isa ? isa : "");
    if (wanted && *wanted > rt::hostIsa()) GTEST_SKIP() << "this machine has no " << isa;
    std::cout << "seeds " << first_ << " to " << first_ + count_ - 1 << "\n";
    if (count_ == 1) {
      // Here, where a debugger sees it.
      take({0, End::Returned, start()(0), 0});
    } else {
      tools::JobPool{kProcesses, kTimeLimit}.run(
          count_, [this] { return start(); },
          [this](const tools::JobResult& result) { take(result); });
    }
    if (skipped_) GTEST_SKIP() << kNoRows;
    std::cout << components_ << " components, " << settled_ << " with one value only\n";
    std::cout << "slowest:";
    for (const auto& [seconds, seed] : slowest_)
      std::cout << " " << seed << " (" << std::lround(seconds * 1000) << " ms)";
    std::cout << "\n";
  }

 private:
  using End = tools::JobResult::End;

  tools::JobPool::Job start() const {
    try {
      auto tested = std::make_shared<TestedDevice>();
      if (tested->facts.rows.empty()) return [](uint64_t) { return std::string(kNoRows); };
      return [tested, runner = runner_, first = first_](uint64_t job) {
        return ((*tested).*runner)(first + job);
      };
    } catch (const std::exception& error) {
      return [what = std::string(error.what())](uint64_t) { return what; };
    }
  }

  void take(const tools::JobResult& result) {
    slowest_.emplace(result.seconds, first_ + result.job);
    if (slowest_.size() > kSlowest) slowest_.erase(std::prev(slowest_.end()));
    const std::string how = std::string(variable_) +
                            "=1 TESSERA_TEST_SEED=" + std::to_string(first_ + result.job) + ": ";
    if (result.end == End::Crashed) ADD_FAILURE() << how << "crashed: " << result.text;
    if (result.end == End::Hung) ADD_FAILURE() << how << "did not end";
    if (result.end != End::Returned) return;
    std::istringstream words(result.text);
    std::string verdict;
    uint64_t components = 0, settled = 0;
    if (words >> verdict >> components >> settled && verdict == "ok") {
      components_ += components;
      settled_ += settled;
    } else if (result.text == kNoRows) {
      skipped_ = true;
    } else {
      ADD_FAILURE() << how << result.text;
    }
  }

  const Runner runner_;
  const char* const variable_;
  uint64_t first_, count_;
  uint64_t components_ = 0, settled_ = 0;
  std::multimap<double, uint64_t, std::greater<>> slowest_;  // seconds, seeds
  bool skipped_ = false;
};

TEST(Matrix, RandomPrograms) {
  RandomPrograms(&TestedDevice::run, "TESSERA_TEST_MATRIX_PROGRAMS", kPrograms).run();
}

TEST(Matrix, RandomOverlaps) {
  RandomPrograms(&TestedDevice::runOverlaps, "TESSERA_TEST_OVERLAP_PROGRAMS", kOverlapPrograms)
      .run();
}

}  // namespace
}  // namespace matrices
