// SPDX-License-Identifier: Apache-2.0

// Executes a command list on the calling thread and the workers.
#pragma once

#include <string_view>

#include "runtime/commands.h"
#include "runtime/timeline.h"
#include "runtime/trace/trace.h"
#include "runtime/watchdog.h"
#include "runtime/worker.h"

namespace rt {

// Returns when the last command has ended, or, between commands or workgroups, when `stop` leaves
// 0. Throws std::bad_alloc, and std::runtime_error when a dispatch takes longer than the watchdog,
// if there is one, allows. `checker`: that is told what commands write; null: none. `trace`: the
// timeline that has the commands, where the list is called `name`; null: none.
void execute(const CommandList& list, WorkerPool& workers, Timeline& stop,
             Watchdog* watchdog = nullptr, Checker* checker = nullptr, Trace* trace = nullptr,
             std::string_view name = {});

}  // namespace rt
