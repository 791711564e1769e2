#include "runtime/execute.h"

#include <cstring>

#include "runtime/clock.h"
#include "runtime/copy.h"
#include "runtime/dispatch.h"

namespace rt {

namespace {

struct Executor {
  WorkerPool& workers;
  Timeline& stop;

  void operator()(const Dispatch& command) const {
    runDispatch(*command.kernel, *command.args, workers, stop);
  }

  void operator()(const DispatchIndirect& command) const {
    DispatchArgs args = *command.args;
    std::memcpy(args.workgroup_count, command.workgroup_count, sizeof args.workgroup_count);
    runDispatch(*command.kernel, args, workers, stop);
  }

  void operator()(const CopyBuffer& command) const {
    copyBytes(command.destination, command.source, command.bytes, workers);
  }

  void operator()(const FillBuffer& command) const {
    fillBytes(command.destination, command.bytes, command.value, workers);
  }

  void operator()(const UpdateBuffer& command) const {
    copyBytes(command.destination, command.data.data(), command.data.size(), workers);
  }

  // Each command has ended, on every thread, before the next begins: nothing is left to order.
  void operator()(const PipelineBarrier&) const {}

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

  void operator()(const CopyQueryResults& command) const {
    command.pool->read(command.first, command.count, command.destination, command.stride,
                       command.format, &stop);
  }

  void operator()(const ExecuteCommands& command) const { execute(*command.list, workers, stop); }
};

}  // namespace

void execute(const CommandList& list, WorkerPool& workers, Timeline& stop) {
  const Executor executor{workers, stop};
  for (const Command& command : list.commands) {
    if (stop.value() != 0) return;
    std::visit(executor, command);
  }
}

}  // namespace rt
