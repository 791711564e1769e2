// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/coverage.h"

#include <llvm/IR/Metadata.h>

#include "jit/emit/emission.h"
#include "jit/ir/symbols.h"
#include "runtime/kernel_abi.h"

namespace jit::spirv {

namespace {

// Passes that schedule products keep calls that touch nobody's memory, but not stores.
bool hasMatrices(const Emission& e) {
  return e.module.has(spv::Capability::CooperativeMatrixKHR) ||
         e.module.has(spv::Capability::CooperativeMatrixNV);
}

}  // namespace

bool Coverage::isOn() const { return !e_.module.coverage.empty(); }

void Coverage::set(llvm::Value* flag) const {
  auto& ir = e_.ir;
  if (hasMatrices(e_)) {
    ir.CreateCall(runtimeFunction(e_.output(), "tessera.cover", ir.getVoidTy(),
                                  {ir.getPtrTy(), ir.getInt32Ty()},
                                  llvm::MemoryEffects::inaccessibleMemOnly()),
                  {e_.dispatch_args, flag});
    return;
  }
  llvm::Value* field =
      ir.CreateConstGEP1_64(ir.getInt8Ty(), e_.dispatch_args, offsetof(rt::DispatchArgs, coverage));
  llvm::LoadInst* flags = ir.CreateAlignedLoad(ir.getPtrTy(), field, llvm::Align(8));
  flags->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(e_.context, {}));
  ir.CreateAlignedStore(ir.getInt8(1), ir.CreateGEP(ir.getInt8Ty(), flags, {flag}), llvm::Align(1));
}

void Coverage::block(uint32_t number) const {
  if (!isOn() || !e_.module.coverage[number].sets_flag) return;
  set(e_.ir.getInt32(e_.module.coverage[number].flag));
}

void Coverage::branch(uint32_t block, uint32_t branch, llvm::Value* lanes) const {
  if (!isOn()) return;
  const CoveredBranch& covered = e_.module.coverage[block].branches[branch];
  if (!covered.sets_flag) return;
  llvm::Value* flag = e_.ir.getInt32(covered.flag);
  // Where nobody takes it, a byte of no meaning is set.
  if (lanes != nullptr) flag = e_.ir.CreateSelect(e_.simt.any(lanes), flag, e_.ir.getInt32(0));
  set(flag);
}

}  // namespace jit::spirv
