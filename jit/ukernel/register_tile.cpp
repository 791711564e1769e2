// SPDX-License-Identifier: Apache-2.0

#include "jit/ukernel/register_tile.h"

#include <llvm/ADT/SmallVector.h>

namespace jit::ukernel {
namespace {

using llvm::SmallVector;

std::string mangleComponents(const MulAdd& op) {
  auto text = [](Component component) { return std::string(coopmat::info(component).text); };
  return text(op.a) + "." + text(op.b) + "." + text(op.result) + (op.saturating ? ".sat." : ".");
}

FunctionKey keyOf(FunctionKind kind, const Row& row) {
  FunctionKey key(kind);
  return key.add(static_cast<uint64_t>(&row - rows().data()), llvm::StringRef(row.name));
}

// What code depends on of an operation's components.
std::array<uint64_t, 4> components(const MulAdd& op) {
  return {static_cast<uint64_t>(op.a), static_cast<uint64_t>(op.b),
          static_cast<uint64_t>(op.result), op.saturating};
}

// What a register tile's function depends on.
FunctionKey keyOf(FunctionKind kind, const Row& row, const MulAdd& op, const RegisterTile& shape) {
  FunctionKey key = keyOf(kind, row);
  key.add(components(op), "").add(op.k, mangleComponents(op) + "k" + std::to_string(op.k));
  return key.add({shape.rows, shape.micro_panels},
                 llvm::Twine(shape.rows) + "x" + llvm::Twine(shape.micro_panels));
}

}  // namespace

uint32_t groupsPerStep(const Row& row, const MulAdd& op) {
  uint32_t group = row.arithmetic->packing(op).group;
  return (op.k + group - 1) / group;
}

llvm::FixedVectorType* packedVector(llvm::IRBuilderBase& builder, const Row& row, const MulAdd&,
                                    Component component) {
  return llvm::FixedVectorType::get(coopmat::componentType(component, builder),
                                    row.vector_bytes / coopmat::bytesOf(component));
}

llvm::FixedVectorType* accumulatorVector(llvm::IRBuilderBase& builder, const Row& row,
                                         const MulAdd& op) {
  return packedVector(builder, row, op, row.arithmetic->accumulator(op));
}

std::string mangle(const MulAdd& op) {
  return mangleComponents(op) + std::to_string(op.m) + "x" + std::to_string(op.n) + "x" +
         std::to_string(op.k);
}

FunctionKey keyOf(FunctionKind kind, const Row& row, const MulAdd& op) {
  return keyOf(kind, row).add(components(op), "").add({op.m, op.n, op.k}, mangle(op));
}

llvm::Function* registerTileFunction(const HelperScope& scope, const Row& row, const MulAdd& op,
                                     const RegisterTileCode& code) {
  llvm::Type* ptr = llvm::PointerType::getUnqual(scope.module.getContext());
  llvm::Type* i64 = llvm::Type::getInt64Ty(scope.module.getContext());
  FunctionKey key = keyOf(FunctionKind::RegisterTile, row, op, code.shape).add(code.a_stride);
  key.add({code.planes.a, code.planes.b}, "");
  SmallVector<llvm::Type*> parameters{ptr, ptr, ptr, ptr, i64, i64, ptr, i64};
  if (row.arithmetic->block->reads_rows) parameters.push_back(i64);
  key.add(code.ahead.has_value(), code.ahead ? "ahead" : "");
  if (code.ahead) {
    key.add(code.ahead->a_bytes).add(code.ahead->b_bytes).add(code.ahead->groups);
    parameters.append({ptr, ptr});
  }
  key.add(code.may_start, code.may_start ? "from_zero" : "");
  key.add(code.announces_stores, code.announces_stores ? "stored" : "");
  if (code.may_start) parameters.push_back(llvm::Type::getInt1Ty(scope.module.getContext()));
  return helperFunction(scope, key, parameters,
                        [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
                          for (unsigned same : {3, 6})
                            function.removeParamAttr(same, llvm::Attribute::NoAlias);
                          row.arithmetic->block->emit(builder, function, row, op, code);
                        });
}

llvm::Function* inPlaceRegisterTileFunction(const HelperScope& scope, const Row& row,
                                            const MulAdd& op, const RegisterTile& shape,
                                            const InPlaceStrides& strides) {
  llvm::Type* ptr = llvm::PointerType::getUnqual(scope.module.getContext());
  llvm::Type* i64 = llvm::Type::getInt64Ty(scope.module.getContext());
  FunctionKey key = keyOf(FunctionKind::RegisterTileInPlace, row, op, shape);
  key.add(strides.a).add(strides.b);
  SmallVector<llvm::Type*> parameters{ptr, i64, ptr, i64, i64};
  for (uint32_t s = 0; s < shape.micro_panels; ++s) parameters.append({ptr, i64});
  const RegisterTileCode code{.shape = shape, .a_stride = strides.a, .may_start = false};
  llvm::Function* function = helperFunction(
      scope, key, parameters, [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
        emitVectorBlockInPlace(builder, function, row, op, code, strides.b);
      });
  // Tiles are read through pointers that are no arguments.
  function->setMemoryEffects(function->getMemoryEffects() | llvm::MemoryEffects::readOnly());
  return function;
}

}  // namespace jit::ukernel
