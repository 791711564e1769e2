// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/checker.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace rt {
namespace {

CheckSet memoryOnly() {
  CheckSet checks;
  checks.add(Check::Memory);
  return checks;
}

Finding findingOf(FindingKind kind, const std::string& what) {
  return {.kind = kind, .what = what, .site = {}, .actor = {}, .details = {}};
}

TEST(Checker, EachPlaceIsNewsOnce) {
  Checker checker({.checks = memoryOnly()}, [](const Finding&) {});
  EXPECT_TRUE(checker.isNews(FindingKind::BufferBounds, "a"));
  EXPECT_FALSE(checker.isNews(FindingKind::BufferBounds, "a"));
  EXPECT_TRUE(checker.isNews(FindingKind::Address, "a"));
  EXPECT_TRUE(checker.isNews(FindingKind::BufferBounds, "b"));
  EXPECT_FALSE(checker.isNews(FindingKind::Address, "a"));
  EXPECT_EQ(checker.count(), 3u);
}

TEST(Checker, OnlySoManyAreReportedAndAllAreCounted) {
  Checker checker({.checks = memoryOnly(), .most_findings = 2}, [](const Finding&) {});
  EXPECT_TRUE(checker.isNews(FindingKind::BufferBounds, "a"));
  EXPECT_TRUE(checker.isNews(FindingKind::BufferBounds, "b"));
  EXPECT_FALSE(checker.isNews(FindingKind::BufferBounds, "c"));
  EXPECT_FALSE(checker.isNews(FindingKind::BufferBounds, "c"));
  EXPECT_FALSE(checker.isNews(FindingKind::BufferBounds, "d"));
  EXPECT_EQ(checker.count(), 4u);
}

// Threads that come upon the same places tell of each of them once, one at a time.
TEST(Checker, ThreadsShareIt) {
  std::vector<std::string> told;  // the checker's lock guards it
  Checker checker({.checks = memoryOnly(), .most_findings = 1000},
                  [&](const Finding& finding) { told.push_back(finding.what); });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int place = 0; place < 100; ++place) {
        const std::string site = std::to_string(place);
        if (checker.isNews(FindingKind::Address, site))
          checker.report(findingOf(FindingKind::Address, site));
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(told.size(), 100u);
  EXPECT_EQ(checker.count(), 100u);
}

TEST(Checker, DeviceLostAsksToStopAfterTheReport) {
  std::vector<std::string> events;
  Checker checker({.checks = memoryOnly(), .action = CheckAction::DeviceLost},
                  [&](const Finding& finding) { events.push_back("told of " + finding.what); });
  checker.setStop([&](const std::string& reason) { events.push_back("stop: " + reason); });
  checker.report(findingOf(FindingKind::Address, "a load"));
  EXPECT_EQ(events, (std::vector<std::string>{"told of a load", "stop: memory: address: a load"}));
}

TEST(Checker, OtherActionsGoOn) {
  for (CheckAction action : {CheckAction::Default, CheckAction::Report, CheckAction::Skip}) {
    int told = 0;
    Checker checker({.checks = memoryOnly(), .action = action}, [&](const Finding&) { ++told; });
    checker.setStop([](const std::string& reason) { ADD_FAILURE() << reason; });
    checker.report(findingOf(FindingKind::Address, "a load"));
    EXPECT_EQ(told, 1);
  }
}

}  // namespace
}  // namespace rt
