// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/debug_values.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <map>

#include "jit/base/debug.h"
#include "jit/emit/debug_frame.h"
#include "jit/emit/debug_seen.h"
#include "jit/emit/emission.h"
#include "jit/emit/leafwise.h"
#include "jit/ir/marks.h"
#include "jit/ir/symbols.h"
#include "jit/simt/lane_loop.h"
#include "jit/spirv/internal_ops.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"
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
  state_.unseen = unseenValues(e_.module, e_.linearization());
  findShared();
  state_.types.emplace(*state_.locations.builder(), e_.module);
  e_.allocateInFrame(sizeof(DebugFrame));  // at the frame's start: nothing else is there
  state_.frame = e_.allocate(ir.getPtrTy(), "debug.frame");
  markOfKernel(*state_.frame);
  const uint32_t streams = e_.stream().count;
  if (streams > 1 && hasBarriers(e_.module)) {
    state_.streams = e_.allocate(
        llvm::ArrayType::get(ir.getInt64Ty(), sizeof(DebugStream) / 8 * streams), "debug.streams");
    markOfKernel(*state_.streams);
  }
  if (streams > 1) {
    // The first stream of a workgroup says that the others have not begun, or, where all have one
    // frame, what is the same for them.
    auto* first = llvm::BasicBlock::Create(e_.context, "first", ir.GetInsertBlock()->getParent());
    auto* next = llvm::BasicBlock::Create(e_.context, "next", ir.GetInsertBlock()->getParent());
    ir.CreateCondBr(ir.CreateICmpEQ(e_.stream().number, ir.getInt32(0)), first, next);
    ir.SetInsertPoint(first);
    if (state_.streams == nullptr) putWorkgroup();
    for (uint32_t k = 0; state_.streams != nullptr && k < streams; ++k)
      ir.CreateStore(ir.getInt32(static_cast<uint32_t>(DebugStream::kHasNotBegun)),
                     ir.CreateConstGEP1_64(ir.getInt8Ty(), state_.streams,
                                           k * sizeof(DebugStream) + offsetof(DebugStream, at)),
                     /*isVolatile=*/true);
    ir.CreateBr(next);
    ir.SetInsertPoint(next);
  }
  if (streams == 1 || state_.streams != nullptr) putWorkgroup();
  enterFrame();
  put(offsetof(DebugFrame, stream), e_.stream().number);
}

// What is the same for all streams of a workgroup.
void DebugValues::putWorkgroup() {
  auto& ir = e_.ir;
  ir.CreateStore(e_.frame_pointer, state_.frame, /*isVolatile=*/true);
  put(offsetof(DebugFrame, dispatch), e_.dispatch_args);
  put(offsetof(DebugFrame, shared), e_.shared);
  // From DebugFrame::first on.
  const auto& size = e_.module.workgroup_size;
  const bool has_quads = e_.module.derivative_group == DerivativeGroup::Quads;
  const std::array<uint32_t, 8> numbers{
      0,         e_.stream().width, e_.subgroup_size, e_.stream().width,
      has_quads, size[0],           size[1],          size[2]};
  static_assert(offsetof(DebugFrame, workgroup_size) ==
                offsetof(DebugFrame, first) + sizeof(uint32_t) * 5);
  put(offsetof(DebugFrame, first),
      llvm::ConstantDataVector::get(e_.context, llvm::ArrayRef<uint32_t>(numbers)));
  for (unsigned c = 0; c < 3; ++c) put(offsetof(DebugFrame, workgroup) + 4 * c, e_.workgroup_id[c]);
  const uint64_t count = offsetof(rt::DispatchArgs, workgroup_count);
  auto copy = [&](llvm::Type* type, uint64_t offset) {
    llvm::Value* from = ir.CreateConstGEP1_64(ir.getInt8Ty(), e_.dispatch_args, count + offset);
    put(offsetof(DebugFrame, workgroup_count) + offset,
        ir.CreateAlignedLoad(type, from, llvm::Align(4)));
  };
  copy(ir.getInt64Ty(), 0);
  copy(ir.getInt32Ty(), 8);
}

llvm::Value* DebugValues::field(uint64_t offset) {
  return e_.ir.CreateConstGEP1_64(e_.ir.getInt8Ty(), e_.frame_pointer, offset);
}

void DebugValues::put(uint64_t offset, llvm::Value* value) {
  markForDebuggers(
      *e_.ir.CreateAlignedStore(value, field(offset), llvm::Align(4), /*isVolatile=*/true));
}

llvm::Value* DebugValues::streamField(uint64_t offset) {
  auto& ir = e_.ir;
  llvm::Value* number = ir.CreateZExt(e_.stream().number, ir.getInt64Ty());
  return ir.CreateGEP(
      ir.getInt8Ty(), state_.streams,
      ir.CreateAdd(ir.CreateMul(number, ir.getInt64(sizeof(DebugStream))), ir.getInt64(offset)));
}

void DebugValues::enterFrame() {
  if (!isOn() || state_.streams == nullptr) return;
  auto& ir = e_.ir;
  ir.CreateStore(e_.frame_pointer, state_.frame, /*isVolatile=*/true);
  ir.CreateStore(e_.frame_pointer, streamField(offsetof(DebugStream, frame)), true);
  ir.CreateStore(ir.getInt32(DebugStream::kRuns), streamField(offsetof(DebugStream, at)), true);
}

void DebugValues::wait() {
  if (!isOn() || state_.streams == nullptr) return;
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
  const bool is_joined = node.arrival == simt::Arrival::Rejoin;
  putLive(n == 0 ? Before::Nobody : is_joined ? Before::Some : Before::Others);
}

void DebugValues::enterNode() {
  if (isOn()) putLive(Before::Others);
}

void DebugValues::putLive(Before before) {
  auto& ir = e_.ir;
  llvm::Value* live = e_.simt.bits(e_.simt.fullMask());
  auto* type = llvm::cast<llvm::IntegerType>(live->getType());
  llvm::Value* first = ir.getInt32(0);
  if (llvm::Value* region = e_.firstInvocationOfRegion())
    first = ir.CreateTrunc(region, ir.getInt32Ty());
  llvm::Value* stored = live;
  if (type->getBitWidth() < 64) stored = ir.CreateZExt(live, ir.getInt64Ty());
  put(offsetof(DebugFrame, live), stored);
  if (e_.isWide()) {
    put(offsetof(DebugFrame, first), first);
    put(offsetof(DebugFrame, width), ir.getInt32(e_.width()));
  }
  if (before == Before::Some && !e_.isWide()) return;
  llvm::Value* lane = ir.CreateAdd(
      first,
      ir.CreateZExtOrTrunc(ir.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, live, ir.getFalse()),
                           ir.getInt32Ty()));
  if (before != Before::Nobody) {
    // The lane that was looked at, if it is live. A debugger may have set it to anything.
    auto* looked_at = ir.CreateAlignedLoad(ir.getInt32Ty(), field(offsetof(DebugFrame, lane)),
                                           llvm::Align(4), /*isVolatile=*/true);
    markForDebuggers(*looked_at);
    llvm::Value* number = ir.CreateSub(looked_at, first);
    llvm::Value* inside = ir.getTrue();
    if (e_.isWide() || !llvm::isPowerOf2_32(e_.width())) {
      inside = ir.CreateICmpULT(number, ir.getInt32(e_.width()));
      number = ir.CreateSelect(inside, number, ir.getInt32(0));
    } else {
      number = ir.CreateAnd(number, e_.width() - 1);
    }
    llvm::Value* is_live =
        ir.CreateTrunc(ir.CreateLShr(live, ir.CreateZExtOrTrunc(number, type)), ir.getInt1Ty());
    lane = ir.CreateSelect(ir.CreateAnd(inside, is_live), ir.CreateAdd(first, number), lane);
  }
  put(offsetof(DebugFrame, lane), lane);
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
  // The cheapest instruction that stays where it is.
  auto* stop = ir.CreateAlignedLoad(ir.getInt32Ty(), field(offsetof(DebugFrame, lane)),
                                    llvm::Align(4), /*isVolatile=*/true, "line");
  stop->setDebugLoc(state_.locations.stopAt(*place));
  markForDebuggers(*stop);
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
  // Instructions of an extended set write through pointers alone.
  auto isPointer = [&](Id id) {
    const Type* type = e_.typeOf(id);
    return type != nullptr && type->kind == TypeKind::Pointer;
  };
  if (i.op == spv::Op::OpExtInst && llvm::none_of(valueOperands(i), isPointer)) return;
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

// How a component of a value moves from lane to lane where it is used in `node`, if that is known
// before the code runs.
std::optional<LaneWeights> DebugValues::weightsOf(Id id, const Type* type, uint32_t component,
                                                  uint32_t node) const {
  const simt::UniformityAnalysis& lanes = e_.uniformity();
  const uint32_t definition = lanes.definition(id);
  if (definition != simt::kNoNode && e_.linearization().leavesDynamicLoop(definition, node))
    return std::nullopt;
  const bool has_components = type->isScalar() || type->kind == TypeKind::Vector;
  const auto level = has_components ? lanes.of(id, component) : lanes.whole(id);
  if (level != simt::Uniformity::Varying) return LaneWeights{};
  if (!has_components || type->scalar()->kind != TypeKind::Int) return std::nullopt;
  const simt::LaneShape shape = lanes.shape(id, component);
  if (!shape.isLinear() || shape.runtime != 0) return std::nullopt;
  return shape.weights;
}

// Whether its nodes run with the same invocations as often as they run.
bool DebugValues::isFixed(uint32_t mask_class) const {
  const simt::Node& node = e_.linearization().nodes()[mask_class];
  return mask_class == 0 || (node.loop == simt::kNoNode && !node.dynamic_header);
}

// Variables that are said in nodes of one mask class alone: of the same invocations each time, or
// as values of which one lane's says what all have.
void DebugValues::findShared() {
  if (e_.isWide()) return;
  const auto& blocks = e_.module.entry.blocks;
  llvm::DenseMap<Id, const Type*> types;
  for (const Block& block : blocks)
    for (const Instruction& i : block.instructions)
      if (i.result != 0) types[i.result] = i.type;
  struct Said {
    uint32_t mask_class = 0;
    std::vector<std::optional<LaneWeights>> weights;  // by scalar; none: not said
    bool has_one_class = true, is_shared = true;
  };
  std::map<uint32_t, Said> variables;
  auto add = [&](const Instruction& i, uint32_t n) {
    const uint32_t mask_class = e_.linearization().nodes()[n].mask_class;
    auto [said, is_new] = variables.try_emplace(i.operands[0], Said{mask_class});
    Said& all = said->second;
    const Type* whole = e_.module.debug.variables[i.operands[0]].type;
    if (is_new && !holdsMatrix(whole)) all.weights.resize(whole->leaves());
    const Constant* constant = e_.module.constant(i.operands[1]);
    const Type* type = constant != nullptr ? constant->type : types.lookup(i.operands[1]);
    all.has_one_class = all.has_one_class && all.mask_class == mask_class;
    if (!all.has_one_class || type == nullptr || holdsMatrix(whole)) all.is_shared = false;
    if (!all.is_shared) return;
    for (uint32_t k = 0; k < type->leaves(); ++k) {
      const auto weights =
          constant != nullptr ? std::optional(LaneWeights{}) : weightsOf(i.operands[1], type, k, n);
      auto& known = all.weights[i.operands[2] + k];
      if (!weights || (known && *known != *weights)) all.is_shared = false;
      known = weights;
    }
  };
  for (const auto& [n, node] : llvm::enumerate(e_.linearization().nodes())) {
    if (node.latch) continue;
    for (const Instruction& i : blocks[node.block].instructions)
      if (i.op == opcode(InternalOp::DebugValue) && !state_.unseen.contains(&i))
        add(i, static_cast<uint32_t>(n));
  }
  for (const auto& [variable, said] : variables) {
    if (said.has_one_class && isFixed(said.mask_class)) state_.of_same_lanes.insert(variable);
    if (!said.is_shared) continue;
    auto& shared = state_.shared[variable];
    for (const auto& weights : said.weights) shared.push_back(weights.value_or(LaneWeights{}));
  }
}

uint64_t DebugValues::slotOf(uint32_t variable, uint64_t bytes) {
  auto [slot, is_new] = state_.slots.try_emplace(variable, 0);
  if (is_new) slot->second = e_.allocateInFrame(bytes);
  return slot->second;
}

// Of lanes that are not live the slot keeps what it has, if it has anything.
void DebugValues::storeLeaf(llvm::Value* leaf, uint64_t offset, uint64_t bytes,
                            const LaneWeights* weights, bool of_same_lanes) {
  auto& ir = e_.ir;
  if (weights != nullptr) leaf = e_.inFirstLane(leaf, *weights);
  if (leaf->getType()->isPtrOrPtrVectorTy())
    leaf = ir.CreatePtrToInt(leaf, shapedLike(leaf, ir.getInt64Ty()));
  if (!leaf->getType()->getScalarType()->isIntegerTy())
    leaf = ir.CreateBitCast(leaf, integerTypeLike(leaf));
  auto* stored = ir.getIntNTy(static_cast<unsigned>(bytes * 8));
  leaf = ir.CreateZExt(leaf, shapedLike(leaf, stored));
  llvm::Value* at = field(offset);
  const llvm::Align align(bytes);
  if (weights != nullptr) {
    markForDebuggers(*ir.CreateAlignedStore(leaf, at, align, /*isVolatile=*/true));
    return;
  }
  leaf = e_.simt.broadcast(leaf);
  if (llvm::Value* region = e_.firstInvocationOfRegion())
    at = ir.CreateGEP(ir.getInt8Ty(), at, ir.CreateMul(region, ir.getInt64(bytes)));
  if (e_.simt.mask != nullptr && !of_same_lanes) {
    auto* others = ir.CreateAlignedLoad(leaf->getType(), at, align, /*isVolatile=*/true);
    markForDebuggers(*others);
    leaf = ir.CreateSelect(e_.simt.mask, leaf, others);
  }
  markForDebuggers(*ir.CreateAlignedStore(leaf, at, align, /*isVolatile=*/true));
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
    if (state_.unseen.contains(&i)) return Error::success();
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
  const auto shared = state_.shared.find(number);
  const bool is_shared = shared != state_.shared.end();
  const uint32_t lanes = is_shared ? 1 : state_.lanes;
  const uint64_t slot = slotOf(number, bytes * lanes);
  if (state_.unseen.contains(&i)) return Error::success();
  for (size_t k = 0; k < value->leaves.size(); ++k) {
    const size_t n = i.operands[2] + k;
    const LeafLayout& place = places[n];
    storeLeaf(value->leaves[k], slot + place.offset * lanes, leafBytes(place.type),
              is_shared ? &shared->second[n] : nullptr, state_.of_same_lanes.contains(number));
  }
  return Error::success();
}

}  // namespace jit::spirv
