// SPDX-License-Identifier: Apache-2.0

// Random structured control flow, compiled for every instruction set of this machine and every
// subgroup size in turn, against a scalar interpreter of the same SPIR-V.
//
// TESSERA_TEST_PROGRAMS: how many programs instead of kPrograms. TESSERA_TEST_SEED: the first
// one's seed; a failure prints the seed of its program, which runs alone in every way.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "tests/jit/emit/random_control_flow_run.h"
#include "tests/support/environment.h"

namespace jit::test {
namespace {

constexpr uint64_t kPrograms = 1400;
constexpr uint64_t kParts = 4;  // tests, so that they run side by side
constexpr uint64_t kFirstSeed = 1;
constexpr uint64_t kMaxFailures = 3;  // then it stops

class RandomControlFlow : public testing::TestWithParam<uint64_t> {};

TEST_P(RandomControlFlow, AgreesWithTheInterpreter) {
  const uint64_t first = ::test::numberFromEnvironment("TESSERA_TEST_SEED", kFirstSeed);
  const uint64_t count = ::test::numberFromEnvironment("TESSERA_TEST_PROGRAMS", kPrograms);
  const std::vector<RandomRun> runs = allRuns();
  std::cout << "seeds " << first << " to " << first + count - 1 << ", every " << kParts << "th\n";
  uint64_t failures = 0;
  for (uint64_t k = GetParam(); k < count && failures < kMaxFailures; k += kParts) {
    const uint64_t seed = first + k;
    const auto how = count == 1 ? runs : std::vector<RandomRun>{runs[seed / kParts % runs.size()]};
    const std::string wrong = checkRandomProgram(seed, how);
    if (wrong.empty()) continue;
    ++failures;
    ADD_FAILURE() << "TESSERA_TEST_SEED=" << seed << " TESSERA_TEST_PROGRAMS=1: " << wrong
                  << "\nreduced to\n"
                  << describeRandomProgram(seed, reduceRandomProgram(seed, how));
  }
}

INSTANTIATE_TEST_SUITE_P(Part, RandomControlFlow, testing::Range<uint64_t>(0, kParts));

}  // namespace
}  // namespace jit::test
