// SPDX-License-Identifier: Apache-2.0

// oneTBB behind an interface, so that the rest does not include it.
//
// task_arena.cpp is compiled without the thread sanitizer: oneTBB's library is not instrumented,
// so its headers would look like races. WorkerPool orders what its threads do by itself.
#pragma once

#include <cstdint>
#include <memory>

namespace rt {

class TaskArena {
 public:
  // `threads`: slots in the arena; slot 0 is for the thread that calls.
  explicit TaskArena(uint32_t threads);
  // After finish(), or it leaves the arena behind, and tasks that have not begun with it.
  ~TaskArena();

  // Waits for the tasks, and runs those that no thread has come for. False where oneTBB may not be
  // called any more (runtime/process.h).
  bool finish();

  // For callers with a TbbCall. Has up to `count` of oneTBB's threads call `task` with `context`,
  // each with the slot of its thread, as they are free; does not wait for them. Returns how
  // many: fewer where oneTBB has no memory for them.
  using Task = void (*)(void* context, uint32_t slot);
  uint32_t summon(Task task, void* context, uint32_t count) noexcept;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
  bool is_finished_ = false;
};

}  // namespace rt
