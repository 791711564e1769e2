// SPDX-License-Identifier: Apache-2.0

// Processes that end while a device is in use: static destructors, exit handlers and other threads
// may wait for it, submit to it and compile for it until the very end, whether they were there
// before the driver was loaded or not. Each scene is played in a process of its own, of a program
// that does not load oneTBB by itself.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>

#include "tests/api/long_work.h"
#include "tests/api/process_scene.h"

namespace api_test {
namespace {

using namespace std::chrono_literals;

// --- what is done at the end

LongWork* work = nullptr;
std::atomic<uint32_t> compiled = 0;  // pipelines
std::atomic<bool> has_done_its_part = false;
enum class State { Idle, Busy, Compiling };
State state;

void say(const char* text) {
  if (write(STDERR_FILENO, text, std::char_traits<char>::length(text)) < 0) _exit(2);
}

// On whatever thread: waits for what runs, and has more done.
void useTheDevice() {
  try {
    if (state == State::Busy) work->finish();
    if (state == State::Compiling) work->compile(1'000'000);
    for (int i = 0; i < 3; ++i) {
      work->submit(2, 2000);
      work->finish();
    }
  } catch (const std::exception& error) {
    say(error.what());
    _exit(1);
  }
  say("all is right");
}

// --- who does it

void (*at_the_end)() = nullptr;  // of those below whose turn it is

struct AtTheEnd {
  ~AtTheEnd() {
    if (at_the_end != nullptr) at_the_end();
  }
};

enum class Who { StaticDestructor, ExitHandler, OtherThread };
enum class Since { BeforeTheDriver, BeforeTheDevice, AfterTheDevice };

std::atomic<bool> has_begun_to_end = false;

void registerFor(Who who) {
  switch (who) {
    case Who::StaticDestructor: {
      static const AtTheEnd object;
      at_the_end = useTheDevice;
      break;
    }
    case Who::ExitHandler:
      require(std::atexit(useTheDevice) == 0, "atexit");
      break;
    case Who::OtherThread:
      // The handler only keeps the process from ending before the thread is through.
      require(std::atexit([] {
                has_begun_to_end = true;
                while (!has_done_its_part) std::this_thread::sleep_for(1ms);
              }) == 0,
              "atexit");
      std::thread([] {
        while (!has_begun_to_end) std::this_thread::sleep_for(1ms);
        useTheDevice();
        has_done_its_part = true;
        for (;;) work->submit(1, 100), work->finish();  // while the rest of the process goes
      }).detach();
      break;
  }
}

void bringAbout(State wanted) {
  state = wanted;
  switch (state) {
    case State::Idle:
      break;
    case State::Busy:
      work->submit(4, 20'000);
      break;
    case State::Compiling:
      std::thread([] {
        try {
          for (;;) work->compile(++compiled);
        } catch (const std::exception& error) {
          say(error.what());
          _exit(1);
        }
      }).detach();
      while (compiled < 2) std::this_thread::yield();
      break;
  }
}

std::string nameOf(State during) {
  switch (during) {
    case State::Idle:
      return "Idle";
    case State::Busy:
      return "Busy";
    case State::Compiling:
      return "Compiling";
  }
  return "";
}

using Case = std::tuple<Who, State, Since>;

std::string nameOf(const Case& scene) {
  const auto [who, during, since] = scene;
  std::string name = who == Who::StaticDestructor ? "StaticDestructor"
                     : who == Who::ExitHandler    ? "ExitHandler"
                                                  : "OtherThread";
  name += nameOf(during);
  return name + (since == Since::BeforeTheDriver   ? "FromBeforeTheDriver"
                 : since == Since::BeforeTheDevice ? "FromBeforeTheDevice"
                                                   : "FromAfterTheDevice");
}

class ProcessEnd : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    All, ProcessEnd,
    testing::Combine(testing::Values(Who::StaticDestructor, Who::ExitHandler, Who::OtherThread),
                     testing::Values(State::Idle, State::Busy, State::Compiling),
                     testing::Values(Since::BeforeTheDriver, Since::BeforeTheDevice,
                                     Since::AfterTheDevice)),
    [](const auto& info) { return nameOf(info.param); });

TEST_P(ProcessEnd, DevicesWorkUntilTheEnd) {
  play(
      [] {
        const auto [who, during, since] = GetParam();
        const auto shader = steppingShader();
        if (since == Since::BeforeTheDriver) registerFor(who);
        host::Instance loads_the_driver;
        if (since == Since::BeforeTheDevice) registerFor(who);
        work = new LongWork(shader);
        if (since == Since::AfterTheDevice) registerFor(who);
        bringAbout(during);
      },
      "all is right");
}

// --- other ends

// Runs in the program's finalisation, after all exit handlers.
[[gnu::destructor]] void finalize() {
  if (at_the_end == finalize) useTheDevice();
}

class ProcessEndLate : public testing::TestWithParam<State> {};
INSTANTIATE_TEST_SUITE_P(All, ProcessEndLate,
                         testing::Values(State::Idle, State::Busy, State::Compiling),
                         [](const auto& info) { return nameOf(info.param); });

TEST_P(ProcessEndLate, DevicesWorkWhenTheProgramIsFinalized) {
  play(
      [] {
        work = new LongWork(steppingShader());
        at_the_end = finalize;
        bringAbout(GetParam());
      },
      "all is right");
}

// The first device of the process is made when all that the driver has brought along is gone.
TEST(OtherEnds, DevicesAreMadeWhenTheProgramIsFinalized) {
  play(
      [] {
        static std::vector<uint32_t> shader;
        shader = steppingShader();
        std::atexit([] {
          work = new LongWork(shader);
          useTheDevice();
          delete work;
        });
        static const auto* instance = new host::Instance;
        require(instance != nullptr, "no instance");
      },
      "all is right");
}

TEST(OtherEnds, BusyDevicesAreDestroyedWhenTheProgramIsFinalized) {
  play(
      [] {
        std::atexit([] {
          const host::Device& device = work->device();
          device.functions().vkDestroyDevice(device.handle(), nullptr);
          say("destroyed");
        });
        work = new LongWork(steppingShader());
        work->submit(4, 20'000);
      },
      "destroyed");
}

TEST(OtherEnds, BusyDevicesAreLeftBehind) {
  using End = void (*)(int);
  for (End end : {End{&std::exit}, End{&std::quick_exit}, End{&_exit}}) {
    play([end] {
      work = new LongWork(steppingShader());
      bringAbout(State::Compiling);
      work->submit(4, 20'000);
      end(0);
    });
  }
}

// Ending does not wait for a kernel that takes for ever.
TEST(OtherEnds, KernelsThatNeverEndAreLeftBehind) {
  play([] {
    work = new LongWork(steppingShader());
    work->submit(1, 2000);  // from which it is known to be work for all workers
    work->finish();
    work->submit(1, UINT32_MAX);
    std::this_thread::sleep_for(50ms);
    alarm(20);
  });
}

// Of some that end late, each workgroup takes longer than what the driver waits for.
TEST(OtherEnds, WorkgroupsMayBeLong) {
  play(
      [] {
        std::atexit(useTheDevice);
        work = new LongWork(steppingShader());
        state = State::Busy;
        uint32_t steps = 1'000'000;
        const auto start = std::chrono::steady_clock::now();
        work->submit(1, steps, 1);
        work->finish();
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        steps = static_cast<uint32_t>(std::min(steps * 1.5 / taken.count(), 4e9));
        work->submit(1, steps, 3);
      },
      "all is right");
}

// A handler that ends the process comes while its thread waits.
TEST(OtherEnds, SignalsEndProcessesThatWait) {
  play([] {
    std::signal(SIGUSR1, [](int) { std::exit(0); });
    work = new LongWork(steppingShader());
    work->submit(1, 2000);
    work->finish();
    work->submit(1, UINT32_MAX);
    std::thread([main = pthread_self()] {
      std::this_thread::sleep_for(100ms);
      pthread_kill(main, SIGUSR1);
    }).detach();
    work->finish();
    require(false, "it has ended");
  });
}

// Of programs that look for a GPU many, ggml's among them, destroy no instance.
TEST(OtherEnds, TheDeviceMayHaveBeenPassedOver) {
  play(
      [] {
        static const auto* instance = new host::Instance(host::Settings{{"log", "info"}});
        require(!instance->devices().empty(), "no device");
      },
      "info: the application has seen this device, .*TESSERA_DEVICE_TYPE=integrated");
}

// What the C++ library does at the end of a process is not the driver's to prevent.
TEST(OtherEnds, StreamsAreFlushed) {
  play(
      [] {
        work = new LongWork(steppingShader());
        std::ios_base::sync_with_stdio(false);
        dup2(STDERR_FILENO, STDOUT_FILENO);
        std::cout << "flushed";
      },
      "flushed");
}

}  // namespace
}  // namespace api_test
