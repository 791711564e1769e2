// A grid of workgroups onto the workers.
#pragma once

#include "runtime/kernel.h"
#include "runtime/kernel_abi.h"
#include "runtime/timeline.h"
#include "runtime/worker.h"

namespace rt {

// Runs every workgroup of the grid, and returns when all have ended. Workgroups start in ascending
// order (x fastest): when one starts, every lower one has started or will be by a thread that is
// running, so a workgroup may spin on results of lower ones. Cheap dispatches run on the calling
// thread, and their workgroups are handed out in portions.
//
// Ends early, after the workgroups that have begun, when `stop` leaves 0. Throws std::bad_alloc
// when there is no memory for a workgroup.
void runDispatch(const KernelImage& kernel, const DispatchArgs& args, WorkerPool& workers,
                 const Timeline& stop);

}  // namespace rt
