// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/plain_loads.h"

#include <llvm/ADT/STLExtras.h>
#include <spirv/unified1/GLSL.std.450.h>

#include "jit/spirv/opcode_traits.h"

namespace jit::spirv {

PlainLoads::PlainLoads(const Module& module) : module_(module) {
  const bool any_volatile = llvm::any_of(module_.types, [](const auto& type) {
    return llvm::any_of(type.second->members, [](const Member& m) { return m.is_volatile; });
  });
  if (any_volatile) return;
  for (const auto* list : {&module_.variables, &module_.entry.variables})
    for (const Variable& v : *list) {
      const Decorations& decorations = module_.decorated(v.id);
      if (!decorations.is_volatile && !decorations.coherent) plain_.insert(v.id);
    }
}

bool PlainLoads::isPlainLoad(const Instruction& i, Id base) const {
  constexpr auto kAligned = static_cast<uint32_t>(spv::MemoryAccessMask::Aligned);
  const bool is_small =
      i.type != nullptr && (i.type->isScalar() || i.type->kind == TypeKind::Vector);
  return i.op == spv::Op::OpLoad && is_small &&
         (i.operands.size() == 1 || i.operands[1] == kAligned) && plain_.contains(base);
}

bool PlainLoads::mayWrite(const Instruction& i) const {
  return i.op == spv::Op::OpExtInst ? !isPureExtended(i) : traitsOf(i.op).effect == Effect::Any;
}

bool PlainLoads::isPureExtended(const Instruction& i) const {
  const auto set = module_.extended_instruction_sets.find(i.operands[0]);
  return set != module_.extended_instruction_sets.end() && set->second == "GLSL.std.450" &&
         i.operands[1] != GLSLstd450Modf && i.operands[1] != GLSLstd450Frexp;
}

}  // namespace jit::spirv
