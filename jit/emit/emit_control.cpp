// SPDX-License-Identifier: Apache-2.0

// Control flow: blocks in the order and with the masks that analysis/linearization decided.
#include <cassert>
#include <utility>

#include "jit/base/containment.h"
#include "jit/emit/coverage.h"
#include "jit/emit/emission.h"
#include "jit/emit/float_check.h"
#include "jit/emit/opcode_rows.h"
#include "jit/emit/uniform_check.h"
#include "jit/ir/marks.h"

namespace jit::spirv {

using simt::Arrival;
using simt::kNoNode;

llvm::BasicBlock* Emission::entryOf(uint32_t node) {
  if (stream_.code[node].entry == nullptr)
    stream_.code[node].entry =
        llvm::BasicBlock::Create(context, "n" + llvm::Twine(node), function_);
  return stream_.code[node].entry;
}

llvm::AllocaInst* Emission::maskSlot(uint32_t node) {
  if (stream_.code[node].mask_slot == nullptr) {
    auto* type = simt.vectorOf(ir.getInt1Ty());
    stream_.code[node].mask_slot = allocate(type, "mask" + llvm::Twine(node));
    // Those who wait for a node in a loop run it before the loop's next iteration begins.
    markClearedWhenEntered(*stream_.code[node].mask_slot);
    llvm::IRBuilder<> start(entry_block_->getTerminator());
    start.CreateStore(llvm::Constant::getNullValue(type), stream_.code[node].mask_slot);
  }
  return stream_.code[node].mask_slot;
}

llvm::Value* Emission::maskOf(uint32_t node) {
  return stream_.code[stream_.linearization->nodes()[node].mask_class].mask;
}

void Emission::arrive(uint32_t node, llvm::Value* lanes) {
  FirstArrival& first = stream_.code[node].first_arrival;
  if (first.block == nullptr && stream_.code[node].mask_slot == nullptr) {
    first = {ir.GetInsertBlock(), lanes};
    return;
  }
  storeFirstArrival(node);
  llvm::AllocaInst* slot = maskSlot(node);
  writeSlot(slot, ir.CreateOr(readSlot(slot), lanes));
}

void Emission::storeFirstArrival(uint32_t node) {
  FirstArrival first = std::exchange(stream_.code[node].first_arrival, {});
  if (first.block == nullptr) return;
  llvm::IRBuilderBase::InsertPointGuard guard(ir);
  if (llvm::Instruction* end = first.block->getTerminator())
    ir.SetInsertPoint(end);
  else
    ir.SetInsertPoint(first.block);
  llvm::AllocaInst* slot = maskSlot(node);
  writeSlot(slot, ir.CreateOr(readSlot(slot), first.lanes));
}

llvm::Value* Emission::takeArrived(uint32_t node) {
  // Every edge to the start of a node is known by now: they come from nodes before it.
  const FirstArrival& first = stream_.code[node].first_arrival;
  if (first.block != nullptr && entryOf(node)->getSinglePredecessor() == first.block)
    return first.lanes;
  storeFirstArrival(node);
  llvm::AllocaInst* slot = maskSlot(node);
  llvm::Value* arrived = readSlot(slot);
  writeSlot(slot, llvm::Constant::getNullValue(slot->getAllocatedType()));
  return arrived;
}

void Emission::leaveTo(uint32_t next) {
  ir.CreateBr(next == kNoNode ? exit_block_ : entryOf(next));
}

llvm::Error Emission::emitEdge(uint32_t from, uint32_t to, llvm::Value* lanes, bool varies) {
  const auto& nodes = stream_.linearization->nodes();
  const simt::Node& target = nodes[to];
  if (lanes == nullptr) lanes = simt.mask;
  const bool direct = !varies && target.arrival == Arrival::Direct;
  const bool blend = !direct && stream_.linearization->gathers(to);
  if (llvm::Error error = storePhis(from, to, lanes, blend)) return error;
  if (direct) {
    if (target.dynamic_header) writeSlot(stream_.code[to].loop_mask, simt.fullMask());
    ir.CreateBr(entryOf(to));
    return llvm::Error::success();
  }
  if (target.arrival == Arrival::Accumulate) arrive(to, lanes != nullptr ? lanes : simt.fullMask());
  if (!varies) leaveTo(nodes[from].next);
  return llvm::Error::success();
}

llvm::Error Emission::emitTerminator(uint32_t n) {
  const simt::Node& node = stream_.linearization->nodes()[n];
  const Instruction& t = module.entry.blocks[node.block].terminator;
  const bool varies = stream_.uniformity->branchVaries(n);
  switch (t.op) {
    case spv::Op::OpBranch:
      return emitEdge(n, node.successors[0], nullptr, false);
    case spv::Op::OpReturn:
    case spv::Op::OpReturnValue:
    case spv::Op::OpUnreachable:
      leaveTo(node.next);
      return llvm::Error::success();
    case spv::Op::OpBranchConditional:
    case spv::Op::OpSwitch:
      break;
    default:
      return unsupportedAt(t, "this way to end a block is not supported in compute shaders");
  }
  bool one_target = true;
  for (uint32_t s : node.successors) one_target &= s == node.successors[0];
  if (one_target) return emitEdge(n, node.successors[0], nullptr, false);

  llvm::Expected<Value> selector = value(t.operands[0]);
  if (!selector) return selector.takeError();
  llvm::Value* selected = selector->leaves[0];

  if (!varies) {
    selected = simt.uniform(selected);
    llvm::SmallVector<llvm::BasicBlock*, 8> edges;
    for (size_t k = 0; k < node.successors.size(); ++k)
      edges.push_back(llvm::BasicBlock::Create(context, "edge", function_));
    if (t.op == spv::Op::OpBranchConditional) {
      ir.CreateCondBr(selected, edges[0], edges[1]);
    } else {
      auto* type = llvm::cast<llvm::IntegerType>(selected->getType());
      const uint32_t words = type->getBitWidth() > 32 ? 2 : 1;
      auto* branch = ir.CreateSwitch(selected, edges[0], static_cast<unsigned>(edges.size() - 1));
      for (size_t k = 1; k < edges.size(); ++k) {
        size_t at = 2 + (k - 1) * (words + 1);
        uint64_t literal = t.operands[at];
        if (words == 2) literal |= uint64_t{t.operands[at + 1]} << 32;
        branch->addCase(llvm::ConstantInt::get(context, integerBits(type->getBitWidth(), literal)),
                        edges[k]);
      }
    }
    for (uint32_t k = 0; k < edges.size(); ++k) {
      ir.SetInsertPoint(edges[k]);
      Coverage(*this).branch(node.block, k, nullptr);
      if (llvm::Error error = emitEdge(n, node.successors[k], nullptr, false)) return error;
    }
    return llvm::Error::success();
  }

  selected = simt.broadcast(selected);
  llvm::Value* live = simt.fullMask();
  if (t.op == spv::Op::OpBranchConditional) {
    llvm::Value* taken = ir.CreateAnd(live, selected);
    llvm::Value* other = ir.CreateAnd(live, ir.CreateNot(selected));
    Coverage(*this).branch(node.block, 0, taken);
    Coverage(*this).branch(node.block, 1, other);
    if (llvm::Error error = emitEdge(n, node.successors[0], taken, true)) return error;
    if (llvm::Error error = emitEdge(n, node.successors[1], other, true)) return error;
    leaveTo(node.next);
    return llvm::Error::success();
  }
  const uint32_t bits = selected->getType()->getScalarSizeInBits();
  const uint32_t words = bits > 32 ? 2 : 1;
  llvm::Value* rest = live;
  // Several literals may share a target; each adds its own invocations.
  for (size_t k = 1; k < node.successors.size(); ++k) {
    size_t at = 2 + (k - 1) * (words + 1);
    uint64_t literal = t.operands[at];
    if (words == 2) literal |= uint64_t{t.operands[at + 1]} << 32;
    llvm::Value* equal = ir.CreateICmpEQ(
        selected, simt.broadcast(llvm::ConstantInt::get(context, integerBits(bits, literal))));
    llvm::Value* taken = ir.CreateAnd(live, equal);
    Coverage(*this).branch(node.block, static_cast<uint32_t>(k), taken);
    if (llvm::Error error = emitEdge(n, node.successors[k], taken, true)) return error;
    rest = ir.CreateAnd(rest, ir.CreateNot(equal));
  }
  Coverage(*this).branch(node.block, 0, rest);
  if (llvm::Error error = emitEdge(n, node.successors[0], rest, true)) return error;
  leaveTo(node.next);
  return llvm::Error::success();
}

// A product and a sum may become one instruction that rounds once, where the module does not forbid
// it and results need not be the same everywhere (Vulkan Specification, "Evaluation of
// Expressions"; SPV_KHR_float_controls2).
llvm::FastMathFlags Emission::fastMathFlags(const Instruction& instruction) const {
  llvm::FastMathFlags flags;
  if (target.exact || instruction.result == 0 || instruction.type == nullptr) return flags;
  const Type* scalar = instruction.type->scalar();
  if (scalar == nullptr || scalar->kind != TypeKind::Float) return flags;
  constexpr auto kContract = static_cast<uint32_t>(spv::FPFastMathModeMask::AllowContract);
  const std::optional<uint32_t> mode = module.fastMath(instruction);
  const bool forbidden = module.decorated(instruction.result).no_contraction;
  flags.setAllowContract(mode ? (*mode & kContract) != 0 : !forbidden);
  return flags;
}

llvm::Error Emission::emitInstructions(const Block& block) {
  block_has_product_ = llvm::any_of(block.instructions, [](const Instruction& i) {
    return i.op == spv::Op::OpCooperativeMatrixMulAddKHR ||
           i.op == spv::Op::OpCooperativeMatrixMulAddNV;
  });
  // Regions of a wide stream end and begin between instructions.
  auto passBoundaries = [&](size_t index) {
    if (loop_ != nullptr && loop_->region->last == node_ && loop_->region->end == index)
      leaveRegion();
    if (loop_ != nullptr || next_region_ == plan_.regions.size()) return;
    const simt::SubgroupRegion& next = plan_.regions[next_region_];
    if (next.first != node_ || next.begin != index) return;
    ++next_region_;
    enterRegion(next);
  };
  for (size_t k = 0; k < block.instructions.size(); ++k) {
    const Instruction& i = block.instructions[k];
    if (i.op == spv::Op::OpPhi) continue;
    passBoundaries(k);
    instruction_ = &i;
    debug.locations.set(ir, i.location);
    DebugValues(*this).arrive();
    ir.setFastMathFlags(fastMathFlags(i));
    const OpcodeRow* row = findOpcode(i.op);
    if (row == nullptr) return unsupportedAt(i, "this instruction is not supported");
    if (llvm::Error error = bySubgroup(i) ? emitBySubgroup(*row, i) : emitInLanes(*row, i))
      return error;
    expectResult(i);
    UniformCheck(*this).followed(i);
    DebugValues(*this).followed(i);
    if (llvm::Error error = FloatCheck(*this).after(i)) return error;
  }
  ir.clearFastMathFlags();
  passBoundaries(block.instructions.size());
  return llvm::Error::success();
}

llvm::Error Emission::emitNode(uint32_t n) {
  const simt::Node& node = stream_.linearization->nodes()[n];
  heedTimeLimit();
  node_ = n;
  if (node.latch && node.predecessors.empty()) return llvm::Error::success();
  ir.SetInsertPoint(entryOf(n));
  simt.mask = node.arrival == Arrival::Accumulate ? nullptr : stream_.code[node.mask_class].mask;

  if (node.arrival == Arrival::Accumulate) {
    llvm::Value* arrived = takeArrived(n);
    simt.mask = arrived;
    stream_.code[n].mask = arrived;
    if (node.check) {
      auto* body = llvm::BasicBlock::Create(context, "b" + llvm::Twine(n), function_);
      ir.CreateCondBr(simt.any(arrived), body,
                      node.skip == kNoNode ? exit_block_ : entryOf(node.skip));
      ir.SetInsertPoint(body);
    }
  }
  if (node.dynamic_header) {
    // The mask of this iteration, which whoever branches here has written: a block outside, or the
    // latch. (A header with arrivals from elsewhere would need a mask for those, too.)
    assert(node.arrival == Arrival::Direct);
    llvm::AllocaInst* slot = stream_.code[n].loop_mask;
    stream_.code[n].body = llvm::BasicBlock::Create(context, "loop" + llvm::Twine(n), function_);
    UniformCheck(*this).enterLoop(n, slot);
    ir.CreateBr(stream_.code[n].body);
    ir.SetInsertPoint(stream_.code[n].body);
    simt.mask = readSlot(slot);
    stream_.code[n].mask = simt.mask;
  } else if (node.header_latch != kNoNode) {
    stream_.code[n].body = llvm::BasicBlock::Create(context, "loop" + llvm::Twine(n), function_);
    UniformCheck(*this).enterLoop(n, nullptr);
    ir.CreateBr(stream_.code[n].body);
    ir.SetInsertPoint(stream_.code[n].body);
  }

  if (node.latch) {
    const uint32_t header = node.loop;
    if (stream_.linearization->nodes()[header].dynamic_header)
      writeSlot(stream_.code[header].loop_mask, simt.fullMask());
    ir.CreateBr(stream_.code[header].body);
    return llvm::Error::success();
  }
  const Block& block = module.entry.blocks[node.block];
  if (llvm::Error error = loadPhis(block)) return error;
  if (llvm::Value* ends = UniformCheck(*this).startRound(n)) {
    auto* goes_on = llvm::BasicBlock::Create(context, "round", function_);
    ir.CreateCondBr(ends, exit_block_, goes_on);
    ir.SetInsertPoint(goes_on);
  }
  Coverage(*this).block(node.block);
  DebugValues(*this).enterNode(n);
  if (llvm::Error error = emitInstructions(block)) return error;
  instruction_ = &block.terminator;
  debug.locations.set(ir, block.terminator.location);
  DebugValues(*this).arrive();
  if (llvm::Error error = forgetPhis(n)) return error;
  return emitTerminator(n);
}

llvm::Error Emission::emitNodes() {
  const auto& nodes = stream_.linearization->nodes();
  findForgottenPhis(0, static_cast<uint32_t>(nodes.size() - 1));
  for (uint32_t n = 0; n < nodes.size(); ++n)
    if (nodes[n].dynamic_header)
      stream_.code[n].loop_mask =
          allocate(simt.vectorOf(ir.getInt1Ty()), "loopmask" + llvm::Twine(n));
  ir.CreateBr(entryOf(0));
  for (uint32_t n = 0; n < nodes.size(); ++n)
    if (llvm::Error error = emitNode(n)) return error;
  // Nodes that were named as targets, but that nobody reaches, have no code.
  for (uint32_t n = 0; n < nodes.size(); ++n)
    if (stream_.code[n].entry != nullptr && stream_.code[n].entry->empty())
      llvm::IRBuilder<>(stream_.code[n].entry).CreateBr(exit_block_);
  return llvm::Error::success();
}

}  // namespace jit::spirv
