// SPDX-License-Identifier: Apache-2.0

// Values that live across barriers: kept in the subgroup's frame, or made anew.
#pragma once

#include <llvm/Support/Error.h>

#include <vector>

#include "jit/ir/kernel_frame.h"
#include "jit/passes/workgroup/live_values.h"
#include "jit/passes/workgroup/workgroup_loops.h"

namespace jit::simt {

// Makes each use of a value in `live` right that a round reaches through a resume point: arrivals
// save it in the frame and resume points bring it back. LiveValue::resumes are indices into
// `barriers`. Values that are not alive at the same resume point may share a slot, and what has
// not changed since it was brought back is not saved again.
// Kind of failure: Internal, when a value cannot be stored.
llvm::Error keepValues(const WorkgroupLoops& loops, llvm::ArrayRef<Barrier> barriers,
                       std::vector<LiveValue>& live, KernelFrame& frame);

}  // namespace jit::simt
