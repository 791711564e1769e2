// SPDX-License-Identifier: Apache-2.0

// Random calls of the API: none may crash or hang the driver, and those that the specification
// allows succeed.
//
// TESSERA_TEST_API_SEQUENCES: how many sequences instead of kSequences. TESSERA_TEST_SEED: the
// first one's seed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <stdexcept>

#include "tests/fuzz/api_sequence.h"
#include "tests/support/environment.h"
#include "tools/job_pool.h"

namespace fuzz {
namespace {

constexpr uint64_t kSequences = 4000;
constexpr uint64_t kFirstSeed = 1;
constexpr double kTimeLimit = 60;  // seconds of processor time for a sequence
constexpr uint32_t kProcesses = 2;

TEST(ApiFuzz, RandomSequencesOfCalls) {
  setenv("TESSERA_LOG", "off", 0);  // most mistakes are told
  const uint64_t first = test::numberFromEnvironment("TESSERA_TEST_SEED", kFirstSeed);
  const uint64_t count = test::numberFromEnvironment("TESSERA_TEST_API_SEQUENCES", kSequences);
  std::cout << "seeds " << first << " to " << first + count - 1 << "\n";
  const auto start = [&]() -> tools::JobPool::Job {
    try {
      auto device = std::make_shared<ApiDevice>();
      return [device, first](uint64_t job) { return device->runSequence(first + job); };
    } catch (const std::runtime_error& error) {
      return [what = std::string(error.what())](uint64_t) { return what; };
    }
  };
  using End = tools::JobResult::End;
  tools::JobPool{kProcesses, kTimeLimit}.run(count, start, [&](const tools::JobResult& result) {
    const std::string how =
        "TESSERA_TEST_API_SEQUENCES=1 TESSERA_TEST_SEED=" + std::to_string(first + result.job) +
        ": ";
    if (result.end == End::Crashed) ADD_FAILURE() << how << "crashed: " << result.text;
    if (result.end == End::Hung) ADD_FAILURE() << how << "did not end";
    if (result.end == End::Returned && !result.text.empty()) ADD_FAILURE() << how << result.text;
  });
}

}  // namespace
}  // namespace fuzz
