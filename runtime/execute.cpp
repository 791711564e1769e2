// SPDX-License-Identifier: Apache-2.0

#include "runtime/execute.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include "runtime/check/checker.h"
#include "runtime/clock.h"
#include "runtime/copy.h"
#include "runtime/dispatch.h"
#include "runtime/trace/dispatch_events.h"

namespace rt {

namespace {

// Adds a dispatch to its kernel's profile, from its making to its end.
class ProfiledDispatch final : public DispatchObserver {
 public:
  // `next`: another that wants to know; null: none.
  ProfiledDispatch(KernelProfile& profile, uint64_t bound_bytes, DispatchObserver* next)
      : profile_(profile), bound_bytes_(bound_bytes), next_(next), begin_(now()) {}
  ~ProfiledDispatch() {
    profile_.wall_nanoseconds += now() - begin_;
    profile_.bound_bytes += bound_bytes_;
    ++profile_.runs;
  }
  ProfiledDispatch(const ProfiledDispatch&) = delete;
  ProfiledDispatch& operator=(const ProfiledDispatch&) = delete;

  void take(const DispatchShare& share) noexcept override {
    profile_.cpu_nanoseconds += share.cpu_nanoseconds;
    profile_.workgroups += share.workgroups;
    if (next_ != nullptr) next_->take(share);
  }

 private:
  KernelProfile& profile_;
  const uint64_t bound_bytes_;
  DispatchObserver* const next_;
  const uint64_t begin_;
};

struct Executor {
  WorkerPool& workers;
  Timeline& stop;
  Watchdog* watchdog;
  ShadowMemory* shadow;      // null: undefined values are not looked for
  Trace* trace;              // null: nobody wants a timeline
  std::string_view name;     // of the list, for the trace
  uint64_t invocations = 0;  // of compute shaders so far
  bool is_first = true;      // dispatch of the list
  // That have begun, with their beginnings; for the trace.
  std::vector<std::string> labels = {};
  std::vector<uint64_t> label_begins = {};

  // Labels that the list leaves open end with it.
  void run(const CommandList& list) {
    const size_t outer_labels = labels.size();
    for (const Command& command : list.commands) {
      if (stop.value() != 0) break;
      std::visit(*this, command);
    }
    while (labels.size() > outer_labels) endLabel();
  }

  void endLabel() {
    if (trace != nullptr)
      trace->span(TraceTrack::Queue, "label", labels.back(), label_begins.back(), now());
    labels.pop_back();
    label_begins.pop_back();
  }

  void dispatch(const KernelImage& kernel, const DispatchArgs& args, uint64_t bound_bytes) {
    uint64_t count = 1;
    for (uint32_t workgroups : args.workgroup_count) count *= workgroups;
    for (uint32_t size : kernel.workgroup_size) count *= size;
    invocations += count;
    if (args.checker != nullptr) {
      // What other command lists have done is taken for ordered.
      if (std::exchange(is_first, false)) args.checker->races().orderCommands();
      args.checker->races().beginDispatch();
    }
    if (shadow != nullptr) shadow->settle();
    std::optional<DispatchEvents> events;
    if (trace != nullptr) events.emplace(*trace, kernel, args, name, labels);
    DispatchObserver* observer = events ? &*events : nullptr;
    std::optional<ProfiledDispatch> profiled;
    if (kernel.profile != nullptr)
      observer = &profiled.emplace(*kernel.profile, bound_bytes, observer);
    if (watchdog == nullptr) {
      runDispatch(kernel, args, workers, stop, nullptr, observer);
      return;
    }
    std::optional<WorkgroupId> interrupted;
    {
      const Watchdog::Watch watch(*watchdog);
      runDispatch(kernel, args, workers, stop, &interrupted, observer);
    }
    watchdog->check(kernel, interrupted);
  }

  // Of bytes that a command moves.
  struct Transfer : TraceSpan {
    Transfer(Trace* trace, std::string_view name, uint64_t bytes)
        : TraceSpan(trace, TraceTrack::Queue, "transfer", name) {
      add("bytes", bytes);
    }
  };

  static uint64_t numberOf(const std::byte* address) {
    return reinterpret_cast<uintptr_t>(address);
  }
  void defined(const std::byte* address, uint64_t bytes) const {
    if (shadow != nullptr) shadow->define(numberOf(address), bytes);
  }
  void copied(const std::byte* to, const std::byte* from, uint64_t bytes) const {
    if (shadow != nullptr) shadow->copy(numberOf(to), numberOf(from), bytes);
  }

  void operator()(const Dispatch& command) {
    dispatch(*command.kernel, *command.args, command.bound_bytes);
  }

  void operator()(const DispatchIndirect& command) {
    DispatchArgs args = *command.args;
    std::memcpy(args.workgroup_count, command.workgroup_count, sizeof args.workgroup_count);
    // Nobody may ask for more, and kernels are right only for so many.
    for (size_t i = 0; i < std::size(kMaxWorkgroupCount); ++i)
      args.workgroup_count[i] = std::min(args.workgroup_count[i], kMaxWorkgroupCount[i]);
    dispatch(*command.kernel, args, command.bound_bytes);
  }

  void operator()(const CopyBuffer& command) const {
    const Transfer transfer(trace, "copy", command.bytes);
    copyBytes(command.destination, command.source, command.bytes, workers);
    copied(command.destination, command.source, command.bytes);
  }

  void operator()(const CopyMemoryIndirect& command) const {
    for (uint32_t i = 0; i < command.count; ++i) {
      struct {
        const std::byte* source;
        std::byte* destination;
        uint64_t bytes;
      } region;
      std::memcpy(&region, command.regions + i * command.stride, sizeof region);
      const Transfer transfer(trace, "copy", region.bytes);
      copyBytes(region.destination, region.source, region.bytes, workers);
      copied(region.destination, region.source, region.bytes);
    }
  }

  void operator()(const FillBuffer& command) const {
    const Transfer transfer(trace, "fill", command.bytes);
    fillBytes(command.destination, command.bytes, command.value, workers);
    defined(command.destination, command.bytes);
  }

  void operator()(const UpdateBuffer& command) const {
    const Transfer transfer(trace, "update", command.data.size());
    copyBytes(command.destination, command.data.data(), command.data.size(), workers);
    defined(command.destination, command.data.size());
  }

  // Each command has ended, on every thread, before the next begins: nothing is left to order but
  // for who checks that.
  void operator()(const PipelineBarrier& barrier) const {
    if (barrier.checker != nullptr) barrier.checker->races().orderCommands();
  }

  void operator()(const SetEvent& command) const { command.event->set(); }

  void operator()(const ResetEvent& command) const { command.event->reset(); }

  void operator()(const WaitEvents& command) const {
    std::vector<TimelinePoint> points;
    points.reserve(command.events.size());
    for (const auto& event : command.events) points.push_back(event->point());
    const TraceSpan waiting(trace, TraceTrack::Queue, "wait", "wait for events");
    wait(points, WaitMode::All, kForever, &stop);
  }

  void operator()(const ResetQueries& command) const {
    command.pool->reset(command.first, command.count);
  }

  void operator()(const WriteTimestamp& command) const {
    command.pool->write(command.query, now());
  }

  void operator()(const BeginQuery& command) const {
    command.pool->begin(command.query, invocations);
  }

  void operator()(const EndQuery& command) const { command.pool->end(command.query, invocations); }

  void operator()(const CopyQueryResults& command) const {
    command.pool->read(command.first, command.count, command.destination, command.stride,
                       command.format, &stop);
    for (uint32_t k = 0; k < command.count; ++k)
      defined(command.destination + k * command.stride, command.pool->resultBytes(command.format));
  }

  void operator()(const ExecuteCommands& command) { run(*command.list); }

  void operator()(const BeginLabel& command) {
    labels.push_back(command.name);
    label_begins.push_back(now());
  }

  // One that the list has not begun is some other list's.
  void operator()(const EndLabel&) {
    if (!labels.empty()) endLabel();
  }

  void operator()(const InsertLabel& command) const {
    if (trace != nullptr) trace->instant(TraceTrack::Queue, "label", command.name);
  }

  void operator()(const Callback& command) const { command.call(); }
};

}  // namespace

void execute(const CommandList& list, WorkerPool& workers, Timeline& stop, Watchdog* watchdog,
             Checker* checker, Trace* trace, std::string_view name) {
  const bool has_shadow = checker != nullptr && checker->has(Check::Uninit);
  Executor{.workers = workers,
           .stop = stop,
           .watchdog = watchdog,
           .shadow = has_shadow ? &checker->shadow() : nullptr,
           .trace = trace,
           .name = name}
      .run(list);
}

}  // namespace rt
