// SPDX-License-Identifier: Apache-2.0

// Gathers of lanes at addresses that are constants past one that they share, or in rows.
#pragma once

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Function.h>

namespace jit::simt {

// Gathers of all lanes from such addresses become loads of what lies between the first and the last
// element of each register, and shuffles; what lies between two elements that are accessed can be
// read. Of all lanes or none, and from places too far apart, what several lanes read is gathered
// once. Groups of lanes that read on in rows load these (lane_groups.h). Whether anything changed.
bool loadLaneWindows(llvm::Function& function, unsigned vector_bytes,
                     const llvm::TargetTransformInfo& machine);

}  // namespace jit::simt
