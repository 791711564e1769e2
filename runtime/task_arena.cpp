// SPDX-License-Identifier: Apache-2.0

#include "runtime/task_arena.h"

#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <exception>

#include "runtime/process.h"

namespace rt {

struct TaskArena::Implementation {
  tbb::task_arena arena;
  tbb::task_group tasks;
};

TaskArena::TaskArena(uint32_t threads)
    : implementation_(new Implementation{tbb::task_arena(int(threads), 1), {}}) {}

TaskArena::~TaskArena() {
  const TbbCall tbb;
  if (!is_finished_ || !tbb.isAllowed()) static_cast<void>(implementation_.release());
}

bool TaskArena::finish() {
  const TbbCall tbb;
  if (!tbb.isAllowed()) return false;
  Implementation& self = *implementation_;
  self.arena.execute([&] { self.tasks.wait(); });
  is_finished_ = true;
  return true;
}

uint32_t TaskArena::summon(Task task, void* context, uint32_t count) noexcept {
  Implementation& self = *implementation_;
  uint32_t summoned = 0;
  try {
    self.arena.execute([&] {
      for (; summoned < count; ++summoned) {
        self.tasks.run(
            [=] { task(context, uint32_t(tbb::this_task_arena::current_thread_index())); });
      }
    });
  } catch (const std::exception&) {
    // The threads that are there do the work.
  }
  return summoned;
}

}  // namespace rt
