// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/debug_values.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

#include "jit/base/debug.h"
#include "jit/emit/debug_frame.h"
#include "jit/emit/emission.h"
#include "jit/emit/leafwise.h"
#include "jit/ir/marks.h"
#include "jit/ir/symbols.h"
#include "jit/simt/lane_loop.h"
#include "jit/spirv/internal_ops.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/types.h"
#include "runtime/kernel_abi.h"

namespace jit::spirv {

using llvm::Error;

// Where there are none, streams run one after the other, in one frame.
static bool hasBarriers(const Module& module) {
  return llvm::any_of(module.entry.blocks, [](const Block& block) {
    return llvm::any_of(block.instructions, [](const Instruction& i) {
      return i.op == spv::Op::OpControlBarrier || i.op == spv::Op::OpControlBarrierArriveEXT ||
             i.op == spv::Op::OpControlBarrierWaitEXT;
    });
  });
}

llvm::SmallVector<LeafLayout, 16> debugLeaves(const Type* type) {
  llvm::SmallVector<LeafLayout, 16> leaves;
  leafLayouts(type, 0, /*explicit_layout=*/false, {}, 0, leaves);
  return leaves;
}

DebugValues::DebugValues(Emission& e) : e_(e), state_(e.debug) {}

bool DebugValues::isOn() const { return state_.is_on; }

void DebugValues::begin() {
  state_.is_on = e_.request.checks.has(kDebug) && state_.locations.builder() != nullptr;
  if (!isOn()) return;
  auto& ir = e_.ir;
  state_.lanes = e_.stream().width;
  findShared();
  state_.types.emplace(*state_.locations.builder(), e_.module);
  e_.allocateInFrame(sizeof(DebugFrame));  // at the frame's start: nothing else is there
  state_.frame = e_.allocate(ir.getPtrTy(), "debug.frame");
  state_.streams = e_.allocate(
      llvm::ArrayType::get(ir.getInt64Ty(), sizeof(DebugStream) / 8 * e_.stream().count),
      "debug.streams");
  markOfKernel(*state_.frame);
  markOfKernel(*state_.streams);
  if (e_.stream().count > 1) {
    // The first stream of a workgroup says that the others have not begun, and, where all have one
    // frame, what is the same for them.
    auto* first = llvm::BasicBlock::Create(e_.context, "first", ir.GetInsertBlock()->getParent());
    auto* next = llvm::BasicBlock::Create(e_.context, "next", ir.GetInsertBlock()->getParent());
    ir.CreateCondBr(ir.CreateICmpEQ(e_.stream().number, ir.getInt32(0)), first, next);
    ir.SetInsertPoint(first);
    for (uint32_t k = 0; k < e_.stream().count; ++k)
      ir.CreateStore(ir.getInt32(static_cast<uint32_t>(DebugStream::kHasNotBegun)),
                     ir.CreateConstGEP1_64(ir.getInt8Ty(), state_.streams,
                                           k * sizeof(DebugStream) + offsetof(DebugStream, at)),
                     /*isVolatile=*/true);
    if (!hasBarriers(e_.module)) putWorkgroup();
    ir.CreateBr(next);
    ir.SetInsertPoint(next);
  }
  enterFrame();
  if (e_.stream().count == 1 || hasBarriers(e_.module)) putWorkgroup();
  put(offsetof(DebugFrame, lane), ir.getInt32(0));
  put(offsetof(DebugFrame, stream), e_.stream().number);
}

// What is the same for all streams of a workgroup.
void DebugValues::putWorkgroup() {
  auto& ir = e_.ir;
  put(offsetof(DebugFrame, dispatch), e_.dispatch_args);
  put(offsetof(DebugFrame, shared), e_.shared);
  put(offsetof(DebugFrame, subgroup_size), ir.getInt32(e_.subgroup_size));
  put(offsetof(DebugFrame, lanes), ir.getInt32(e_.stream().width));
  put(offsetof(DebugFrame, quads),
      ir.getInt32(e_.module.derivative_group == DerivativeGroup::Quads));
  for (unsigned c = 0; c < 3; ++c) {
    put(offsetof(DebugFrame, workgroup) + 4 * c, e_.workgroup_id[c]);
    put(offsetof(DebugFrame, workgroup_size) + 4 * c, ir.getInt32(e_.module.workgroup_size[c]));
    put(offsetof(DebugFrame, workgroup_count) + 4 * c,
        ir.CreateAlignedLoad(
            ir.getInt32Ty(),
            ir.CreateConstGEP1_64(ir.getInt8Ty(), e_.dispatch_args,
                                  offsetof(rt::DispatchArgs, workgroup_count) + 4 * c),
            llvm::Align(4)));
  }
}

llvm::Value* DebugValues::field(uint64_t offset) {
  return e_.ir.CreateConstGEP1_64(e_.ir.getInt8Ty(), e_.frame_pointer, offset);
}

void DebugValues::put(uint64_t offset, llvm::Value* value) {
  e_.ir.CreateAlignedStore(value, field(offset), llvm::Align(4), /*isVolatile=*/true);
}

llvm::Value* DebugValues::streamField(uint64_t offset) {
  auto& ir = e_.ir;
  llvm::Value* number = ir.CreateZExt(e_.stream().number, ir.getInt64Ty());
  return ir.CreateGEP(
      ir.getInt8Ty(), state_.streams,
      ir.CreateAdd(ir.CreateMul(number, ir.getInt64(sizeof(DebugStream))), ir.getInt64(offset)));
}

void DebugValues::enterFrame() {
  if (!isOn()) return;
  auto& ir = e_.ir;
  ir.CreateStore(e_.frame_pointer, state_.frame, /*isVolatile=*/true);
  ir.CreateStore(e_.frame_pointer, streamField(offsetof(DebugStream, frame)), true);
  ir.CreateStore(ir.getInt32(DebugStream::kRuns), streamField(offsetof(DebugStream, at)), true);
}

void DebugValues::wait() {
  if (!isOn()) return;
  const Location& at = state_.locations.ofClient(e_.instruction()->location);
  e_.ir.CreateStore(e_.ir.getInt32(at.line), streamField(offsetof(DebugStream, at)), true);
}

// Where control comes from nodes with the same invocations only, all is known already.
void DebugValues::enterNode(uint32_t n) {
  if (!isOn()) return;
  const auto& nodes = e_.linearization().nodes();
  const simt::Node& node = nodes[n];
  auto isSame = [&](uint32_t before) {
    return nodes[before].mask_class == node.mask_class && !e_.uniformity().branchVaries(before);
  };
  if (n != 0 && node.arrival == simt::Arrival::Direct && !node.dynamic_header &&
      !node.predecessors.empty() && llvm::all_of(node.predecessors, isSame))
    return;
  enterNode();
}

void DebugValues::enterNode() {
  if (!isOn()) return;
  auto& ir = e_.ir;
  llvm::Value* live = e_.simt.bits(e_.simt.fullMask());
  auto* type = llvm::cast<llvm::IntegerType>(live->getType());
  llvm::Value* first = ir.getInt32(0);
  if (llvm::Value* region = e_.firstInvocationOfRegion())
    first = ir.CreateTrunc(region, ir.getInt32Ty());
  llvm::Value* stored = live;
  if (type->getBitWidth() < 64) stored = ir.CreateZExt(live, ir.getInt64Ty());
  put(offsetof(DebugFrame, live), stored);
  put(offsetof(DebugFrame, first), first);
  put(offsetof(DebugFrame, width), ir.getInt32(e_.width()));
  // The lane that was looked at, if it is live.
  auto* lane = ir.CreateAlignedLoad(ir.getInt32Ty(), field(offsetof(DebugFrame, lane)),
                                    llvm::Align(4), /*isVolatile=*/true);
  llvm::Value* number = ir.CreateSub(lane, first);
  llvm::Value* inside = ir.CreateICmpULT(number, ir.getInt32(e_.width()));
  number = ir.CreateSelect(inside, number, ir.getInt32(0));
  llvm::Value* is_live =
      ir.CreateTrunc(ir.CreateLShr(live, ir.CreateZExtOrTrunc(number, type)), ir.getInt1Ty());
  llvm::Value* first_live = ir.CreateAdd(
      first,
      ir.CreateZExtOrTrunc(ir.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, live, ir.getFalse()),
                           ir.getInt32Ty()));
  put(offsetof(DebugFrame, lane), ir.CreateSelect(ir.CreateAnd(inside, is_live), lane, first_live));
}

void DebugValues::arrive() {
  if (!isOn()) return;
  auto& ir = e_.ir;
  llvm::DILocation* place = ir.getCurrentDebugLocation().get();
  if (place == nullptr || place->getLine() == 0) return;
  const llvm::DILocation* before = state_.place;
  const bool is_same = state_.block == ir.GetInsertBlock() && before != nullptr &&
                       before->getLine() == place->getLine() &&
                       before->getScope() == place->getScope() &&
                       before->getInlinedAt() == place->getInlinedAt();
  state_.place = place;
  state_.block = ir.GetInsertBlock();
  if (is_same) return;
  put(offsetof(DebugFrame, line), ir.getInt32(place->getLine()));
}

// For the compiler alone: no instruction comes of it.
void DebugValues::fence() {
  e_.ir.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
}

void DebugValues::followed(const Instruction& i) {
  if (!isOn()) return;
  const OpcodeTraits& traits = traitsOf(i.op);
  const bool is_own = internalOp(i.op).has_value();
  if (traits.effect != Effect::Any || traits.loads != OpcodeTraits::kNone || is_own) return;
  if (traits.stores != OpcodeTraits::kNone) {
    const Type* pointer = e_.typeOf(i.operands[traits.stores]);
    const bool is_hidden =
        pointer != nullptr &&
        (pointer->storage == spv::StorageClass::Function ||
         pointer->storage == spv::StorageClass::Private) &&
        !e_.module.debug.in_memory.contains(e_.uniformity().root(i.operands[traits.stores]));
    if (is_hidden) return;
  }
  fence();
}

void DebugValues::stop() {
  if (!isOn()) return;
  auto& ir = e_.ir;
  llvm::Value* is_traced = ir.CreateCall(runtimeFunction(
      e_.output(), "tessera.is_traced", ir.getInt1Ty(), {}, llvm::MemoryEffects::unknown()));
  simt::ifHolds(e_.simt, is_traced, [&] {
    ir.CreateIntrinsic(llvm::Intrinsic::debugtrap, llvm::ArrayRef<llvm::Type*>(), {});
  });
}

// Variables that are said in nodes of one mask class alone, and as values that all of it share.
void DebugValues::findShared() {
  if (e_.isWide()) return;
  llvm::DenseMap<uint32_t, uint32_t> classes;  // by variable
  llvm::DenseSet<uint32_t> others;
  for (const simt::Node& node : e_.linearization().nodes()) {
    if (node.latch) continue;
    for (const Instruction& i : e_.module.entry.blocks[node.block].instructions) {
      if (i.op != opcode(InternalOp::DebugValue)) continue;
      const bool is_constant = e_.module.constant(i.operands[1]) != nullptr;
      const auto [of, is_new] = classes.try_emplace(i.operands[0], node.mask_class);
      if (of->second != node.mask_class ||
          (!is_constant && e_.uniformity().whole(i.operands[1]) == simt::Uniformity::Varying))
        others.insert(i.operands[0]);
    }
  }
  for (const auto& [variable, mask_class] : classes)
    if (!others.contains(variable)) state_.shared.insert(variable);
}

uint64_t DebugValues::slotOf(uint32_t variable, uint64_t bytes) {
  auto [slot, is_new] = state_.slots.try_emplace(variable, 0);
  if (is_new) slot->second = e_.allocateInFrame(bytes);
  return slot->second;
}

// Of lanes that are not live the slot keeps what it has.
void DebugValues::storeLeaf(llvm::Value* leaf, uint64_t offset, uint64_t bytes, bool is_shared) {
  auto& ir = e_.ir;
  if (leaf->getType()->isPtrOrPtrVectorTy())
    leaf = ir.CreatePtrToInt(leaf, shapedLike(leaf, ir.getInt64Ty()));
  if (!leaf->getType()->getScalarType()->isIntegerTy())
    leaf = ir.CreateBitCast(leaf, integerTypeLike(leaf));
  auto* stored = ir.getIntNTy(static_cast<unsigned>(bytes * 8));
  leaf = ir.CreateZExt(leaf, shapedLike(leaf, stored));
  llvm::Value* at = field(offset);
  const llvm::Align align(bytes);
  if (is_shared) {
    ir.CreateAlignedStore(e_.simt.uniform(leaf), at, align, /*isVolatile=*/true);
    return;
  }
  leaf = e_.simt.broadcast(leaf);
  if (llvm::Value* region = e_.firstInvocationOfRegion())
    at = ir.CreateGEP(ir.getInt8Ty(), at, ir.CreateMul(region, ir.getInt64(bytes)));
  if (e_.simt.mask != nullptr)
    leaf = ir.CreateSelect(e_.simt.mask, leaf,
                           ir.CreateAlignedLoad(leaf->getType(), at, align, /*isVolatile=*/true));
  ir.CreateAlignedStore(leaf, at, align, /*isVolatile=*/true);
}

Error DebugValues::value(const Instruction& i) {
  if (!isOn()) return Error::success();
  const uint32_t number = i.operands[0];
  llvm::Expected<Value> value = e_.value(i.operands[1]);
  if (!value) return value.takeError();
  const Type* type = e_.module.debug.variables[number].type;
  if (holdsMatrix(type)) {
    const uint64_t bytes = value->leaves[0]->getType()->getPrimitiveSizeInBits() / 8;
    const uint64_t slot = slotOf(number, bytes * type->leaves());
    for (size_t k = 0; k < value->leaves.size(); ++k) {
      const uint64_t offset = (i.operands[2] + k) * bytes;
      e_.ir.CreateAlignedStore(value->leaves[k], field(slot + offset),
                               llvm::commonAlignment(llvm::Align(64), offset));
    }
    fence();
    return Error::success();
  }
  const auto places = debugLeaves(type);
  const uint64_t bytes = type->naturalSize();
  const bool is_shared = isShared(number);
  const uint32_t lanes = is_shared ? 1 : state_.lanes;
  const uint64_t slot = slotOf(number, bytes * lanes);
  for (size_t k = 0; k < value->leaves.size(); ++k) {
    const LeafLayout& place = places[i.operands[2] + k];
    storeLeaf(value->leaves[k], slot + place.offset * lanes, leafBytes(place.type), is_shared);
  }
  return Error::success();
}

}  // namespace jit::spirv
