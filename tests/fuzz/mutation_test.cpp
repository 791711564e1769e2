// SPDX-License-Identifier: Apache-2.0

// A short run over mutated modules, and every finding of the long ones once more. Nothing may
// crash or hang the compiler, or be called its own defect.
//
// TESSERA_TEST_MUTATIONS: how many modules instead of kMutations. TESSERA_TEST_SEED: the first
// one's seed. A failing module is written to the working folder.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/fuzz/compile_module.h"
#include "tests/fuzz/module_files.h"
#include "tests/fuzz/spirv_mutator.h"
#include "tests/support/environment.h"
#include "tools/job_pool.h"

namespace fuzz {
namespace {

constexpr uint64_t kMutations = 1500;
constexpr uint64_t kFirstSeed = 1;
constexpr double kTimeLimit = 60;  // seconds of processor time for a module
constexpr uint32_t kProcesses = 2;

// Compiles `count` modules; those that fail are told to `failed` with what happened.
void compileAll(uint64_t count, const std::function<Words(uint64_t)>& module,
                const std::function<void(uint64_t, const std::string&)>& failed) {
  using End = tools::JobResult::End;
  const auto start = [&]() -> tools::JobPool::Job {
    auto compiler = std::make_shared<ModuleCompiler>();
    return [&, compiler](uint64_t job) { return compiler->compile(module(job)); };
  };
  tools::JobPool{kProcesses, kTimeLimit}.run(count, start, [&](const tools::JobResult& result) {
    if (result.end == End::Crashed) failed(result.job, "crashed: " + result.text);
    if (result.end == End::Hung) failed(result.job, "did not end");
    if (result.end == End::Returned && !result.text.empty()) failed(result.job, result.text);
  });
}

TEST(Mutations, AreCompiledOrRefused) {
  const auto corpus = modulesIn("corpus");
  ASSERT_FALSE(corpus.empty());
  const uint64_t first = test::numberFromEnvironment("TESSERA_TEST_SEED", kFirstSeed);
  const uint64_t count = test::numberFromEnvironment("TESSERA_TEST_MUTATIONS", kMutations);
  std::cout << "seeds " << first << " to " << first + count - 1 << "\n";
  const auto module = [&](uint64_t job) {
    const uint64_t seed = first + job;
    return mutate(corpus[seed % corpus.size()].second, seed);
  };
  compileAll(count, module, [&](uint64_t job, const std::string& what) {
    const uint64_t seed = first + job;
    const std::string file = "mutation_" + std::to_string(seed) + ".spv";
    writeModule(file, module(job));
    ADD_FAILURE() << "TESSERA_TEST_SEED=" << seed << " TESSERA_TEST_MUTATIONS=1, of "
                  << corpus[seed % corpus.size()].first << ", written to " << file << ": " << what;
  });
}

TEST(Mutations, FindingsStayFixed) {
  const auto findings = modulesIn("findings");
  ASSERT_FALSE(findings.empty());
  compileAll(
      findings.size(), [&](uint64_t job) { return findings[job].second; },
      [&](uint64_t job, const std::string& what) {
        ADD_FAILURE() << findings[job].first << ": " << what;
      });
}

}  // namespace
}  // namespace fuzz
