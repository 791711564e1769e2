// SPDX-License-Identifier: Apache-2.0

// A grid of workgroups onto the workers.
#pragma once

#include <array>
#include <cstdint>
#include <new>
#include <optional>
#include <string>

#include "runtime/kernel.h"
#include "runtime/kernel_abi.h"
#include "runtime/timeline.h"
#include "runtime/worker.h"

namespace rt {

// There is no memory for a workgroup. Says of which kernel, how much it needs and how much there
// is.
class NoWorkgroupMemory : public std::bad_alloc {
 public:
  explicit NoWorkgroupMemory(const KernelImage& kernel);
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

// A kernel in messages.
std::string describe(const KernelImage& kernel);

using WorkgroupId = std::array<uint32_t, 3>;

// What a thread has run of a dispatch, without a pause.
struct DispatchShare {
  uint64_t begin, end;       // nanoseconds of now()
  uint64_t cpu_nanoseconds;  // for which the thread ran
  uint64_t workgroups;
  bool is_caller;  // the thread that called runDispatch()
};

// Who is told of each share, on the thread that has run it, when it ends.
class DispatchObserver {
 public:
  virtual void take(const DispatchShare& share) noexcept = 0;

 protected:
  ~DispatchObserver() = default;
};

// Runs every workgroup of the grid, and returns when all have ended. Workgroups start in ascending
// order (x fastest): when one starts, every lower one has started or will be by a thread that is
// running, so a workgroup may spin on results of lower ones (kernels that run rows cannot). Cheap
// dispatches run on the calling thread, and their workgroups are handed out in portions.
//
// Ends early, after the workgroups that have begun, when `stop` leaves 0; where that is asked for,
// `interrupted` gets the first of those that was seen to end after it. Throws NoWorkgroupMemory.
// `observer`: null for none.
void runDispatch(const KernelImage& kernel, const DispatchArgs& args, WorkerPool& workers,
                 const Timeline& stop, std::optional<WorkgroupId>* interrupted = nullptr,
                 DispatchObserver* observer = nullptr);

}  // namespace rt
