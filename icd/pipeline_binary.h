// SPDX-License-Identifier: Apache-2.0

// VkPipelineBinaryKHR: a compiled kernel that the application keeps.
#pragma once

#include <utility>

#include "icd/handles.h"
#include "icd/program.h"

namespace icd {

struct PipelineBinary : NonDispatchable<PipelineBinary, VkPipelineBinaryKHR> {
  explicit PipelineBinary(CapturedKernel kernel) : kernel(std::move(kernel)) {}

  const CapturedKernel kernel;
};

}  // namespace icd
