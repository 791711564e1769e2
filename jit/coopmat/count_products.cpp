// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/count_products.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <map>
#include <vector>

#include "jit/ir/matrix_ops.h"
#include "jit/ir/symbols.h"
#include "jit/ukernel/ukernel.h"
#include "runtime/profile.h"

namespace jit::coopmat {
namespace {

// Of the instructions that a machine may do it with, not of those that the target does.
rt::ProductKind kindOf(const MulAdd& op, const Target& target) {
  const ukernel::Row* row = ukernel::select(op, target);
  const bool uses_tiles = row != nullptr && row->arithmetic->multiplyTiles != nullptr;
  if (isInteger(op.a) || isInteger(op.b))
    return bytesOf(op.a) == 1 && bytesOf(op.b) == 1 ? rt::ProductKind::Int8
                                                    : rt::ProductKind::Other;
  if (bytesOf(op.a) == 8 || bytesOf(op.b) == 8) return rt::ProductKind::F64;
  if (op.a == Component::F32 || op.b == Component::F32) return rt::ProductKind::F32;
  // Of tiles those of bf16 serve f16 as well, several of them for a product.
  return op.a == Component::F16 && !uses_tiles ? rt::ProductKind::F32 : rt::ProductKind::Bf16;
}

}  // namespace

bool countProducts(llvm::Function& function, const Target& target) {
  std::vector<MulAddCall> products;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (std::optional<MulAddCall> product = matchMulAdd(&instruction)) products.push_back(*product);
  if (products.empty()) return false;

  llvm::IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
  std::map<rt::ProductKind, llvm::AllocaInst*> sums;
  for (const MulAddCall& product : products) {
    const MulAdd& op = product.op;
    llvm::AllocaInst*& sum = sums[kindOf(op, target)];
    if (sum == nullptr) {
      sum = entry.CreateAlloca(entry.getInt64Ty(), nullptr, "multiply_adds");
      entry.CreateStore(entry.getInt64(0), sum);
    }
    llvm::IRBuilder<> builder(product.call);
    llvm::Value* before = builder.CreateLoad(builder.getInt64Ty(), sum);
    const uint64_t multiply_adds = uint64_t{op.m} * op.n * op.k;
    builder.CreateStore(builder.CreateAdd(before, builder.getInt64(multiply_adds)), sum);
  }

  llvm::FunctionCallee count =
      runtimeFunction(*function.getParent(), "tessera.count_products", entry.getVoidTy(),
                      {entry.getPtrTy(), entry.getInt32Ty(), entry.getInt64Ty()},
                      llvm::MemoryEffects::inaccessibleMemOnly());
  for (llvm::BasicBlock& block : function) {
    auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (end == nullptr) continue;
    llvm::IRBuilder<> builder(end);
    for (const auto& [kind, sum] : sums)
      builder.CreateCall(count, {function.getArg(0), builder.getInt32(static_cast<uint32_t>(kind)),
                                 builder.CreateLoad(builder.getInt64Ty(), sum)});
  }
  std::vector<llvm::AllocaInst*> variables;
  for (const auto& [kind, sum] : sums) variables.push_back(sum);
  llvm::DominatorTree dominators(function);
  llvm::PromoteMemToReg(variables, dominators);
  return true;
}

}  // namespace jit::coopmat
