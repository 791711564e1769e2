// SPDX-License-Identifier: Apache-2.0

#include "tools/job_pool.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <map>

namespace tools {
namespace {

using End = JobResult::End;

// Runs `count` times `job`; the results by number.
std::map<uint64_t, JobResult> run(uint64_t count, const JobPool::Job& job,
                                  JobPool pool = {.processes = 2, .time_limit = 30}) {
  std::map<uint64_t, JobResult> results;
  pool.run(
      count, [&] { return job; },
      [&](const JobResult& result) {
        EXPECT_TRUE(results.emplace(result.job, result).second) << "twice: " << result.job;
      });
  return results;
}

TEST(JobPool, EveryJobReturnsItsText) {
  auto results = run(100, [](uint64_t job) { return std::to_string(job * job); });
  ASSERT_EQ(results.size(), 100u);
  for (const auto& [job, result] : results) {
    EXPECT_EQ(result.end, End::Returned);
    EXPECT_EQ(result.text, std::to_string(job * job));
  }
}

TEST(JobPool, TextMayBeEmptyOrTooLong) {
  auto results = run(2, [](uint64_t job) { return std::string(job * 1'000'000, 'x'); });
  EXPECT_EQ(results.at(0).text, "");
  EXPECT_EQ(results.at(1).text, std::string(64 * 1024, 'x'));
}

TEST(JobPool, CrashesAndExitsAreTheirJobsAlone) {
  auto results = run(20, [](uint64_t job) -> std::string {
    if (job % 5 == 1) raise(SIGKILL);
    if (job % 5 == 2) _exit(7);
    return "good";
  });
  ASSERT_EQ(results.size(), 20u);
  for (const auto& [job, result] : results) {
    EXPECT_EQ(result.end, job % 5 == 1 || job % 5 == 2 ? End::Crashed : End::Returned) << job;
  }
  EXPECT_EQ(results.at(1).text, "Killed");
  EXPECT_EQ(results.at(2).text, "exit with status 7");
  EXPECT_EQ(results.at(3).text, "good");
}

TEST(JobPool, HangingJobsAreKilled) {
  auto job = [](uint64_t job) -> std::string {
    // NOLINTBEGIN(bugprone-infinite-loop): that is the test
    while (job == 1) pause();
    volatile uint64_t turns = 0;
    while (job == 2) turns = turns + 1;
    // NOLINTEND(bugprone-infinite-loop)
    return "good";
  };
  const auto begun = std::chrono::steady_clock::now();
  auto results = run(4, job, {.processes = 1, .time_limit = 0.1});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results.at(1).end, End::Hung);
  EXPECT_GE(taken.count(), 0.1 * JobPool::kSleepFactor);
  EXPECT_EQ(results.at(2).end, End::Hung);
  EXPECT_GE(results.at(2).seconds, 0.1);
  EXPECT_EQ(results.at(3).text, "good");
}

TEST(JobPool, SecondsAreOfProcessorTime) {
  auto results = run(3, [](uint64_t job) -> std::string {
    if (job == 0) usleep(200'000);
    const clock_t begun = clock();
    while (job != 0 && clock() - begun < CLOCKS_PER_SEC / 10) {
    }
    if (job == 2) raise(SIGKILL);
    return "good";
  });
  ASSERT_EQ(results.size(), 3u);
  EXPECT_LT(results.at(0).seconds, 0.1);
  EXPECT_GE(results.at(1).seconds, 0.1);
  EXPECT_EQ(results.at(2).end, End::Crashed);
  EXPECT_GE(results.at(2).seconds, 0.1);
}

// As on a machine that has other work to do: what counts is the time that they had.
TEST(JobPool, JobsThatGetNoProcessorAreNotLate) {
  auto results = run(2,
                     [](uint64_t) -> std::string {
                       usleep(600'000);
                       return "good";
                     },
                     {.processes = 1, .time_limit = 0.2});
  for (const auto& [job, result] : results) EXPECT_EQ(result.text, "good") << job;
}

TEST(JobPool, NoJobs) {
  EXPECT_TRUE(run(0, [](uint64_t) { return ""; }).empty());
}

}  // namespace
}  // namespace tools
