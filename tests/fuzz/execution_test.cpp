// SPDX-License-Identifier: Apache-2.0

// Mutated modules are executed, and so is every finding of earlier runs. Nothing may crash, hang
// past the watchdog or write outside of its memory, and what is defined comes out the same on all
// instruction sets.
//
// TESSERA_TEST_EXECUTIONS: how many modules instead of kExecutions. TESSERA_TEST_SEED: the first
// one's seed. A failing module is written to the working folder.
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "tests/fuzz/module_files.h"
#include "tests/fuzz/run_module.h"
#include "tests/fuzz/spirv_mutator.h"
#include "tests/support/environment.h"
#include "tools/job_pool.h"

namespace fuzz {
namespace {

constexpr uint64_t kExecutions = 300;
constexpr uint64_t kFirstSeed = 1;
constexpr double kTimeLimit =
    900;  // seconds for all attempts at a module, on a machine that is busy
constexpr uint32_t kProcesses = 2;

// Most mutants are no valid modules: so many are made for one that runs.
constexpr uint32_t kAttempts = 8;
constexpr uint32_t kUnknown = ~0u;  // which one it was

using Count = std::map<Verdict::End, uint64_t>;

// A job's module, at one of some attempts.
using Module = std::function<Words(uint64_t job, uint32_t attempt)>;
// What is done with a module that fails, and told what happened.
using Failed = std::function<void(uint64_t job, uint32_t attempt, const std::string& what)>;

// Runs `count` modules, each the first of `attempts` that is not refused.
Count runAll(uint64_t count, uint32_t attempts, const Module& module, const Failed& failed) {
  using End = tools::JobResult::End;
  const auto start = [&]() -> tools::JobPool::Job {
    auto runner = std::make_shared<ModuleRunner>();
    return [&, runner](uint64_t job) {
      for (uint32_t attempt = 0;; ++attempt) {
        const Verdict verdict = runner->run(module(job, attempt));
        if (verdict.end == Verdict::End::Refused && attempt + 1 < attempts) continue;
        return std::string{static_cast<char>(verdict.end), static_cast<char>(attempt)} +
               verdict.text;
      }
    };
  };
  Count ends;
  tools::JobPool{kProcesses, kTimeLimit}.run(count, start, [&](const tools::JobResult& result) {
    if (result.end == End::Crashed)
      failed(result.job, kUnknown, "the compiler crashed: " + result.text);
    if (result.end == End::Hung) failed(result.job, kUnknown, "the compiler did not end");
    if (result.end != End::Returned) return;
    const auto end = static_cast<Verdict::End>(result.text[0]);
    const auto attempt = static_cast<uint8_t>(result.text[1]);
    const std::string what = result.text.substr(2);
    ++ends[end];
    if (end == Verdict::End::Failed) failed(result.job, attempt, what);
    if (end == Verdict::End::Differs) failed(result.job, attempt, "gave " + what);
  });
  return ends;
}

void print(Count& ends) {
  std::cout << ends[Verdict::End::Ran] << " ran to their end, " << ends[Verdict::End::Stopped]
            << " until the watchdog stopped them, " << ends[Verdict::End::Refused]
            << " were refused, " << ends[Verdict::End::Skipped]
            << " use device addresses, which nobody checks, and were left out\n";
}

TEST(Executions, OfMutationsHarmNobody) {
  const auto corpus = modulesIn("corpus");
  ASSERT_FALSE(corpus.empty());
  const uint64_t first = test::numberFromEnvironment("TESSERA_TEST_SEED", kFirstSeed);
  const uint64_t count = test::numberFromEnvironment("TESSERA_TEST_EXECUTIONS", kExecutions);
  std::cout << "seeds " << first << " to " << first + count - 1 << '\n' << std::flush;
  const auto module = [&](uint64_t job, uint32_t attempt) {
    const uint64_t seed = first + job;
    return mutate(corpus[seed % corpus.size()].second, seed * kAttempts + attempt);
  };
  Count ends = runAll(
      count, kAttempts, module, [&](uint64_t job, uint32_t attempt, const std::string& what) {
        const uint64_t seed = first + job;
        const std::string file = "executed_" + std::to_string(seed);
        for (uint32_t k = 0; k < kAttempts; ++k)
          if (attempt == k || attempt == kUnknown)
            writeModule(file + "_" + std::to_string(k) + ".spv", module(job, k));
        ADD_FAILURE() << "TESSERA_TEST_SEED=" << seed << " TESSERA_TEST_EXECUTIONS=1, of "
                      << corpus[seed % corpus.size()].first << ", written to " << file
                      << "_*.spv: " << what;
      });
  print(ends);
  if (count >= kExecutions) {
    EXPECT_GT(ends[Verdict::End::Ran], count / 2);
  }
}

// Unchanged, the corpus' modules run too: otherwise nothing would be known of how mutants do.
TEST(Executions, OfTheCorpus) {
  const auto corpus = modulesIn("corpus");
  Count ends = runAll(
      corpus.size(), 1, [&](uint64_t job, uint32_t) { return corpus[job].second; },
      [&](uint64_t job, uint32_t, const std::string& what) {
        ADD_FAILURE() << corpus[job].first << ": " << what;
      });
  print(ends);
  EXPECT_GT(ends[Verdict::End::Ran], corpus.size() / 2);
}

TEST(Executions, OfFindingsStayFixed) {
  const auto findings = modulesIn("findings");
  ASSERT_FALSE(findings.empty());
  runAll(
      findings.size(), 1, [&](uint64_t job, uint32_t) { return findings[job].second; },
      [&](uint64_t job, uint32_t, const std::string& what) {
        ADD_FAILURE() << findings[job].first << ": " << what;
      });
}

}  // namespace
}  // namespace fuzz
