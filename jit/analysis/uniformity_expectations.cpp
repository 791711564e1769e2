// SPDX-License-Identifier: Apache-2.0

// What control flow puts together, if invocations come the same way: which nothing proves.
#include <unordered_set>

#include "jit/analysis/uniformity.h"

namespace jit::simt {

using spirv::Id;
using spirv::Instruction;

// Values that are looked at for one.
static constexpr size_t kMostValues = 64;

bool UniformityAnalysis::isExpectedUniform(const Instruction& phi) const {
  std::unordered_set<Id> seen = {phi.result};
  llvm::SmallVector<const Instruction*, 8> open = {&phi};
  while (!open.empty()) {
    const Instruction& i = *open.pop_back_val();
    const bool is_phi = i.op == spv::Op::OpPhi;
    if (!is_phi && i.op != spv::Op::OpIAdd && i.op != spv::Op::OpISub &&
        i.op != spv::Op::OpCopyObject)
      return false;
    for (size_t k = 0; k < i.operands.size(); k += is_phi ? 2 : 1) {
      const Id value = i.operands[k];
      if (whole(value) != Uniformity::Varying || !seen.insert(value).second) continue;
      const auto found = instructions_.find(value);
      if (found == instructions_.end() || seen.size() > kMostValues) return false;
      open.push_back(found->second);
    }
  }
  return true;
}

}  // namespace jit::simt
