// SPDX-License-Identifier: Apache-2.0

#include "jit/base/containment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/Support/ErrorHandling.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "jit/base/error.h"
#include "tests/support/sanitizer.h"

namespace jit {
namespace {

struct Outcome {
  CompileError::Kind kind;
  std::string message;
};

Outcome outcomeOf(llvm::Error error) {
  Outcome outcome{};
  llvm::handleAllErrors(std::move(error),
                        [&](const Failure& failure) { outcome = {failure.kind, failure.message}; });
  return outcome;
}

TEST(Containment, EndsWorkWhoseTimeIsOver) {
  Outcome outcome = outcomeOf(runContained(
      []() -> llvm::Error {
        beginStage("counting");
        for (;;) heedTimeLimit();
      },
      20'000'000));
  EXPECT_EQ(outcome.kind, CompileError::Kind::TimeLimit);
  EXPECT_THAT(outcome.message, testing::HasSubstr("took longer than 0.02 s"));
  EXPECT_THAT(outcome.message, testing::HasSubstr("at counting"));
  EXPECT_THAT(outcome.message, testing::HasSubstr("TESSERA_COMPILE_LIMIT"));
}

TEST(Containment, WithoutALimitTimeIsNotHeeded) {
  heedTimeLimit();  // outside of contained work
  EXPECT_FALSE(bool(runContained([] {
    heedTimeLimit();
    return llvm::Error::success();
  })));
}

TEST(Containment, PassesResultsThrough) {
  int ran = 0;
  EXPECT_FALSE(bool(runContained([&] {
    ++ran;
    return llvm::Error::success();
  })));
  EXPECT_EQ(ran, 1);
  Outcome outcome = outcomeOf(runContained([] { return unsupported("OpFoo"); }));
  EXPECT_EQ(outcome.kind, CompileError::Kind::Unsupported);
  EXPECT_EQ(outcome.message, "OpFoo");
}

// A lock that a thread holds when another one forks is held in the child for ever.
TEST(Containment, ChildrenGiveUpOnLocksOfTheirParent) {
  if (TESSERA_THREAD_SANITIZER) GTEST_SKIP() << "the thread sanitizer ends forks with threads";
  std::mutex mutex;
  std::promise<void> held, released;
  std::thread holds([&] {
    EXPECT_FALSE(bool(runContained([&] {
      const std::lock_guard lock(mutex);
      held.set_value();
      released.get_future().wait();
      return llvm::Error::success();
    })));
  });
  held.get_future().wait();
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    auto lock_it = [&] {
      const std::lock_guard lock(mutex);
      return llvm::Error::success();
    };
    const bool works = !runContained([] { return llvm::Error::success(); });
    const Outcome first = outcomeOf(runContained(lock_it)),
                  second = outcomeOf(runContained(lock_it));
    const bool said = first.message.find("was forked while another thread") != std::string::npos;
    const bool both = first.kind == CompileError::Kind::Internal && first.message == second.message;
    _exit(!works ? 1 : !said ? 2 : !both ? 3 : 0);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "ended by signal " << (status & 0x7f) << " or returned " << (status >> 8);
  released.set_value();
  holds.join();
}

TEST(Containment, FatalErrorsOfLlvmEndTheRequest) {
  for (int i = 0; i < 3; ++i) {
    Outcome outcome = outcomeOf(runContained([]() -> llvm::Error {
      leaveMemoryBehind();
      llvm::report_fatal_error("Cannot select: everything");
    }));
    EXPECT_EQ(outcome.kind, CompileError::Kind::Internal);
    EXPECT_THAT(outcome.message, testing::HasSubstr("Cannot select: everything"));
  }
}

TEST(Containment, RunningOutOfMemoryEndsTheRequest) {
  Outcome of_llvm = outcomeOf(runContained([]() -> llvm::Error {
    leaveMemoryBehind();
    llvm::report_bad_alloc_error("Allocation failed");
    return llvm::Error::success();
  }));
  EXPECT_EQ(of_llvm.kind, CompileError::Kind::OutOfMemory);
  Outcome of_new = outcomeOf(runContained([]() -> llvm::Error { throw std::bad_alloc(); }));
  EXPECT_EQ(of_new.kind, CompileError::Kind::OutOfMemory);
}

TEST(Containment, RequestsRunInParallel) {
  std::vector<std::thread> threads;
  std::vector<Outcome> outcomes(4);
  for (size_t i = 0; i < outcomes.size(); ++i) {
    threads.emplace_back([&outcomes, i] {
      outcomes[i] = outcomeOf(runContained([i]() -> llvm::Error {
        leaveMemoryBehind();
        std::string reason = "reason " + std::to_string(i);
        llvm::report_fatal_error(llvm::StringRef(reason));
      }));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < outcomes.size(); ++i) {
    EXPECT_THAT(outcomes[i].message, testing::HasSubstr("reason " + std::to_string(i)));
  }
}

TEST(Containment, StacksAreDeep) {
  size_t bytes = 0;
  EXPECT_FALSE(bool(runContained([&] {
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstacksize(&attributes, &bytes);
    pthread_attr_destroy(&attributes);
    return llvm::Error::success();
  })));
  EXPECT_GE(bytes, 32u << 20);
}

}  // namespace
}  // namespace jit
