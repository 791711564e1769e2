// SPDX-License-Identifier: Apache-2.0

// Source: SPIR-V Specification, 3.52.20 "Barrier Instructions"; SPV_EXT_split_barrier; Vulkan
// Specification, "Memory Model".
#include "jit/emit/emission.h"
#include "jit/emit/memory_semantics.h"
#include "jit/emit/opcode_rows.h"
#include "jit/emit/race_check.h"
#include "jit/emit/uniform_check.h"
#include "jit/ir/function_kind.h"

namespace jit::spirv {

namespace {

using llvm::Error;

llvm::Expected<spv::Scope> scopeOf(Emission& e, const Instruction& i, size_t operand) {
  if (i.operands.size() <= operand) return malformed(e.module.describe(i) + " lacks operands");
  const Constant* scope = e.module.constant(i.operands[operand]);
  if (scope == nullptr || scope->leaves.size() != 1)
    return malformed(e.module.describe(i) + ": the scope is no constant");
  return static_cast<spv::Scope>(scope->leaves[0]);
}

// Orders memory accesses as the operands from `first` on (scope, semantics) say. A workgroup is
// run by one thread and its invocations by instruction streams, so among its invocations the order
// of the program is enough.
Error emitFence(Emission& e, const Instruction& i, size_t first) {
  llvm::Expected<spv::Scope> scope = scopeOf(e, i, first);
  if (!scope) return scope.takeError();
  if (i.operands.size() <= first + 1) return malformed(e.module.describe(i) + " lacks operands");
  llvm::Expected<MemorySemantics> semantics = memorySemantics(e, i, i.operands[first + 1]);
  if (!semantics) return semantics.takeError();
  switch (*scope) {
    case spv::Scope::Workgroup:
    case spv::Scope::Subgroup:
    case spv::Scope::Invocation:
      return Error::success();
    default:
      if (semantics->ordering != llvm::AtomicOrdering::Monotonic)
        e.ir.CreateFence(semantics->ordering);
      return Error::success();
  }
}

uint64_t bitsOf(Emission& e, Id semantics) {
  const Constant* constant = e.module.constant(semantics);
  return constant != nullptr && !constant->leaves.empty() ? constant->leaves[0] : 0;
}

Error emitMemoryBarrier(Emission& e, const Instruction& i) {
  if (Error error = emitFence(e, i, 0)) return error;
  RaceCheck(e).fence(bitsOf(e, i.operands[1]));
  return Error::success();
}

Error emitControlBarrier(Emission& e, const Instruction& i) {
  llvm::Expected<spv::Scope> scope = scopeOf(e, i, 0);
  if (!scope) return scope.takeError();
  if (Error error = emitFence(e, i, 1)) return error;
  UniformCheck(e).barrier(*scope, true);
  switch (*scope) {
    case spv::Scope::Workgroup:
      if (e.stream().count > 1) {
        DebugValues(e).wait();
        auto* type = llvm::FunctionType::get(e.ir.getVoidTy(), {e.shared->getType()}, false);
        auto* barrier = e.ir.CreateCall(
            declareFunction(e.output(), FunctionKey(FunctionKind::Barrier), type), {e.shared});
        // Other subgroups write there until it returns, and nobody keeps the address.
#if LLVM_VERSION_MAJOR >= 21
        barrier->addParamAttr(
            0, llvm::Attribute::getWithCaptureInfo(e.context, llvm::CaptureInfo::none()));
#else
        barrier->addParamAttr(0, llvm::Attribute::NoCapture);
#endif
        DebugValues(e).enterFrame();
      }
      RaceCheck(e).barrier(rt::RaceBarrier::Workgroup, bitsOf(e, i.operands[2]));
      return Error::success();
    case spv::Scope::Subgroup:
      RaceCheck(e).barrier(rt::RaceBarrier::Subgroup, bitsOf(e, i.operands[2]));
      return Error::success();
    case spv::Scope::Invocation:
      return Error::success();
    default:
      return e.unsupportedAt(
          i, "an execution barrier of this scope; Workgroup and Subgroup are supported");
  }
}

// Nobody waits here; that all have come is known at the wait.
Error emitArrive(Emission& e, const Instruction& i) {
  llvm::Expected<spv::Scope> scope = scopeOf(e, i, 0);
  if (!scope) return scope.takeError();
  if (Error error = emitFence(e, i, 1)) return error;
  UniformCheck(e).barrier(*scope, false);
  RaceCheck(e).barrier(rt::RaceBarrier::Arrival, bitsOf(e, i.operands[2]));
  return Error::success();
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpControlBarrier, emitControlBarrier},
    {spv::Op::OpControlBarrierArriveEXT, emitArrive},
    {spv::Op::OpControlBarrierWaitEXT, emitControlBarrier},
    {spv::Op::OpMemoryBarrier, emitMemoryBarrier},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> barrierOps() { return kRows; }

}  // namespace jit::spirv
