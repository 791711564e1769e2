// SPDX-License-Identifier: Apache-2.0

#include "runtime/machine_peak.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

#include "runtime/clock.h"
#include "runtime/parallel_calls.h"
#include "runtime/peak_loops.h"
#include "runtime/tile_permission.h"

namespace rt {

namespace {

std::optional<PeakKind> peakKindOf(ProductKind kind) {
  switch (kind) {
    case ProductKind::F32:
      return PeakKind::F32;
    case ProductKind::F64:
      return PeakKind::F64;
    case ProductKind::Bf16:
      return PeakKind::Bf16;
    case ProductKind::Int8:
      return PeakKind::Int8;
    case ProductKind::Other:
      break;
  }
  return std::nullopt;
}

bool mayRun(const PeakLoop& loop, Isa ceiling) {
  if (loop.isa > ceiling || !loop.available()) return false;
  const CpuFeatures& has = hostCpuFeatures();
  return loop.isa != Isa::Amx || (has.amx_bf16 && has.amx_int8 && tilePermission().granted());
}

double rateOf(const PeakLoop& loop) {
  const uint64_t start = now();
  loop.run(loop.iterations);
  return loop.operations * double(loop.iterations * PeakLoop::kUnrolled) / double(now() - start);
}

const PeakLoop* fastestLoop(PeakKind kind, Isa ceiling) {
  const PeakLoop* fastest = nullptr;
  double most = 0;
  for (const PeakLoop& loop : peakLoops()) {
    if (loop.kind != kind || !mayRun(loop, ceiling)) continue;
    double rate = 0;
    for (int trial = 0; trial < 4; ++trial) rate = std::max(rate, rateOf(loop));
    if (rate <= most) continue;
    fastest = &loop;
    most = rate;
  }
  return fastest;
}

MachinePeak measure(PeakKind kind, Isa ceiling, uint32_t threads) {
  constexpr uint64_t kTime = 10'000'000;  // nanoseconds
  const PeakLoop* loop = fastestLoop(kind, ceiling);
  if (loop == nullptr) return {};
  std::mutex mutex;
  double sum = 0;  // under mutex
  callInParallel(threads, threads, [&](uint32_t) {
    const uint64_t start = now();
    double most = 0;
    while (now() - start < kTime) most = std::max(most, rateOf(*loop));
    std::lock_guard lock(mutex);
    sum += most;
  });
  return {loop->instruction, sum * 1e9};
}

}  // namespace

MachinePeak machinePeak(ProductKind kind, Isa ceiling, uint32_t threads) {
  const std::optional<PeakKind> peak_kind = peakKindOf(kind);
  if (!peak_kind) return {};
  static std::mutex mutex;
  static std::map<std::tuple<PeakKind, Isa, uint32_t>, MachinePeak> known;
  std::lock_guard lock(mutex);
  const auto [place, is_new] = known.try_emplace({*peak_kind, ceiling, threads});
  if (is_new) place->second = measure(*peak_kind, ceiling, threads);
  return place->second;
}

}  // namespace rt
