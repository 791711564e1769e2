// Source: SPIR-V Specification, 3.52.20 "Barrier Instructions"; Vulkan Memory Model.
#include "jit/spirv/emission.h"

namespace jit::spirv {

namespace {

using llvm::Error;

// x86 keeps the order of all but a store and a later load, and a subgroup is one instruction
// stream, so a fence only tells LLVM not to move accesses.
void emitFence(Emission& e) { e.ir.CreateFence(llvm::AtomicOrdering::AcquireRelease); }

Error emitMemoryBarrier(Emission& e, const Instruction&) {
  emitFence(e);
  return Error::success();
}

Error emitControlBarrier(Emission& e, const Instruction& i) {
  const Constant* scope = e.module.constant(i.operands[0]);
  if (scope == nullptr) return malformed(e.module.describe(i) + ": the scope is no constant");
  emitFence(e);
  switch (static_cast<spv::Scope>(scope->leaves[0])) {
    case spv::Scope::Workgroup:
      if (e.subgroups > 1) {
        auto* type = llvm::FunctionType::get(e.ir.getVoidTy(), false);
        e.ir.CreateCall(e.output().getOrInsertFunction(kBarrierFunction, type));
      }
      return Error::success();
    case spv::Scope::Subgroup:
    case spv::Scope::Invocation:
      return Error::success();
    default:
      return e.unsupportedAt(
          i, "an execution barrier of this scope; Workgroup and Subgroup are supported");
  }
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpControlBarrier, emitControlBarrier},
    {spv::Op::OpMemoryBarrier, emitMemoryBarrier},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> barrierOps() { return kRows; }

}  // namespace jit::spirv
