// Random structured control flow, compiled for every instruction set of this machine and every
// subgroup size, against a scalar interpreter of the same SPIR-V.
//
// TESSERA_TEST_PROGRAMS: how many programs instead of kPrograms. TESSERA_TEST_SEED: the first
// one's seed; a failure prints the seed of its program.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/jit/simt/random_control_flow_run.h"

namespace jit::test {
namespace {

constexpr uint64_t kPrograms = 24;
constexpr uint64_t kFirstSeed = 1;
constexpr uint64_t kMaxFailures = 3;  // then it stops

uint64_t number(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 0);
}

TEST(RandomControlFlow, AgreesWithTheInterpreter) {
  const uint64_t first = number("TESSERA_TEST_SEED", kFirstSeed);
  const uint64_t count = number("TESSERA_TEST_PROGRAMS", kPrograms);
  const std::vector<RandomRun> runs = allRuns();
  uint64_t failures = 0;
  for (uint64_t seed = first; seed < first + count && failures < kMaxFailures; ++seed) {
    const std::string wrong = checkRandomProgram(seed, runs);
    if (wrong.empty()) continue;
    ++failures;
    ADD_FAILURE() << "TESSERA_TEST_SEED=" << seed << " TESSERA_TEST_PROGRAMS=1: " << wrong
                  << "\nreduced to\n"
                  << describeRandomProgram(seed, reduceRandomProgram(seed, runs));
  }
}

}  // namespace
}  // namespace jit::test
