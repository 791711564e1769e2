// SPDX-License-Identifier: Apache-2.0

// oneTBB behind an interface, so that the rest does not include it.
//
// task_arena.cpp is compiled without the thread sanitizer: oneTBB's library is not instrumented,
// so its headers would look like races. WorkerPool repeats the ordering where it is seen.
#pragma once

#include <cstdint>
#include <memory>

namespace rt {

class TaskArena {
 public:
  // `threads`: slots in the arena; slot 0 is for the thread that calls run().
  explicit TaskArena(uint32_t threads);
  // Leaves the arena behind where oneTBB may not be called any more (runtime/process.h).
  ~TaskArena();

  // For callers with a TbbCall. Calls `body` with `context` up to `threads` times at the same time,
  // each with the slot of its thread, at least once with slot 0. Returns when all calls have
  // returned.
  using Body = void (*)(void* context, uint32_t slot);
  void run(Body body, void* context);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace rt
