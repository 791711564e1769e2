// SPDX-License-Identifier: Apache-2.0

// Instructions that say something of values, or ask something of the machine. Sources:
// SPV_KHR_expect_assume, SPV_KHR_shader_clock.
#include <llvm/IR/Intrinsics.h>

#include "jit/emit/emission.h"
#include "jit/emit/opcode_rows.h"
#include "jit/emit/shader_abort.h"

namespace jit::spirv {

namespace {

using llvm::Error;

// Code is laid out by its structure, so what is likely changes nothing.
Error emitExpect(Emission& e, const Instruction& i) {
  llvm::Expected<Value> value = e.value(i.operands[0]);
  if (!value) return value.takeError();
  e.setValue(i, Value{i.type, value->leaves});
  return Error::success();
}

Error emitAssume(Emission&, const Instruction&) { return Error::success(); }

// The time stamp counter, which runs evenly and is the same on all cores: good for any scope.
Error emitReadClock(Emission& e, const Instruction& i) {
  llvm::Value* ticks =
      e.ir.CreateIntrinsic(llvm::Intrinsic::readcyclecounter, llvm::ArrayRef<llvm::Type*>(), {});
  Value result{i.type, {ticks}};
  if (i.type->kind == TypeKind::Vector)  // low word first
    result.leaves = {e.ir.CreateTrunc(ticks, e.ir.getInt32Ty()),
                     e.ir.CreateTrunc(e.ir.CreateLShr(ticks, 32), e.ir.getInt32Ty())};
  e.setValue(i, std::move(result));
  return Error::success();
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpExpectKHR, emitExpect},
    {spv::Op::OpAssumeTrueKHR, emitAssume},
    {spv::Op::OpReadClockKHR, emitReadClock},
    {spv::Op::OpAbortKHR, emitAbort},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> hintOps() { return kRows; }

}  // namespace jit::spirv
