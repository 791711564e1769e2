// SPDX-License-Identifier: Apache-2.0

// Random compute shaders with structured control flow, written as SPIR-V: nested ifs, loops,
// switches with fallthrough, breaks, continues, returns, inner functions, barriers, subgroup
// operations, phis and variables. What they compute does not depend on the order in which
// invocations run.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "tests/jit/emit/random_control_flow_module.h"

namespace jit::test {

struct RandomProgram {
  std::vector<uint32_t> words;
  std::array<uint32_t, 3> workgroup_size;
  // Names of its statements. A program can be made again without some of them.
  std::vector<uint64_t> statements;
};

RandomProgram makeRandomProgram(uint64_t seed, const std::set<uint64_t>& left_out = {});

}  // namespace jit::test
