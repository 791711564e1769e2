// SPDX-License-Identifier: Apache-2.0

#include "jit/base/containment.h"

#include <llvm/Support/ErrorHandling.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <mutex>
#include <new>
#include <string>

#include "jit/base/error.h"
#include "runtime/blocked_signals.h"
#include "runtime/clock.h"
#include "runtime/process.h"

namespace jit {
namespace {

// Of address space; pages are taken as they are touched.
constexpr size_t kStackBytes = 64 << 20;

using Clock = std::chrono::steady_clock;

struct Request {
  Request(llvm::function_ref<llvm::Error()> work, uint64_t limit_nanoseconds)
      : work(work), limit_nanoseconds(limit_nanoseconds) {}

  llvm::function_ref<llvm::Error()> work;
  const uint64_t limit_nanoseconds;
  Clock::time_point start = Clock::now();
  const char* stage = "starting";
  bool keeps_times = false;
  uint64_t stage_begin = 0;
  std::vector<StageTime> times;  // its own, as the thread may outlive the call
  llvm::Error result = llvm::Error::success();
  jmp_buf return_point;
  bool gave_up = false;
  CompileError::Kind kind = CompileError::Kind::Internal;
  char reason[512] = {};  // not on the heap, which may be what has run out
  std::atomic<pid_t> thread_id = 0;
};

thread_local Request* current_request = nullptr;

// LLVM holds none of its locks when it calls these. A longjmp, not an exception: unwinding would
// destroy the very objects that LLVM found broken.
void giveUp(CompileError::Kind kind, const char* reason) {
  Request* request = current_request;
  if (!request) return;
  request->gave_up = true;
  request->kind = kind;
  snprintf(request->reason, sizeof(request->reason), "%s", reason);
  longjmp(request->return_point, 1);
}

void onFatalError(void*, const char* reason, bool) { giveUp(CompileError::Kind::Internal, reason); }

void onBadAlloc(void*, const char* reason, bool) {
  giveUp(CompileError::Kind::OutOfMemory, reason);
}

// LLVM in this library is its own copy, so its handlers are nobody else's.
void installHandlers() {
  static std::once_flag installed;
  std::call_once(installed, [] {
    llvm::install_fatal_error_handler(onFatalError);
    llvm::install_bad_alloc_error_handler(onBadAlloc);
  });
}

// Counts the threads that are in LLVM. A child that is forked meanwhile has LLVM in the state that
// it was in at that moment, maybe with locks that nobody will release.
class Presence {
 public:
  Presence() {
    const uint64_t nobody_here = uint64_t{rt::Home::current()} << 32;
    uint64_t seen = present_.load(), mine = 0;
    do {
      const bool from_parent = seen >> 32 != nobody_here >> 32;
      if (from_parent && static_cast<uint32_t>(seen) != 0) locks_may_be_held_ = true;
      mine = (from_parent ? nobody_here : seen) + 1;
    } while (!present_.compare_exchange_weak(seen, mine));
  }
  ~Presence() { present_.fetch_sub(1); }
  Presence(const Presence&) = delete;
  Presence& operator=(const Presence&) = delete;

  static bool locksMayBeHeld() { return locks_may_be_held_; }

 private:
  // The process (rt::Home) in the upper half, its threads in the lower one.
  static constinit std::atomic<uint64_t> present_;
  static constinit std::atomic<bool> locks_may_be_held_;
};

constinit std::atomic<uint64_t> Presence::present_ = 0;
constinit std::atomic<bool> Presence::locks_may_be_held_ = false;

void* serve(void* argument) {
  auto* request = static_cast<Request*>(argument);
  current_request = request;
  request->thread_id = gettid();
  if (setjmp(request->return_point)) return nullptr;
  try {
    request->result = request->work();
  } catch (const std::bad_alloc&) {
    request->gave_up = true;
    request->kind = CompileError::Kind::OutOfMemory;
    strcpy(request->reason, "operator new");
  } catch (const std::exception& exception) {
    request->gave_up = true;
    snprintf(request->reason, sizeof(request->reason), "%s", exception.what());
  }
  return nullptr;
}

bool startThread(pthread_t& thread, size_t stack_bytes, Request& request) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes)) return false;
  bool started;
  {
    rt::BlockedSignals blocked;
    started = !pthread_attr_setstacksize(&attributes, stack_bytes) &&
              !pthread_create(&thread, &attributes, serve, &request);
  }
  pthread_attr_destroy(&attributes);
  return started;
}

// Whether a thread of this process waits for something.
bool isAsleep(pid_t thread_id) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread_id) + "/stat");
  std::string stat;
  std::getline(file, stat);
  const size_t name_end = stat.rfind(')');  // man 5 proc_pid_stat: the state follows
  return name_end != std::string::npos && stat.compare(name_end, 3, ") S") == 0;
}

// pthread_join for a thread that may wait for ever: false when it has done nothing but sleep for so
// long that no system call explains it.
bool joinUnlessStuck(pthread_t thread, const Request& request) {
  constexpr int kLooks = 20;
  constexpr long kPeriod = 250'000'000;  // nanoseconds
  clockid_t clock;
  if (pthread_getcpuclockid(thread, &clock) != 0) return pthread_join(thread, nullptr) == 0;
  timespec used_before{};
  for (int asleep = 0; asleep < kLooks;) {
    timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += kPeriod;
    until.tv_sec += until.tv_nsec / 1'000'000'000;
    until.tv_nsec %= 1'000'000'000;
    if (pthread_timedjoin_np(thread, nullptr, &until) == 0) return true;
    timespec used{};
    clock_gettime(clock, &used);
    const bool same = used.tv_sec == used_before.tv_sec && used.tv_nsec == used_before.tv_nsec;
    asleep = same && isAsleep(request.thread_id) ? asleep + 1 : 0;
    used_before = used;
  }
  pthread_detach(thread);
  return false;
}

llvm::Error stuckError() {
  return internal(
      "LLVM waits for ever: this process was forked while another thread compiled a shader; make "
      "pipelines before the fork, or start a program after it (exec)");
}

}  // namespace

void heedTimeLimit() {
  Request* request = current_request;
  if (!request || request->limit_nanoseconds == 0) return;
  const auto taken = std::chrono::nanoseconds(Clock::now() - request->start);
  if (uint64_t(taken.count()) <= request->limit_nanoseconds) return;
  char reason[sizeof(request->reason)];
  snprintf(reason, sizeof(reason),
           "compiling took longer than %g s and was ended after %.2f s, at %s; give it more time "
           "with TESSERA_COMPILE_LIMIT, or make the shader smaller: fewer unrolled loops, fewer "
           "inlined calls",
           double(request->limit_nanoseconds) * 1e-9, double(taken.count()) * 1e-9, request->stage);
  giveUp(CompileError::Kind::TimeLimit, reason);
}

namespace {

void endStage(Request& request) {
  const uint64_t end = rt::now();
  request.times.push_back({request.stage, request.stage_begin, end});
  request.stage_begin = end;
}

}  // namespace

void beginStage(llvm::StringLiteral stage) {
  if (current_request) {
    if (current_request->keeps_times) endStage(*current_request);
    current_request->stage = stage.data();
  }
  heedTimeLimit();
}

// Shorter ones would only fill the timeline.
void endPass(llvm::StringLiteral pass, uint64_t begin) {
  constexpr uint64_t kShortest = 50'000;  // nanoseconds
  if (!current_request || !current_request->keeps_times) return;
  StageTime time{.name = nullptr, .begin = begin, .end = rt::now()};
  time.name = pass.data();
  if (time.end - begin >= kShortest) current_request->times.push_back(time);
}

llvm::Error runContained(llvm::function_ref<llvm::Error()> work, uint64_t limit_nanoseconds,
                         std::vector<StageTime>* stages) {
  static std::atomic<bool> is_stuck = false;
  if (is_stuck) return stuckError();
  const Presence presence;
  installHandlers();
  auto owned = std::make_unique<Request>(work, limit_nanoseconds);
  Request& request = *owned;
  request.keeps_times = stages != nullptr;
  request.stage_begin = rt::now();
  pthread_t thread;
  // A smaller stack still compiles all but the strangest functions.
  if (!startThread(thread, kStackBytes, request) &&
      !startThread(thread, kStackBytes / 8, request)) {
    return llvm::make_error<Failure>(CompileError::Kind::OutOfMemory,
                                     "no thread could be started for the compiler");
  }
  if (!Presence::locksMayBeHeld()) {
    pthread_join(thread, nullptr);
  } else if (!joinUnlessStuck(thread, request)) {
    is_stuck = true;
    static_cast<void>(owned.release());  // the thread's
    return stuckError();
  }
  if (stages != nullptr) {
    endStage(request);
    *stages = std::move(request.times);
  }
  if (!request.gave_up) return std::move(request.result);
  if (request.kind == CompileError::Kind::TimeLimit)
    return llvm::make_error<Failure>(request.kind, request.reason);
  bool out_of_memory = request.kind == CompileError::Kind::OutOfMemory;
  return llvm::make_error<Failure>(
      request.kind,
      std::string(out_of_memory ? "out of memory in the compiler: " : "LLVM gave up: ") +
          request.reason);
}

}  // namespace jit
