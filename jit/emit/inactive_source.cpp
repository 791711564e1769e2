// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/inactive_source.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Intrinsics.h>

#include "jit/emit/check_site.h"
#include "jit/emit/leafwise.h"
#include "jit/ir/symbols.h"
#include "jit/spirv/group_instruction.h"
#include "jit/spirv/inactive_sources.h"

namespace jit::spirv {

namespace {

using llvm::Error;

constexpr uint32_t kQuad = 4;

// The invocation that each one reads, and whether there is one of that number: vectors of i32 and
// of i1.
struct Read {
  llvm::Value *lanes, *exists;
};

llvm::Expected<Read> readBy(Emission& e, const Instruction& i, llvm::Value* selector) {
  auto& ir = e.ir;
  llvm::Value* own = e.simt.laneIndices(ir.getInt32Ty());
  llvm::Value* number = e.simt.broadcast(
      e.simt.settled(ir.CreateZExtOrTrunc(selector, shapedLike(selector, ir.getInt32Ty()))));
  llvm::Value* size = integerLike(own, e.width());
  llvm::Value* all = llvm::Constant::getAllOnesValue(e.simt.vectorOf(ir.getInt1Ty()));
  auto inside = [&](llvm::Value* lanes) { return ir.CreateICmpULT(lanes, size); };
  switch (i.op) {
    case spv::Op::OpGroupNonUniformShuffleXor: {
      llvm::Value* lanes = ir.CreateXor(own, number);
      return Read{lanes, inside(lanes)};
    }
    case spv::Op::OpGroupNonUniformShuffleUp:
      return Read{ir.CreateSub(own, number), ir.CreateICmpULE(number, own)};
    case spv::Op::OpGroupNonUniformShuffleDown:
      return Read{ir.CreateAdd(own, number), ir.CreateICmpULT(number, ir.CreateSub(size, own))};
    case spv::Op::OpGroupNonUniformRotateKHR: {
      llvm::Expected<uint32_t> cluster = clusterSize(e.module, i, e.width());
      if (!cluster) return cluster.takeError();
      llvm::Value* within = integerLike(own, *cluster - 1);
      return Read{ir.CreateOr(ir.CreateAnd(own, ir.CreateNot(within)),
                              ir.CreateAnd(ir.CreateAdd(own, number), within)),
                  all};
    }
    case spv::Op::OpGroupNonUniformQuadBroadcast:
      return Read{ir.CreateOr(ir.CreateAnd(own, integerLike(own, ~uint64_t{kQuad - 1})),
                              ir.CreateAnd(number, integerLike(own, kQuad - 1))),
                  ir.CreateICmpULT(number, integerLike(own, kQuad))};
    case spv::Op::OpGroupNonUniformQuadSwap:
      return Read{ir.CreateXor(own, ir.CreateAdd(ir.CreateAnd(number, integerLike(own, kQuad - 1)),
                                                 integerLike(own, 1))),
                  all};
    default:  // the number is the invocation's
      return Read{number, inside(number)};
  }
}

// Their sites, one behind the other, each with its zero: once in the module.
llvm::GlobalVariable* sitesOf(Emission& e) {
  std::string sites;
  for (const Instruction* source : inactiveSources(e.module)) {
    auto* site = llvm::cast<llvm::GlobalVariable>(checkSite(e, *source, 0));
    sites += llvm::cast<llvm::ConstantDataArray>(site->getInitializer())->getAsString();
    site->eraseFromParent();
  }
  auto* text = llvm::ConstantDataArray::getString(e.context, sites);
  for (llvm::GlobalVariable& made : e.output().globals())
    if (made.hasInitializer() && made.getInitializer() == text) return &made;
  return new llvm::GlobalVariable(e.output(), text->getType(), true,
                                  llvm::GlobalValue::PrivateLinkage, text, "sites");
}

}  // namespace

// Whether an active invocation has read one that is not.
Error emitInactiveSource(Emission& e, const Instruction& i) {
  auto& ir = e.ir;
  const std::vector<const Instruction*> sources = inactiveSources(e.module);
  const auto source = llvm::find_if(
      sources, [&](const Instruction* other) { return other->result == i.operands[0]; });
  if (source == sources.end() || i.operands.size() < 2)
    return malformed(e.module.describe(i) + " follows no instruction");
  llvm::Expected<Value> selector = e.value(i.operands[1]);
  if (!selector) return selector.takeError();
  llvm::Expected<Read> read = readBy(e, **source, selector->leaves[0]);
  if (!read) return read.takeError();
  llvm::Value* active = read->exists;
  if (e.simt.mask != nullptr) {
    llvm::Type* word = e.width() > 32 ? ir.getInt64Ty() : ir.getInt32Ty();
    llvm::Value* bits = e.simt.broadcast(ir.CreateZExt(e.simt.bits(e.simt.mask), word));
    llvm::Value* lanes = ir.CreateAnd(read->lanes, integerLike(read->lanes, e.width() - 1));
    llvm::Value* live = ir.CreateLShr(bits, ir.CreateZExtOrTrunc(lanes, bits->getType()));
    active = ir.CreateAnd(active, ir.CreateTrunc(live, e.simt.vectorOf(ir.getInt1Ty())));
  }
  llvm::Value* inactive = e.simt.amongLive(ir.CreateNot(active));
  if (auto* known = llvm::dyn_cast<llvm::Constant>(inactive); known && known->isNullValue())
    inactive = ir.getFalse();
  e.setValue(i, Value{i.type, {inactive}});
  return Error::success();
}

Error emitInactiveUse(Emission& e, const Instruction& i) {
  auto& ir = e.ir;
  llvm::Expected<Value> value = e.value(i.operands[0]);
  if (!value) return value.takeError();
  llvm::Value* bits = value->leaves[0];
  if (auto* known = llvm::dyn_cast<llvm::Constant>(bits); known && known->isNullValue())
    return Error::success();
  bits = e.simt.broadcast(e.simt.settled(bits));
  llvm::Value* used = e.simt.amongLive(ir.CreateICmpNE(bits, integerLike(bits, 0)));
  unlessGood(e, ir.CreateNot(e.simt.any(used)), [&] {
    llvm::Value* origins = ir.CreateOrReduce(
        ir.CreateSelect(used, bits, llvm::Constant::getNullValue(bits->getType())));
    llvm::Value* set = e.simt.bits(used);
    llvm::Value* first = ir.CreateZExtOrTrunc(
        e.simt.call(llvm::Intrinsic::cttz, {set, ir.getTrue()}), ir.getInt32Ty());
    llvm::Value* invocation = e.simt.lane(e.localInvocationIndex(), first);
    llvm::Type *ptr = ir.getPtrTy(), *i32 = ir.getInt32Ty();
    ir.CreateCall(runtimeFunction(e.output(), "tessera.check_sources", ir.getVoidTy(),
                                  {ptr, ptr, i32, i32, i32, i32, i32},
                                  llvm::MemoryEffects::inaccessibleOrArgMemOnly()),
                  {e.dispatch_args, sitesOf(e), e.workgroup_id[0], e.workgroup_id[1],
                   e.workgroup_id[2], origins, invocation});
  });
  return Error::success();
}

}  // namespace jit::spirv
