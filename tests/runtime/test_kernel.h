// SPDX-License-Identifier: Apache-2.0

// Kernels that are plain functions, and dispatches of them.
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/clock.h"
#include "runtime/commands.h"
#include "runtime/kernel.h"
#include "runtime/timeline.h"

namespace rt::test {

using Grid = std::array<uint32_t, 3>;

inline std::shared_ptr<KernelImage> makeKernel(KernelFunction entry, uint32_t shared_bytes = 0,
                                               uint32_t scratch_bytes = 0) {
  auto kernel = std::make_shared<KernelImage>();
  kernel->entry = entry;
  kernel->shared_bytes = shared_bytes;
  kernel->scratch_bytes = scratch_bytes;
  return kernel;
}

// The address of `state` is the first push constant.
template <typename State>
std::unique_ptr<DispatchArgs> makeArgs(State& state, Grid grid) {
  auto args = std::make_unique<DispatchArgs>();
  State* address = &state;
  std::memcpy(args->push_constants, &address, sizeof address);
  std::copy(grid.begin(), grid.end(), args->workgroup_count);
  return args;
}

template <typename State>
State& stateOf(const DispatchArgs* args) {
  State* address;
  std::memcpy(&address, args->push_constants, sizeof address);
  return *address;
}

template <typename State>
Dispatch makeDispatch(std::shared_ptr<const KernelImage> kernel, State& state, Grid grid) {
  return {std::move(kernel), makeArgs(state, grid)};
}

template <typename... Commands>
std::shared_ptr<const CommandList> makeList(Commands... commands) {
  auto list = std::make_shared<CommandList>();
  (list->commands.push_back(std::move(commands)), ...);
  return list;
}

inline uint32_t linearIndex(const DispatchArgs* args, uint32_t x, uint32_t y, uint32_t z) {
  const uint32_t* size = args->workgroup_count;
  return x + size[0] * (y + size[1] * z);
}

// Work of a kernel.
inline void burn(uint64_t nanoseconds) {
  for (uint64_t end = now() + nanoseconds; now() < end;) {
  }
}

// Nanoseconds that tests give to what should happen at once. On a machine that has other work to do
// nothing happens at once, so this only ends what would hang.
inline constexpr uint64_t kSoon = 600'000'000'000;

inline WaitResult waitFor(const TimelinePoint& point, uint64_t timeout = kSoon,
                          Timeline* cancel = nullptr) {
  return wait({&point, 1}, WaitMode::All, deadlineAfter(timeout), cancel);
}

}  // namespace rt::test
