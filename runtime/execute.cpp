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

namespace rt {

namespace {

struct Executor {
  WorkerPool& workers;
  Timeline& stop;
  Watchdog* watchdog;
  uint64_t invocations = 0;  // of compute shaders so far
  bool is_first = true;      // dispatch of the list

  void run(const CommandList& list) {
    for (const Command& command : list.commands) {
      if (stop.value() != 0) return;
      std::visit(*this, command);
    }
  }

  void dispatch(const KernelImage& kernel, const DispatchArgs& args) {
    uint64_t count = 1;
    for (uint32_t workgroups : args.workgroup_count) count *= workgroups;
    for (uint32_t size : kernel.workgroup_size) count *= size;
    invocations += count;
    if (args.checker != nullptr) {
      // What other command lists have done is taken for ordered.
      if (std::exchange(is_first, false)) args.checker->races().orderCommands();
      args.checker->races().beginDispatch();
    }
    if (watchdog == nullptr) {
      runDispatch(kernel, args, workers, stop);
      return;
    }
    std::optional<WorkgroupId> interrupted;
    {
      const Watchdog::Watch watch(*watchdog);
      runDispatch(kernel, args, workers, stop, &interrupted);
    }
    watchdog->check(kernel, interrupted);
  }

  void operator()(const Dispatch& command) { dispatch(*command.kernel, *command.args); }

  void operator()(const DispatchIndirect& command) {
    DispatchArgs args = *command.args;
    std::memcpy(args.workgroup_count, command.workgroup_count, sizeof args.workgroup_count);
    // Nobody may ask for more, and kernels are right only for so many.
    for (size_t i = 0; i < std::size(kMaxWorkgroupCount); ++i)
      args.workgroup_count[i] = std::min(args.workgroup_count[i], kMaxWorkgroupCount[i]);
    dispatch(*command.kernel, args);
  }

  void operator()(const CopyBuffer& command) const {
    copyBytes(command.destination, command.source, command.bytes, workers);
  }

  void operator()(const CopyMemoryIndirect& command) const {
    for (uint32_t i = 0; i < command.count; ++i) {
      struct {
        const std::byte* source;
        std::byte* destination;
        uint64_t bytes;
      } region;
      std::memcpy(&region, command.regions + i * command.stride, sizeof region);
      copyBytes(region.destination, region.source, region.bytes, workers);
    }
  }

  void operator()(const FillBuffer& command) const {
    fillBytes(command.destination, command.bytes, command.value, workers);
  }

  void operator()(const UpdateBuffer& command) const {
    copyBytes(command.destination, command.data.data(), command.data.size(), workers);
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
  }

  void operator()(const ExecuteCommands& command) { run(*command.list); }
};

}  // namespace

void execute(const CommandList& list, WorkerPool& workers, Timeline& stop, Watchdog* watchdog) {
  Executor{workers, stop, watchdog}.run(list);
}

}  // namespace rt
