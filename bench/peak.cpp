// SPDX-License-Identifier: Apache-2.0

#include "bench/peak.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bench/parallel.h"
#include "bench/tiles.h"
#include "bench/timing.h"

namespace bench {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

using rt::PeakLoop;

constexpr uint64_t kUnrolled = PeakLoop::kUnrolled;

#if defined(__x86_64__)

constexpr uint64_t kAdditions = 64, kAddIterations = 30'000;

void dependentAdditions(uint64_t iterations) {
  uint64_t sum = 0, one = 1;
  asm volatile(
      ".balign 64\n"
      "1:\n"
      ".rept 64\n"
      "add %2, %1\n"
      ".endr\n"
      "dec %0\n"
      "jnz 1b\n"
      : "+r"(iterations), "+r"(sum)
      : "r"(one)
      : "cc");
}

bool mayRun(const PeakLoop& loop) {
  return loop.available() && (loop.isa != rt::Isa::Amx || tileUse() == TileUse::Used);
}

#endif

}  // namespace

bool Peak::proven() const {
  auto near = [&](double rate) { return per_cycle >= 0.97 * rate && per_cycle <= 1.03 * rate; };
  return near(1.0 / 16) || near(0.5) || near(1) || per_cycle >= 0.97 * 2;
}

std::string Peak::describe() const {
  if (instruction.empty()) return "no peak loop for this processor";
  char rate[40], text[160];
  std::snprintf(rate, sizeof(rate), per_cycle < 0.3 ? "one in %.1f cycles" : "%.2f a cycle",
                per_cycle < 0.3 ? 1 / per_cycle : per_cycle);
  std::snprintf(text, sizeof(text), "%s %.1f Gop/s, %s at %.2f GHz%s", instruction.c_str(),
                operations_per_second * 1e-9, rate, gigahertz,
                proven() ? ""
                         : " (NOT PROVEN: not a sixteenth, a half, one or two a cycle; is the "
                           "machine busy?)");
  return text;
}

#if defined(__x86_64__)
namespace {

double timeOf(void (*run)(uint64_t), uint64_t iterations) {
  const double start = now();
  run(iterations);
  return now() - start;
}

// The fastest of the kind, which is not the newest everywhere: dot products of bf16 run at half
// rate on some processors, and FMA is faster then.
const PeakLoop* fastestLoop(PeakKind kind) {
  const PeakLoop* fastest = nullptr;
  double most = 0;
  for (const PeakLoop& loop : rt::peakLoops()) {
    if (loop.kind != kind || !mayRun(loop)) continue;
    double least = std::numeric_limits<double>::infinity();
    for (int trial = 0; trial < 8; ++trial)
      least = std::min(least, timeOf(loop.run, loop.iterations));
    const double rate = loop.operations * static_cast<double>(loop.iterations) / least;
    // By more than noise: the table has the instruction that is meant first.
    if (rate > 1.1 * most) {
      fastest = &loop;
      most = rate;
    }
  }
  return fastest;
}

const PeakLoop* loopFor(PeakKind kind) {
  static std::mutex mutex;
  static std::map<PeakKind, const PeakLoop*> chosen;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = chosen.try_emplace(kind);
  if (is_new) place->second = fastestLoop(kind);
  return place->second;
}

}  // namespace
#endif

Peak measurePeak(PeakKind kind, double seconds) {
  Peak peak;
#if defined(__x86_64__)
  const PeakLoop* loop = loopFor(kind);
  if (loop == nullptr) return peak;
  peak.instruction = loop->instruction;
  double best_loop = std::numeric_limits<double>::infinity(), best_clock = best_loop;
  const double iterations = static_cast<double>(loop->iterations);
  // About how many cycles an iteration takes, with more than one trial against interruptions.
  double add_time = best_loop, loop_time = best_loop;
  for (int trial = 0; trial < 3; ++trial) {
    add_time = std::min(add_time, timeOf(dependentAdditions, kAddIterations));
    loop_time = std::min(loop_time, timeOf(loop->run, loop->iterations));
  }
  const double additions = static_cast<double>(kAddIterations * kAdditions);
  const double cycles = loop_time / iterations * (additions / add_time);
  const PeakLoop::Clock* clock = loop->clocks;
  // With a margin on both sides: the rates that they stand for are a factor of two apart.
  while (static_cast<double>(clock->additions) < 0.75 * cycles &&
         clock + 1 < std::end(loop->clocks) && clock[1].run != nullptr)
    ++clock;
  const double end = now() + seconds;
  do {
    best_loop = std::min(best_loop, timeOf(loop->run, loop->iterations));
    best_clock = std::min(best_clock, timeOf(clock->run, loop->iterations));
  } while (now() < end);
  const double cycles_per_second = iterations * static_cast<double>(clock->additions) / best_clock;
  const double instructions_per_second = iterations * kUnrolled / best_loop;
  peak.gigahertz = cycles_per_second * 1e-9;
  peak.per_cycle = instructions_per_second / cycles_per_second;
  peak.operations_per_second = instructions_per_second * loop->operations;
#endif
  return peak;
}

Peak measurePeakOfBusyCores(PeakKind kind, double seconds) {
  std::vector<Peak> peaks(coreCount());
  onAllCores(peaks.size(), [&](size_t first, size_t last) {
    for (size_t core = first; core < last; ++core) peaks[core] = measurePeak(kind, seconds);
  });
  Peak mean = peaks[0];
  auto meanOf = [&](double Peak::* figure) {
    double sum = 0;
    for (const Peak& peak : peaks) sum += peak.*figure;
    return sum / static_cast<double>(peaks.size());
  };
  for (double Peak::* figure : {&Peak::operations_per_second, &Peak::gigahertz, &Peak::per_cycle})
    mean.*figure = meanOf(figure);
  return mean;
}

std::vector<double> measureRatesOn(const std::vector<int>& processors, PeakKind kind,
                                   double seconds) {
  std::vector<double> rates(processors.size());
#if defined(__x86_64__) && defined(__linux__)
  const PeakLoop* loop = loopFor(kind);
  if (loop == nullptr) return rates;
  std::barrier start(static_cast<std::ptrdiff_t>(processors.size()));
  std::vector<std::thread> threads;
  std::atomic<bool> pinned = true;
  for (size_t k = 0; k < processors.size(); ++k) {
    threads.emplace_back([&, k] {
      cpu_set_t set;
      CPU_ZERO(&set);
      CPU_SET(static_cast<size_t>(processors[k]), &set);
      if (sched_setaffinity(0, sizeof(set), &set) != 0) pinned = false;
      start.arrive_and_wait();
      std::vector<double> times;
      const double end = now() + seconds;
      do {
        times.push_back(timeOf(loop->run, loop->iterations));
      } while (now() < end);
      rates[k] =
          static_cast<double>(loop->iterations * kUnrolled) * loop->operations / median(times);
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (!pinned) throw std::runtime_error("a thread could not be bound to its processor");
#endif
  return rates;
}

}  // namespace bench
