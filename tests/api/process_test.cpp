// SPDX-License-Identifier: Apache-2.0

// The driver in other people's processes: what it finds there it leaves as it was, and it ends when
// they end, however they do. Each scene is played in a process of its own.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <thread>

#include "tests/api/process_scene.h"
#include "tests/support/sanitizer.h"

namespace api_test {
namespace {

size_t entriesIn(const char* folder) {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(Process, EndsWithoutDestroyingAnything) {
  play([] {
    auto* counter = new Counter(countingShader());
    counter->run();
  });
}

TEST(Process, EndsByQuickExit) {
  play([] {
    auto* counter = new Counter(countingShader());
    counter->run();
    std::quick_exit(0);
  });
}

TEST(Process, InstancesComeAndGo) {
  play([] {
    const auto shader = countingShader();
    for (int i = 0; i < 30; ++i) Counter(shader).run();
  });
}

TEST(Process, DevicesOnManyThreads) {
  play([] {
    const auto shader = countingShader();
    std::atomic<int> good = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t) {
      threads.emplace_back([&] {
        Counter counter(shader);
        for (int i = 0; i < 20; ++i) counter.run();
        ++good;
      });
    }
    for (std::thread& thread : threads) thread.join();
    require(good == 6, "a thread gave up");
  });
}

TEST(Process, TimersInterruptSystemCalls) {
  play([] {
    struct sigaction action{};
    action.sa_handler = [](int) {};  // without SA_RESTART
    sigaction(SIGVTALRM, &action, nullptr);
    sigaction(SIGPROF, &action, nullptr);
    const itimerval often{{0, 500}, {0, 500}};
    setitimer(ITIMER_PROF, &often, nullptr);
    timer_t timer;
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGVTALRM;
    require(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0, "no timer");
    const itimerspec very_often{{0, 200'000}, {0, 200'000}};
    timer_settime(timer, 0, &very_often, nullptr);
    const auto shader = countingShader();
    for (int i = 0; i < 5; ++i) {
      Counter counter(shader);
      for (int k = 0; k < 50; ++k) counter.run();
    }
    timer_delete(timer);
    setitimer(ITIMER_PROF, nullptr, nullptr);
  });
}

// Pipelines are compiled, and waits help with the work, on whatever thread calls.
TEST(Process, ThreadsWithSmallStacks) {
  play([] {
    const auto shader = countingShader();
    Counter counter(shader);
    struct Work {
      Counter* counter;
      const std::vector<uint32_t>* shader;
    } work{&counter, &shader};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, size_t{64} << 10);
    pthread_t thread;
    auto serve = [](void* argument) -> void* {
      auto* given = static_cast<Work*>(argument);
      for (int i = 0; i < 20; ++i) given->counter->run();
      return nullptr;
    };
    require(pthread_create(&thread, &attributes, serve, &work) == 0, "no thread");
    pthread_join(thread, nullptr);
    counter.run();
  });
}

struct State {
  std::vector<struct sigaction> handlers;
  stack_t signal_stack;
  sigset_t blocked;
  std::fenv_t floats;
  std::string locale, folder;
  mode_t mask;

  static State now() {
    State state{};
    for (int signal = 1; signal < 32; ++signal) {
      state.handlers.emplace_back();
      sigaction(signal, nullptr, &state.handlers.back());
    }
    sigaltstack(nullptr, &state.signal_stack);
    pthread_sigmask(SIG_SETMASK, nullptr, &state.blocked);
    std::fegetenv(&state.floats);
    state.locale = setlocale(LC_ALL, nullptr);
    state.folder = std::filesystem::current_path();
    state.mask = umask(0);
    umask(state.mask);
    return state;
  }
};

TEST(Process, IsLeftAsItWas) {
  play([] {
    static char stack[64 << 10];
    const stack_t own{.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof stack};
    sigaltstack(&own, nullptr);
    struct sigaction action{};
    action.sa_flags = SA_ONSTACK;
    action.sa_handler = [](int) { _exit(9); };
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(signal, &action, nullptr);
    std::fesetround(FE_UPWARD);
    const auto shader = countingShader();
    {
      Counter(shader).run();
    }  // what the loader and the C library make once
    const State before = State::now();
    const size_t files = entriesIn("/proc/self/fd");
    {
      Counter(shader).run();
    }
    const State after = State::now();
    for (size_t i = 0; i < before.handlers.size(); ++i)
      require(before.handlers[i].sa_handler == after.handlers[i].sa_handler, "a signal handler");
    require(before.signal_stack.ss_sp == after.signal_stack.ss_sp, "the signal stack");
    require(std::memcmp(&before.blocked, &after.blocked, sizeof before.blocked) == 0,
            "the signal mask");
    require(std::memcmp(&before.floats, &after.floats, sizeof before.floats) == 0 &&
                std::fegetround() == FE_UPWARD,
            "the floating-point environment");
    require(before.locale == after.locale && before.folder == after.folder, "locale or folder");
    require(before.mask == after.mask, "the file mode mask");
    require(entriesIn("/proc/self/fd") == files, "open files");
    // oneTBB keeps threads for the next device, one for each processor besides the caller's.
    for (int i = 0; i < 3; ++i) Counter(shader).run();
    require(entriesIn("/proc/self/task") <= std::thread::hardware_concurrency() + 1, "threads");
  });
}

uint64_t residentPages() {
  std::ifstream file("/proc/self/statm");
  uint64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident;
}

// TESSERA_TEST_SWEEP=1: ten thousand.
TEST(Process, DoesNotGrowWithDevices) {
  if (TESSERA_ADDRESS_SANITIZER) GTEST_SKIP() << "the address sanitizer keeps what is freed";
  play([] {
    const int cycles = std::getenv("TESSERA_TEST_SWEEP") != nullptr ? 10'000 : 200;
    host::Instance instance;
    auto cycle = [&] { host::Device::withAllFeatures(instance, instance.choose(), false); };
    for (int i = 0; i < 50; ++i) cycle();
    const uint64_t before = residentPages();
    for (int i = 0; i < cycles; ++i) cycle();
    const uint64_t grown = residentPages() - std::min(before, residentPages());
    require(grown < 512, ("grew by " + std::to_string(grown) + " pages").c_str());
  });
}

TEST(Process, AffinityIsKept) {
  play([] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<size_t>(sched_getcpu()), &one);
    sched_setaffinity(0, sizeof one, &one);
    Counter counter(countingShader());
    counter.run();
    require(counter.deviceName().find("1 thread)") != std::string::npos,
            counter.deviceName().c_str());
  });
}

// Descriptors 0 to 2 may be closed, and then be anybody's.
TEST(Process, WithoutStandardStreams) {
  play([] {
    for (int stream : {0, 1, 2}) close(stream);
    Counter counter(countingShader());
    counter.run();
  });
}

}  // namespace
}  // namespace api_test
