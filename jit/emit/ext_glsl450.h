// SPDX-License-Identifier: Apache-2.0

// Instructions of the extended set GLSL.std.450, a table per family as for opcodes.
// Source: "SPIR-V Extended Instructions for GLSL"; accuracy: Vulkan Specification, "Precision and
// Operation of SPIR-V Instructions".
#pragma once

#include <spirv/unified1/GLSL.std.450.h>

#include "jit/emit/leafwise.h"

namespace jit::spirv {

struct ExtendedRow {
  GLSLstd450 instruction;
  llvm::Error (*emit)(Emission& e, const Instruction& i);
};

llvm::ArrayRef<ExtendedRow> numericInstructions();      // ext_numeric.cpp
llvm::ArrayRef<ExtendedRow> exponentialInstructions();  // ext_exponential.cpp
llvm::ArrayRef<ExtendedRow> geometricInstructions();    // ext_geometric.cpp
llvm::ArrayRef<ExtendedRow> packingInstructions();      // ext_packing.cpp

// Operands behind the set and the instruction number.
inline constexpr size_t kFirstOperand = 2;

llvm::Expected<Value> operand(Emission& e, const Instruction& i, size_t number);

// result[k] = function(leaf k of each operand), leaves all uniform or all varying; operands of
// one leaf serve all k.
template <typename Function>
llvm::Error mapOperands(Emission& e, const Instruction& i, size_t count, Function function) {
  llvm::SmallVector<Value, 3> operands;
  size_t leaves = 1;
  for (size_t n = 0; n < count; ++n) {
    llvm::Expected<Value> v = operand(e, i, n);
    if (!v) return v.takeError();
    leaves = std::max(leaves, v->leaves.size());
    operands.push_back(std::move(*v));
  }
  Value result{i.type, {}};
  for (size_t k = 0; k < leaves; ++k) {
    llvm::SmallVector<llvm::Value*, 3> x;
    bool varying = false;
    for (const Value& v : operands) {
      x.push_back(v.leaves[v.leaves.size() == 1 ? 0 : k]);
      varying |= e.simt.isVarying(x.back());
    }
    if (varying)
      for (llvm::Value*& leaf : x) leaf = e.simt.broadcast(leaf);
    result.leaves.push_back(function(llvm::ArrayRef<llvm::Value*>(x)));
  }
  e.setValue(i, std::move(result));
  return llvm::Error::success();
}

// A float constant shaped like a leaf.
inline llvm::Constant* floatLike(const llvm::Value* like, double value) {
  return llvm::ConstantFP::get(like->getType(), value);
}

}  // namespace jit::spirv
