// SPDX-License-Identifier: Apache-2.0

// What a device's checked kernels report to, and what they ask.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_set>

#include "runtime/check/finding.h"
#include "runtime/check/host_writes.h"
#include "runtime/check/memory_map.h"
#include "runtime/check/race_detector.h"
#include "runtime/check/shadow_memory.h"

namespace rt {

// Where kernels find what they look at by themselves: at the start of the Checker.
struct CheckerStart {
  HostWrites host_writes;  // of a device that checks the API
};

// Thread-safe. One per device that checks anything.
class Checker : public CheckerStart {
 public:
  // Gets each finding that is reported, one at a time, on the thread that made it; must not throw.
  using Sink = std::function<void(const Finding&)>;
  // Asked to end the dispatch and lose the device, with the reason. May be called several times.
  using Stop = std::function<void(const std::string& reason)>;

  struct Options {
    CheckSet checks;
    CheckAction action = CheckAction::Skip;
    uint32_t most_findings = 100;
    bool reports_same_values = false;  // RaceDetector
  };

  Checker(const Options& options, Sink sink)
      : options_(options),
        sink_(std::move(sink)),
        races_([this](const Race& race) { reportRace(race); }, options.reports_same_values) {}
  // Before anything is checked.
  void setStop(Stop stop) { stop_ = std::move(stop); }

  const Options& options() const { return options_; }
  bool has(Check check) const { return options_.checks.has(check); }
  MemoryMap& memory() { return memory_; }
  const MemoryMap& memory() const { return memory_; }

  // Of a device that looks for undefined values.
  ShadowMemory& shadow() { return shadow_; }

  // Of a device that checks races: for the thread that runs its kernels.
  RaceDetector& races() { return races_; }

  // Whether a finding of this kind at this site (its description, see describeSite) would be
  // reported: each place is once, and only so many are. The first to ask has to report().
  bool isNews(FindingKind kind, std::string_view site);
  void report(const Finding& finding);

  // Ends the dispatch and loses the device.
  void stop(const std::string& reason) { stop_(reason); }
  // There is no memory to go on checking: the device is lost.
  void giveUp() noexcept;

  // Whether kernels note what matrices products are made of, where that costs much.
  bool notesOperands() const { return notes_operands_.load(std::memory_order_relaxed); }
  void noteOperands() { notes_operands_.store(true, std::memory_order_relaxed); }

  // Whether the device is lost for such a finding: one of memory if that is asked for, a debug
  // break unless something else is.
  bool losesDevice(FindingKind kind) const;

  // Findings at different places, reported or not.
  uint32_t count() const { return count_.load(std::memory_order_relaxed); }

 private:
  void reportRace(const Race& race);

  const Options options_;
  const Sink sink_;
  Stop stop_;
  MemoryMap memory_;
  ShadowMemory shadow_;
  RaceDetector races_;
  std::mutex mutex_;
  std::unordered_set<std::string> places_;  // under mutex_
  std::mutex reporting_;
  std::atomic<uint32_t> count_ = 0;
  std::atomic<bool> notes_operands_ = false;
};

}  // namespace rt
