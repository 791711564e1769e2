// SPDX-License-Identifier: Apache-2.0

#include "runtime/task_arena.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include "runtime/process.h"

namespace rt {

struct TaskArena::Implementation {
  int threads;
  tbb::task_arena arena;
};

TaskArena::TaskArena(uint32_t threads)
    : implementation_(new Implementation{int(threads), tbb::task_arena(int(threads), 1)}) {}

TaskArena::~TaskArena() {
  const TbbCall tbb;
  if (!tbb.isAllowed()) static_cast<void>(implementation_.release());
}

void TaskArena::run(Body body, void* context) {
  Implementation& self = *implementation_;
  // One task for each slot. Tasks that no worker has come for are run by the caller at the end.
  self.arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<int>(0, self.threads, 1),
        [body, context](const tbb::blocked_range<int>&) {
          body(context, uint32_t(tbb::this_task_arena::current_thread_index()));
        },
        tbb::simple_partitioner());
  });
}

}  // namespace rt
