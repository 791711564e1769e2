// SPDX-License-Identifier: Apache-2.0

// VkPipeline.
#pragma once

#include <utility>

#include "icd/handles.h"
#include "icd/program.h"

namespace icd {

struct Pipeline : NonDispatchable<Pipeline, VkPipeline>, Program {
  explicit Pipeline(Program program) : Program(std::move(program)) {}
};

}  // namespace icd
