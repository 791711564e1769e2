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

constexpr uint64_t kExecutions = 600;
constexpr uint64_t kFirstSeed = 1;
constexpr double kTimeLimit = 120;  // seconds for a module, on a machine that is busy
constexpr uint32_t kProcesses = 2;

// Robust access is about buffers; an index past the end of a variable, of an array of descriptors
// or of the push constants goes where it leads.
constexpr bool kArraysAreChecked = false;

using Count = std::map<Verdict::End, uint64_t>;

// Runs `count` modules; those that fail are told to `failed` with what happened.
Count runAll(uint64_t count, const std::function<Words(uint64_t)>& module,
             const std::function<void(uint64_t, const std::string&)>& failed) {
  using End = tools::JobResult::End;
  const auto start = [&]() -> tools::JobPool::Job {
    auto runner = std::make_shared<ModuleRunner>();
    return [&, runner](uint64_t job) {
      const Verdict verdict = runner->run(module(job));
      return static_cast<char>(verdict.end) + verdict.text;
    };
  };
  Count ends;
  tools::JobPool{kProcesses, kTimeLimit}.run(count, start, [&](const tools::JobResult& result) {
    if (result.end == End::Crashed) failed(result.job, "the compiler crashed: " + result.text);
    if (result.end == End::Hung) failed(result.job, "the compiler did not end");
    if (result.end != End::Returned) return;
    const auto end = static_cast<Verdict::End>(result.text[0]);
    ++ends[end];
    if (end == Verdict::End::LeftArray && kArraysAreChecked)
      failed(result.job, result.text.substr(1));
    if (end == Verdict::End::Failed) failed(result.job, result.text.substr(1));
    if (end == Verdict::End::Differs) failed(result.job, "gave " + result.text.substr(1));
  });
  return ends;
}

void print(Count& ends) {
  std::cout << ends[Verdict::End::Ran] << " ran to their end, " << ends[Verdict::End::Stopped]
            << " until the watchdog stopped them, " << ends[Verdict::End::Refused]
            << " were refused, " << ends[Verdict::End::LeftArray]
            << " left an array that is no buffer, " << ends[Verdict::End::Skipped]
            << " use device addresses, which nobody checks, and were left out\n";
}

TEST(Executions, OfMutationsHarmNobody) {
  const auto corpus = modulesIn("corpus");
  ASSERT_FALSE(corpus.empty());
  const uint64_t first = test::numberFromEnvironment("TESSERA_TEST_SEED", kFirstSeed);
  const uint64_t count = test::numberFromEnvironment("TESSERA_TEST_EXECUTIONS", kExecutions);
  std::cout << "seeds " << first << " to " << first + count - 1 << std::endl;
  const auto module = [&](uint64_t job) {
    const uint64_t seed = first + job;
    return mutate(corpus[seed % corpus.size()].second, seed);
  };
  Count ends = runAll(count, module, [&](uint64_t job, const std::string& what) {
    const uint64_t seed = first + job;
    const std::string file = "executed_" + std::to_string(seed) + ".spv";
    writeModule(file, module(job));
    ADD_FAILURE() << "TESSERA_TEST_SEED=" << seed << " TESSERA_TEST_EXECUTIONS=1, of "
                  << corpus[seed % corpus.size()].first << ", written to " << file << ": " << what;
  });
  print(ends);
  if (count >= kExecutions) {
    EXPECT_GT(ends[Verdict::End::Ran], count / 4);
  }
}

// Unchanged, the corpus' modules run too: otherwise nothing would be known of how mutants do.
TEST(Executions, OfTheCorpus) {
  const auto corpus = modulesIn("corpus");
  Count ends = runAll(
      corpus.size(), [&](uint64_t job) { return corpus[job].second; },
      [&](uint64_t job, const std::string& what) {
        ADD_FAILURE() << corpus[job].first << ": " << what;
      });
  print(ends);
  EXPECT_GT(ends[Verdict::End::Ran], corpus.size() / 2);
}

TEST(Executions, OfFindingsStayFixed) {
  const auto findings = modulesIn("findings");
  ASSERT_FALSE(findings.empty());
  runAll(
      findings.size(), [&](uint64_t job) { return findings[job].second; },
      [&](uint64_t job, const std::string& what) {
        ADD_FAILURE() << findings[job].first << ": " << what;
      });
}

}  // namespace
}  // namespace fuzz
