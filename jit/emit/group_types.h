// SPDX-License-Identifier: Apache-2.0

// Types that SPIRV-Tools does not look at: those of the instructions of SPV_KHR_shader_ballot and
// SPV_KHR_subgroup_vote.
#pragma once

#include "jit/emit/emission.h"

namespace jit::spirv {

// Malformed unless predicates are Booleans, what is moved is of the result's type, and invocations
// are named by an integer.
llvm::Error checkGroupTypes(Emission& e, const Instruction& i);

// An instruction's function behind that check.
template <llvm::Error (*kEmit)(Emission&, const Instruction&)>
llvm::Error withCheckedTypes(Emission& e, const Instruction& i) {
  if (llvm::Error error = checkGroupTypes(e, i)) return error;
  return kEmit(e, i);
}

}  // namespace jit::spirv
