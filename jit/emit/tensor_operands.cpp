// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/tensor_operands.h"

#include "jit/emit/uniform_check.h"

namespace jit::spirv {

namespace {

llvm::Expected<Value> operand(Emission& e, const Instruction& i, Id id, TypeKind kind) {
  llvm::Expected<Value> value = e.value(id);
  if (!value) return value.takeError();
  if (value->type->kind != kind)
    return malformed(e.module.describe(i) + ": " + e.module.describe(id) + " is not a tensor " +
                     (kind == TypeKind::TensorLayout ? "layout" : "view"));
  UniformCheck(e).operands(value->leaves, rt::UniformOperand::Tensor);
  // All live invocations agree on them, whatever the analysis can prove.
  for (llvm::Value*& leaf : value->leaves) leaf = e.simt.uniform(leaf);
  return value;
}

}  // namespace

llvm::Expected<TensorOperands> tensorOperands(Emission& e, const Instruction& i, Id layout,
                                              Id view) {
  llvm::Expected<Value> of_layout = operand(e, i, layout, TypeKind::TensorLayout);
  if (!of_layout) return of_layout.takeError();
  TensorOperands operands{*of_layout, std::nullopt};
  if (view == 0) return operands;
  llvm::Expected<Value> of_view = operand(e, i, view, TypeKind::TensorView);
  if (!of_view) return of_view.takeError();
  const uint32_t dimensions = of_view->type->count, most = of_layout->type->count;
  if (!of_view->type->has_dimensions && dimensions > most)
    return malformed(e.module.describe(i) + ": the view takes its " + std::to_string(dimensions) +
                     " dimensions from the layout, which has " + std::to_string(most));
  operands.view = *of_view;
  return operands;
}

}  // namespace jit::spirv
