// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/operand_packing.h"

#include "jit/coopmat/shared_operands.h"
#include "jit/ir/memories.h"

namespace jit::coopmat {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::Value;
using ukernel::PackedGemm;

llvm::Instruction* OperandPacking::emit(size_t group_index) {
  const TileGrid::Group& group = grid_.groups()[group_index];
  end_ = grid_.lastMultiplyAdd(group_index)->getNextNode();
  for (const TileGrid::Operand& operand : grid_.operands(group_index))
    points_.recorded() ? record(operand, group) : pack(operand, group);
  IRBuilder<> builder(end_);
  Value* steps = builder.CreateLoad(builder.getInt64Ty(), memory_.steps);
  builder.CreateStore(builder.CreateAdd(steps, builder.getInt64(group.steps)), memory_.steps);
  return end_;
}

// Where it is loaded if the step that it is for is known there, or else where it is multiplied.
void OperandPacking::pack(const TileGrid::Operand& operand, const TileGrid::Group& group) {
  std::optional<LoadCall> load = matchLoad(operand.value);
  if (load && points_.canPackAt(*load->call, group)) {
    IRBuilder<> builder(load->call);
    packFrom(builder, operand, {load->base, load->stride_bytes, load->limit_bytes}, load->layout);
    return;
  }
  IRBuilder<> builder(end_);
  builder.CreateAlignedStore(operand.value, memory_.staging, llvm::Align(64));
  const uint32_t columns = operand.is_a ? grid_.op().k : grid_.op().n;
  const uint64_t row_bytes = columns * operand.value->getType()->getScalarSizeInBits() / 8;
  packFrom(builder, operand, {memory_.staging, builder.getInt64(row_bytes), builder.getInt64(-1)},
           Layout::Row);
}

// Where it is multiplied; copies are packed where they were made, values here.
void OperandPacking::record(const TileGrid::Operand& operand, const TileGrid::Group& group) {
  IRBuilder<> builder(end_);
  Value* is_packed = nullptr;
  ukernel::TileMemory source{llvm::ConstantPointerNull::get(builder.getPtrTy()),
                             builder.getInt64(0), builder.getInt64(0)};
  if (points_.isLoaded(operand)) {
    const LoadCall load = *matchLoad(operand.value);
    source = {load.base, load.stride_bytes, load.limit_bytes};
    if (points_.mayBePacked()) is_packed = packCopies(operand, load);
  } else {
    pack(operand, group);
    is_packed = builder.getTrue();
  }
  if (is_packed) {
    const uint64_t bit = operand.is_a ? PackedGemm::kPackedA : PackedGemm::kPackedB;
    Value* packed = builder.CreateLoad(builder.getInt64Ty(), memory_.packed);
    Value* added = builder.CreateSelect(is_packed, builder.getInt64(bit), builder.getInt64(0));
    builder.CreateStore(builder.CreateOr(packed, added), memory_.packed);
  }
  const auto emit = operand.is_a ? &PackedGemm::emitDescriptorA : &PackedGemm::emitDescriptorB;
  (gemm_.*emit)(builder, memory_.base, operand.tile, stepInBlock(builder, operand), source,
                is_packed);
}

// Returns whether the load is of a copy, an i1, or null if it never is.
Value* OperandPacking::packCopies(const TileGrid::Operand& operand, const LoadCall& load) {
  const CopyingBlocks copying = *copyingBlocks(load);
  if (copying.empty()) return nullptr;
  BasicBlock* block = load.call->getParent();
  for (BasicBlock* from : copying) {
    IRBuilder<> builder(from->getTerminator());
    auto there = [&](Value* value) { return value->DoPHITranslation(block, from); };
    packFrom(builder, operand,
             {there(load.base), there(load.stride_bytes), there(load.limit_bytes)}, load.layout);
  }
  IRBuilder<> builder(&block->front());
  llvm::PHINode* is_copy = builder.CreatePHI(builder.getInt1Ty(), 2);
  for (BasicBlock* from : llvm::predecessors(block))
    is_copy->addIncoming(builder.getInt1(llvm::is_contained(copying, from)), from);
  return is_copy;
}

void OperandPacking::packFrom(IRBuilder<>& builder, const TileGrid::Operand& operand,
                              const ukernel::TileMemory& source, Layout layout) {
  const auto emit = operand.is_a ? &PackedGemm::emitPackA : &PackedGemm::emitPackB;
  // What else is read, shared memory, copies and the staging buffer, was written just before.
  const auto prefetch =
      leadsOnlyTo(*source.base, kClient) ? ukernel::Prefetch::NextStep : ukernel::Prefetch::None;
  (gemm_.*emit)(scope_, builder, memory_.base, operand.tile, stepInBlock(builder, operand), source,
                layout, prefetch);
}

Value* OperandPacking::stepInBlock(IRBuilder<>& builder, const TileGrid::Operand& operand) {
  Value* packed = builder.CreateLoad(builder.getInt64Ty(), memory_.steps);
  return builder.CreateAdd(packed, builder.getInt64(operand.step));
}

}  // namespace jit::coopmat
