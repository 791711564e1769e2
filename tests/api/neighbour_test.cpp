// SPDX-License-Identifier: Apache-2.0

// The driver beside others that use what it uses: LLVM, Vulkan, oneTBB, signals, control groups.
// Each scene is played in a process of its own.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>

#include "tests/api/other_llvm.h"
#include "tests/api/process_scene.h"
#include "tests/support/sanitizer.h"

namespace api_test {
namespace {

namespace fs = std::filesystem;

// --- LLVM

// Those of `names` that the system has. They are looked for, not loaded: that is for the scenes.
std::vector<std::string> installed(const std::vector<std::string>& names) {
  std::vector<std::string> found;
  for (const std::string& name : names) {
    for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"}) {
      if (!fs::exists(fs::path(folder) / name)) continue;
      found.push_back(name);
      break;
    }
  }
  return found;
}

// As distributions name them, but for the driver's own version.
std::vector<std::string> otherLlvms() {
  std::vector<std::string> names;
  for (const char* version : {"13", "14", "15", "16"})
    names.push_back(std::string("libLLVM-") + version + ".so.1");
  for (const char* version : {"17", "18.1", "19.1", "20.1", "21.1", "22.1", "23.1"})
    names.push_back(std::string("libLLVM.so.") + version);
  std::erase(names, TESSERA_LLVM_SONAME);
  return installed(names);
}

// Both compile, in turn, whoever came first.
void besideLlvm(const std::vector<std::string>& libraries, bool driver_first) {
  const auto shader = countingShader();
  if (driver_first) Counter(shader).run();
  std::vector<OtherLlvm> others;
  for (const std::string& library : libraries) others.emplace_back(library);
  for (int i = 0; i < 2; ++i) {
    for (const OtherLlvm& other : others) require(other.addToOne(40 + i) == 41 + i, "their code");
    Counter counter(shader);
    counter.run();
    for (const OtherLlvm& other : others) require(other.addToOne(i) == 1 + i, "their code");
    counter.run();
  }
}

class BesideLlvm : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Order, BesideLlvm, testing::Bool(),
                         [](const auto& info) { return info.param ? "DriverFirst" : "LlvmFirst"; });

TEST_P(BesideLlvm, OfOtherVersions) {
  const auto libraries = otherLlvms();
  if (libraries.empty()) GTEST_SKIP() << "no libLLVM of another version is installed";
  play([&] { besideLlvm(libraries, GetParam()); });
}

TEST_P(BesideLlvm, OfTheSameVersion) {
  const auto libraries = installed({TESSERA_LLVM_SONAME});
  if (libraries.empty()) GTEST_SKIP() << TESSERA_LLVM_SONAME " is not installed";
  play([&] { besideLlvm(libraries, GetParam()); });
}

// --- Mesa

// The manifest of Mesa's driver for CPUs, from where the loader looks; empty if there is none.
std::string lavapipeManifest() {
  const char* variable = std::getenv("XDG_DATA_DIRS");
  std::istringstream folders(variable != nullptr ? variable : "/usr/local/share:/usr/share");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder + "/vulkan/icd.d", error)) {
      if (entry.path().filename().string().starts_with("lvp_icd")) return entry.path();
    }
  }
  return "";
}

class BesideLavapipe : public testing::TestWithParam<bool> {
 protected:
  // Plays a scene with the shader, the names of two devices and both drivers before the loader.
  void playWithBoth(
      const std::function<void(const std::vector<uint32_t>&, const char*, const char*)>& scene) {
    const std::string manifest = lavapipeManifest();
    if (manifest.empty()) GTEST_SKIP() << "mesa-vulkan-drivers is not installed";
    play([&] {
      leaveMemoryBehind();  // Mesa 22.3 does; what this driver allocates, other scenes look after
      const std::string own = std::getenv("VK_DRIVER_FILES");
      const bool first = GetParam();
      setenv("VK_DRIVER_FILES", (first ? own + ":" + manifest : manifest + ":" + own).c_str(), 1);
      scene(countingShader(), first ? "Tessera" : "llvmpipe", first ? "llvmpipe" : "Tessera");
    });
  }
};
INSTANTIATE_TEST_SUITE_P(Order, BesideLavapipe, testing::Bool(),
                         [](const auto& info) { return info.param ? "DriverFirst" : "MesaFirst"; });

TEST_P(BesideLavapipe, BothWorkAtOnce) {
  playWithBoth([](const auto& shader, const char* first, const char* second) {
    Counter one(shader, first), other(shader, second);
    for (int i = 0; i < 3; ++i) {
      one.run();
      other.run();
    }
    Counter again(shader, first);
    again.run();
    other.run();
  });
}

TEST_P(BesideLavapipe, OneGoesAndTheOtherStays) {
  playWithBoth([](const auto& shader, const char* first, const char* second) {
    Counter stays(shader, second);
    for (int i = 0; i < 3; ++i) {
      Counter(shader, first).run();
      stays.run();
    }
  });
}

// --- oneTBB

TEST(BesideTbb, OneThreadIsAllThatTheHostAllows) {
  play([] {
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    Counter counter(countingShader());
    for (int i = 0; i < 20; ++i) counter.run();
  });
}

TEST(BesideTbb, CallsComeFromAnArenaOfOneThread) {
  play([] {
    tbb::task_arena arena(1);
    const auto shader = countingShader();
    arena.execute([&] {
      Counter counter(shader);
      for (int i = 0; i < 20; ++i) counter.run();
    });
  });
}

// The sanitizer does not see how oneTBB orders the host's tasks, which are compiled here.
#define SKIP_WHERE_TASKS_SEEM_TO_RACE() \
  if (TESSERA_THREAD_SANITIZER) GTEST_SKIP() << "oneTBB is not instrumented"

// A wait that helped itself to the host's tasks would come upon the lock that its thread holds.
TEST(BesideTbb, TasksCallUnderALock) {
  SKIP_WHERE_TASKS_SEEM_TO_RACE();
  play([] {
    Counter counter(countingShader());
    std::mutex mutex;
    tbb::parallel_for(0, 200, [&](int) {
      const std::lock_guard lock(mutex);
      counter.run();
    });
  });
}

TEST(BesideTbb, TasksHaveDevicesOfTheirOwn) {
  SKIP_WHERE_TASKS_SEEM_TO_RACE();
  play([] {
    const auto shader = countingShader();
    std::atomic<int> done = 0;
    tbb::parallel_for(0, 8, [&](int) {
      Counter counter(shader);
      for (int i = 0; i < 10; ++i) counter.run();
      ++done;
    });
    require(done == 8, "tasks");
  });
}

// The host's arena works on while the driver's does.
TEST(BesideTbb, BothAreBusy) {
  SKIP_WHERE_TASKS_SEEM_TO_RACE();
  play([] {
    const auto shader = countingShader();
    std::atomic<bool> stop = false;
    std::atomic<uint64_t> sum = 0;
    std::thread host([&] {
      while (!stop) tbb::parallel_for(0, 1000, [&](int i) { sum += static_cast<uint64_t>(i); });
    });
    Counter counter(shader);
    for (int i = 0; i < 50; ++i) counter.run();
    stop = true;
    host.join();
    require(sum % 499'500 == 0, "the host's sums");
  });
}

// --- signals

std::atomic<int> handled = 0, elsewhere = 0;
char signal_stack[128 << 10];

// Uses as much of its stack as a profiler does.
void handle(int) {
  volatile char room[32 << 10];
  for (size_t i = 0; i < sizeof room; i += 64) room[i] = 1;
  const auto* place = static_cast<const char*>(__builtin_frame_address(0));
  const bool inside = place >= signal_stack && place < signal_stack + sizeof signal_stack;
  ++(inside ? handled : elsewhere);
}

TEST(BesideSignals, HandlersRunOnTheirOwnStack) {
  if (TESSERA_THREAD_SANITIZER) GTEST_SKIP() << "the thread sanitizer calls handlers when it likes";
  play([] {
    const stack_t own{.ss_sp = signal_stack, .ss_flags = 0, .ss_size = sizeof signal_stack};
    sigaltstack(&own, nullptr);
    struct sigaction action{};
    action.sa_flags = SA_ONSTACK | SA_RESTART;
    action.sa_handler = handle;
    sigaction(SIGPROF, &action, nullptr);
    const itimerval often{{0, 500}, {0, 500}};
    setitimer(ITIMER_PROF, &often, nullptr);
    const auto shader = countingShader();
    for (int i = 0; i < 100 && (i < 5 || handled < 20); ++i) {
      Counter counter(shader);
      for (int k = 0; k < 50; ++k) counter.run();
    }
    const itimerval never{};
    setitimer(ITIMER_PROF, &never, nullptr);
    require(handled >= 20, "no signal came");
    // A thread of the driver has no such stack, and must not be interrupted.
    require(elsewhere == 0, "a handler ran on another stack");
  });
}

// --- control groups

// A control group with half a processor. Not made without the rights to.
class HalfAProcessor {
 public:
  HalfAProcessor() {
    const std::string name = "/tessera_test_" + std::to_string(getpid());
    for (const char* root : {"/sys/fs/cgroup", "/sys/fs/cgroup/cpu"}) {
      std::error_code error;
      if (!fs::create_directory(root + name, error)) continue;
      group_ = root + name;
      if (write("cpu.max", "50000 100000")) return;
      if (write("cpu.cfs_period_us", "100000") && write("cpu.cfs_quota_us", "50000")) return;
      remove();
    }
  }
  ~HalfAProcessor() { remove(); }

  bool made() const { return !group_.empty(); }
  // Puts the process that calls into the group, which ends only after it.
  bool enter() const { return write("cgroup.procs", "0"); }

 private:
  bool write(const char* file, const char* text) const {
    const fs::path path = group_ / file;
    if (!fs::exists(path)) return false;
    std::ofstream stream(path);
    stream << text << std::flush;
    return stream.good();
  }
  void remove() {
    std::error_code error;
    if (made()) fs::remove(group_, error);
    group_.clear();
  }

  fs::path group_;
};

TEST(BesideLimits, AQuotaOfHalfAProcessorIsOneThread) {
  if (!HalfAProcessor().made()) GTEST_SKIP() << "no rights to make a control group with a quota";
  play([] {
    const HalfAProcessor group;
    require(group.made(), "no group");
    const auto shader = countingShader();
    const pid_t child = fork();
    if (child == 0) {
      require(group.enter(), "the group lets nobody in");
      Counter counter(shader);
      for (int i = 0; i < 5; ++i) counter.run();
      require(counter.deviceName().find("1 thread)") != std::string::npos,
              counter.deviceName().c_str());
      _exit(0);
    }
    int status = -1;
    require(waitpid(child, &status, 0) == child && status == 0, "in the group");
  });
}

}  // namespace
}  // namespace api_test
