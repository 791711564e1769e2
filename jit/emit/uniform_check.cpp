// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/uniform_check.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Intrinsics.h>

#include "jit/emit/check_site.h"
#include "jit/emit/emission.h"
#include "jit/ir/symbols.h"
#include "jit/simt/lane_permute.h"
#include "jit/spirv/group_instruction.h"

namespace jit::spirv {

using rt::UniformOperand;
using rt::UniformRule;

namespace {

bool isWorkgroupBarrier(const Module& module, const Instruction& i) {
  if (i.op != spv::Op::OpControlBarrier && i.op != spv::Op::OpControlBarrierWaitEXT &&
      i.op != spv::Op::OpControlBarrierArriveEXT)
    return false;
  const Constant* scope = module.constant(i.operands[0]);
  return scope != nullptr && !scope->leaves.empty() &&
         static_cast<spv::Scope>(scope->leaves[0]) == spv::Scope::Workgroup;
}

llvm::Value* count(Emission& e, llvm::Value* lanes) {
  llvm::Value* bits = e.simt.bits(lanes);
  return e.ir.CreateZExtOrTrunc(e.simt.call(llvm::Intrinsic::ctpop, {bits}), e.ir.getInt32Ty());
}

}  // namespace

bool UniformCheck::isOn() const {
  return e_.instruction() != nullptr && e_.request.checks.has(rt::Check::Uniform);
}

// Of the current instruction. Neither the function nor what it reads is the kernel's, so that
// passes over matrices may have it anywhere.
void UniformCheck::call(llvm::StringRef function, llvm::ArrayRef<llvm::Value*> numbers) const {
  auto& ir = e_.ir;
  llvm::SmallVector<llvm::Value*, 8> arguments = {e_.dispatch_args, checkSite(e_, 0),
                                                  e_.workgroup_id[0], e_.workgroup_id[1],
                                                  e_.workgroup_id[2]};
  arguments.append(numbers.begin(), numbers.end());
  llvm::SmallVector<llvm::Type*, 8> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  ir.CreateCall(runtimeFunction(e_.output(), function, ir.getVoidTy(), types,
                                llvm::MemoryEffects::inaccessibleMemOnly()),
                arguments);
}

// --- all invocations of a scope

// Whether a barrier may be one that not all streams of the workgroup come to.
bool UniformCheck::recordsBarriers() const {
  if (!e_.request.checks.has(rt::Check::Uniform) || e_.isWide() || e_.stream().count == 1)
    return false;
  const auto& nodes = e_.linearization().nodes();
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].latch || e_.uniformity().isWorkgroups(n)) continue;
    for (const Instruction& i : e_.module.entry.blocks[nodes[n].block].instructions)
      if (isWorkgroupBarrier(e_.module, i)) return true;
  }
  return false;
}

void UniformCheck::begin() const {
  if (!recordsBarriers()) return;
  auto& ir = e_.ir;
  llvm::Type *ptr = ir.getPtrTy(), *i32 = ir.getInt32Ty();
  ir.CreateCall(runtimeFunction(e_.output(), "tessera.begin_barriers", ir.getVoidTy(),
                                {ptr, i32, i32}, llvm::MemoryEffects::inaccessibleMemOnly()),
                {e_.dispatch_args, e_.stream().number, ir.getInt32(e_.stream().count)});
}

void UniformCheck::end(llvm::Instruction& before) const {
  if (!recordsBarriers()) return;
  auto& ir = e_.ir;
  ir.SetInsertPoint(&before);
  llvm::Type *ptr = ir.getPtrTy(), *i32 = ir.getInt32Ty();
  ir.CreateCall(
      runtimeFunction(e_.output(), "tessera.end_barriers", ir.getVoidTy(),
                      {ptr, i32, i32, i32, i32}, llvm::MemoryEffects::inaccessibleMemOnly()),
      {e_.dispatch_args, e_.workgroup_id[0], e_.workgroup_id[1], e_.workgroup_id[2],
       e_.stream().number});
}

void UniformCheck::presence(UniformRule rule) const {
  auto& ir = e_.ir;
  auto& simt = e_.simt;
  if (simt.mask == nullptr || simt.mask == e_.existing()) return;
  const bool is_full = e_.existing() == nullptr;
  llvm::Value* existing =
      is_full ? static_cast<llvm::Value*>(ir.getInt32(e_.width())) : count(e_, e_.existing());
  call("tessera.check_presence", {checkedSubgroup(e_), ir.getInt32(static_cast<uint32_t>(rule)),
                                  count(e_, simt.mask), existing});
}

void UniformCheck::barrier(spv::Scope scope, bool waits) const {
  const bool is_workgroups = scope == spv::Scope::Workgroup;
  if (!isOn() || (!is_workgroups && scope != spv::Scope::Subgroup)) return;
  presence(is_workgroups ? UniformRule::Barrier : UniformRule::SubgroupBarrier);
  if (!is_workgroups || !recordsBarriers()) return;
  auto& ir = e_.ir;
  llvm::Type *ptr = ir.getPtrTy(), *i32 = ir.getInt32Ty();
  ir.CreateCall(
      runtimeFunction(e_.output(), "tessera.come_to_barrier", ir.getVoidTy(),
                      {ptr, ptr, i32, i32, i32}, llvm::MemoryEffects::inaccessibleMemOnly()),
      {e_.dispatch_args, checkSite(e_, 0), e_.stream().number,
       ir.getInt32(e_.uniformity().isWorkgroups(e_.node()) ? 0 : 1), ir.getInt32(waits ? 1 : 0)});
}

void UniformCheck::matrix() const {
  if (isOn()) presence(UniformRule::Matrix);
}

// --- operands

void UniformCheck::operands(llvm::ArrayRef<llvm::Value*> values, UniformOperand which) const {
  if (!isOn()) return;
  auto& ir = e_.ir;
  auto& simt = e_.simt;
  llvm::Value* differs = nullptr;
  for (llvm::Value* value : values) {
    if (!simt.isVarying(value)) continue;
    llvm::Value* settled = simt.settled(value);
    llvm::Value* other = ir.CreateICmpNE(settled, simt.broadcast(simt.uniform(settled)));
    differs = differs == nullptr ? other : ir.CreateOr(differs, other);
  }
  if (differs != nullptr) reportIf(differs, which);
}

void UniformCheck::reportIf(llvm::Value* lanes, UniformOperand which) const {
  auto& ir = e_.ir;
  llvm::Value* differs = ir.CreateZExt(e_.simt.any(e_.simt.amongLive(lanes)), ir.getInt32Ty());
  call("tessera.check_operand",
       {checkedSubgroup(e_), ir.getInt32(static_cast<uint32_t>(which)), differs});
}

// The same for those of each quad that are live.
void UniformCheck::operandOfQuads(llvm::Value* value, UniformOperand which) const {
  auto& ir = e_.ir;
  auto& simt = e_.simt;
  if (!simt.isVarying(value)) return;
  llvm::Value *settled = simt.settled(value), *live = simt.fullMask();
  llvm::Value* differs = nullptr;
  for (uint32_t distance = 1; distance < 4; ++distance) {
    auto other = [&](llvm::Value* lanes) {
      return simt::shuffleLanes(simt, lanes, [&](uint32_t lane) { return lane ^ distance; });
    };
    llvm::Value* unequal = ir.CreateAnd(ir.CreateICmpNE(settled, other(settled)), other(live));
    differs = differs == nullptr ? unequal : ir.CreateOr(differs, unequal);
  }
  reportIf(differs, which);
}

void UniformCheck::operand(llvm::Value* value, UniformOperand which) const {
  operands({value}, which);
}

llvm::Error UniformCheck::groupOperand(const Instruction& i) const {
  if (!isOn()) return llvm::Error::success();
  const auto group = groupInstruction(i);
  const bool is_ballot = i.op == spv::Op::OpGroupNonUniformInverseBallot;
  llvm::Expected<Value> value = e_.value(is_ballot ? group->value : group->selector);
  if (!value) return value.takeError();
  if (i.op == spv::Op::OpGroupNonUniformQuadBroadcast) {
    operandOfQuads(value->leaves[0], UniformOperand::Lane);
    return llvm::Error::success();
  }
  operands(value->leaves, is_ballot                                     ? UniformOperand::Ballot
                          : i.op == spv::Op::OpGroupNonUniformRotateKHR ? UniformOperand::Delta
                                                                        : UniformOperand::Lane);
  return llvm::Error::success();
}

void UniformCheck::descriptor(llvm::Value* index, const Instruction& chain) const {
  if (!isOn()) return;
  const bool may_differ =
      e_.module.decorated(chain.result).non_uniform ||
      llvm::any_of(chain.operands, [&](Id id) { return e_.module.decorated(id).non_uniform; });
  if (!may_differ) operand(index, UniformOperand::Descriptor);
}

}  // namespace jit::spirv
