// SPDX-License-Identifier: Apache-2.0

// What linearization and the uniformity analysis decided, as text for TESSERA_DUMP.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include <string>

#include "jit/analysis/subgroup_regions.h"
#include "jit/analysis/uniformity.h"

namespace jit::simt {

// Blocks in the order of emission, each with how it gets control and with which invocations, and
// below it the level of every value that is defined there; then the levels of variables. `regions`
// are those of a workgroup-wide stream.
std::string describeUniformity(const spirv::Module& module, const Linearization& linearization,
                               const UniformityAnalysis& uniformity,
                               llvm::ArrayRef<SubgroupRegion> regions);

}  // namespace jit::simt
