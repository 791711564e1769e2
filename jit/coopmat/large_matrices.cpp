// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/large_matrices.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/VectorUtils.h>

#include "jit/base/error.h"
#include "jit/coopmat/elementwise_loop.h"
#include "jit/coopmat/large_copy.h"
#include "jit/coopmat/large_values.h"
#include "jit/coopmat/lower.h"
#include "jit/ir/vector_data.h"
#include "jit/ukernel/packed_gemm.h"

namespace jit::coopmat {
namespace {

using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;
using ukernel::offsetBy;
using ukernel::SourceTile;
using ukernel::TileMemory;

uint64_t bytesOfVector(const llvm::Type* type) {
  auto* vector = llvm::cast<llvm::FixedVectorType>(type);
  return uint64_t{vector->getNumElements()} * vector->getScalarSizeInBits() / 8;
}

// Masks are vectors of single bits, which have no addresses.
bool isOfBits(const llvm::Type* type) { return type->getScalarSizeInBits() == 1; }

class LargeLowering {
 public:
  LargeLowering(llvm::Function& function, uint32_t lanes, const Target& target, KernelFrame& frame)
      : function_(function),
        scope_{*function.getParent(), function},
        target_(target),
        frame_(frame),
        values_(function, lanes) {}

  llvm::Error run() {
    if (values_.steps().empty() && values_.phis().empty()) return llvm::Error::success();
    slots_offset_ = frame_.allocate(values_.bytes(), 64);
    temporary_offset_ = frame_.allocate(values_.largestBytes(), 64);
    for (const LargeStep& step : values_.steps()) {
      IRBuilder<> builder(step.point()->getNextNode());
      if (step.is_elementwise) {
        emitElementwiseLoop(
            scope_, builder, step.members, [&](Value* value) { return memory(builder, value); },
            [&](Instruction* member) { return slot(builder, member); });
      } else {
        if (llvm::Error error = lower(*step.point())) return error;
      }
    }
    for (llvm::PHINode* phi : values_.phis()) queueCopies(*phi);
    copyAtEdges();
    erase();
    return llvm::Error::success();
  }

 private:
  Value* framePointer(IRBuilder<>& builder, uint64_t offset) {
    return offsetBy(builder, function_.getArg(kFrameArgument), offset);
  }
  Value* temporary(IRBuilder<>& builder) { return framePointer(builder, temporary_offset_); }

  // Where a value lives; null when it has no slot.
  Value* slot(IRBuilder<>& builder, const Value* value) {
    std::optional<uint64_t> offset = values_.offset(value);
    return offset ? framePointer(builder, slots_offset_ + *offset) : nullptr;
  }

  // A value in memory: its own slot, or, for a constant or splat, a temporary one, until the next
  // is asked for.
  Value* memory(IRBuilder<>& builder, Value* value) {
    if (Value* own = slot(builder, value)) return own;
    if (llvm::isa<llvm::UndefValue>(value)) return temporary(builder);
    if (Value* scalar = llvm::getSplatValue(value)) {
      fill(builder, temporary(builder), value->getType(), scalar);
      return temporary(builder);
    }
    return makeVectorData(scope_.module, *llvm::cast<llvm::Constant>(value));
  }

  // The same of a vector that need not be large.
  Value* memoryOfAny(IRBuilder<>& builder, Value* value) {
    if (values_.isLarge(value)) return memory(builder, value);
    builder.CreateAlignedStore(value, temporary(builder), llvm::Align(64));
    return temporary(builder);
  }

  void fill(IRBuilder<>& builder, Value* address, llvm::Type* type, Value* scalar) {
    auto* constant = llvm::dyn_cast<llvm::Constant>(scalar);
    if (constant && constant->isNullValue()) {
      builder.CreateMemSet(address, builder.getInt8(0), bytesOfVector(type), llvm::Align(64));
    } else if (isOfBits(type)) {
      Value* byte = builder.CreateSExt(scalar, builder.getInt8Ty());
      builder.CreateMemSet(address, byte, bytesOfVector(type), llvm::Align(64));
    } else {
      auto* vector = llvm::cast<llvm::FixedVectorType>(type);
      builder.CreateCall(largeFillFunction(scope_, vector), {address, scalar});
    }
  }

  void copy(IRBuilder<>& builder, Value* to, Value* from, llvm::Type* type) {
    builder.CreateMemCpy(to, llvm::Align(8), from, llvm::Align(8), bytesOfVector(type));
  }

  SourceTile tileOf(const MatrixType& type, Layout layout) {
    return {componentOfWidth(type.component), type.rows, type.columns, layout};
  }

  llvm::Error lower(Instruction& instruction) {
    IRBuilder<> builder(&instruction);
    if (auto load = matchLoad(&instruction)) {
      if (!values_.readInPlace(&instruction))
        gather(builder, tileOf(load->type, load->layout),
               {load->base, load->stride_bytes, load->limit_bytes}, slot(builder, &instruction));
    } else if (auto store = matchStore(&instruction)) {
      std::optional<LoadCall> copied = values_.readInPlace(store->matrix);
      Value* from = copied ? copied->base : memory(builder, store->matrix);
      scatter(builder, tileOf(store->type, store->layout), from,
              {store->base, store->stride_bytes, store->limit_bytes});
    } else if (auto mul_add = matchMulAdd(&instruction)) {
      return lowerMulAdd(builder, *mul_add);
    } else if (auto transposed = matchTranspose(&instruction)) {
      const MatrixType& type = transposed->type;
      builder.CreateCall(largeTransposeFunction(scope_, componentOfWidth(type.component), type.rows,
                                                type.columns, target_.vector_bytes),
                         {memory(builder, transposed->matrix), slot(builder, &instruction)});
    } else if (auto* read = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      builder.CreateMemCpy(slot(builder, read), llvm::Align(8), read->getPointerOperand(),
                           read->getAlign(), bytesOfVector(read->getType()));
    } else if (auto* write = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      Value* from = memory(builder, write->getValueOperand());
      builder.CreateMemCpy(write->getPointerOperand(), write->getAlign(), from, llvm::Align(8),
                           bytesOfVector(write->getValueOperand()->getType()));
    } else if (auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) {
      extract->replaceAllUsesWith(lowerExtract(builder, *extract));
    } else if (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
      lowerInsert(builder, *insert, slot(builder, insert));
    } else if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
      lowerShuffle(builder, *shuffle);
    } else {
      return internal("a large matrix in an instruction that is not lowered: " +
                      std::string(instruction.getOpcodeName()));
    }
    return llvm::Error::success();
  }

  Value* lowerExtract(IRBuilder<>& builder, llvm::ExtractElementInst& extract) {
    Value *vector = extract.getVectorOperand(), *index = extract.getIndexOperand();
    if (isOfBits(vector->getType()))
      return builder.CreateExtractElement(valueOfAny(builder, vector), index);
    Value* from = memory(builder, vector);
    return builder.CreateLoad(extract.getType(), element(builder, from, extract.getType(), index));
  }

  void lowerInsert(IRBuilder<>& builder, llvm::InsertElementInst& insert, Value* to) {
    Value *vector = insert.getOperand(0), *scalar = insert.getOperand(1);
    if (isOfBits(vector->getType())) {
      Value* changed =
          builder.CreateInsertElement(valueOfAny(builder, vector), scalar, insert.getOperand(2));
      builder.CreateAlignedStore(changed, to, llvm::Align(64));
      return;
    }
    copy(builder, to, memory(builder, vector), insert.getType());
    builder.CreateStore(scalar, element(builder, to, scalar->getType(), insert.getOperand(2)));
  }

  // A vector that need not be large, as a value.
  Value* valueOfAny(IRBuilder<>& builder, Value* vector) {
    if (!values_.isLarge(vector) || llvm::isa<llvm::Constant>(vector)) return vector;
    return builder.CreateAlignedLoad(vector->getType(), memory(builder, vector), llvm::Align(64));
  }

  // Of bits: whole words of the result, each chosen from the operands.
  void lowerBitShuffle(IRBuilder<>& builder, llvm::ShuffleVectorInst& shuffle, Value* result) {
    constexpr size_t kWord = 64;
    llvm::ArrayRef<int> mask = shuffle.getShuffleMask();
    Value* left = valueOfAny(builder, shuffle.getOperand(0));
    Value* right = valueOfAny(builder, shuffle.getOperand(1));
    for (size_t at = 0; at < mask.size(); at += kWord) {
      Value* word = builder.CreateShuffleVector(left, right,
                                                mask.slice(at, std::min(kWord, mask.size() - at)));
      builder.CreateAlignedStore(word, offsetBy(builder, result, at / 8), llvm::Align(8));
    }
  }

  // Runs of elements that follow each other in an operand are copied as such.
  void lowerShuffle(IRBuilder<>& builder, llvm::ShuffleVectorInst& shuffle) {
    auto* type = llvm::cast<llvm::FixedVectorType>(shuffle.getType());
    if (isOfBits(type)) {
      if (Value* result = slot(builder, &shuffle))
        lowerBitShuffle(builder, shuffle, result);
      else
        shuffle.replaceAllUsesWith(builder.CreateShuffleVector(
            valueOfAny(builder, shuffle.getOperand(0)), valueOfAny(builder, shuffle.getOperand(1)),
            shuffle.getShuffleMask()));
      return;
    }
    const uint64_t bytes = type->getScalarSizeInBits() / 8;
    Value* result = slot(builder, &shuffle);
    Value* to = result ? result : framePointer(builder, frame_.allocate(bytesOfVector(type), 64));
    llvm::ArrayRef<int> mask = shuffle.getShuffleMask();
    const int elements = static_cast<int>(
        llvm::cast<llvm::FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements());
    for (int side : {0, 1}) {
      Value* from = nullptr;
      for (size_t at = 0; at < mask.size();) {
        size_t end = at + 1;
        while (end < mask.size() && mask[end] == mask[end - 1] + 1 && mask[end] != elements) ++end;
        if (mask[at] >= 0 && mask[at] / elements == side) {
          if (!from) from = memoryOfAny(builder, shuffle.getOperand(side));
          builder.CreateMemCpy(offsetBy(builder, to, at * bytes), llvm::Align(1),
                               offsetBy(builder, from, mask[at] % elements * bytes), llvm::Align(1),
                               (end - at) * bytes);
        }
        at = end;
      }
    }
    if (!result)
      shuffle.replaceAllUsesWith(builder.CreateAlignedLoad(type, to, llvm::Align(bytes)));
  }

  Value* element(IRBuilder<>& builder, Value* base, llvm::Type* type, Value* index) {
    Value* offset = builder.CreateMul(builder.CreateZExtOrTrunc(index, builder.getInt64Ty()),
                                      builder.getInt64(type->getPrimitiveSizeInBits() / 8));
    return offsetBy(builder, base, offset);
  }

  void gather(IRBuilder<>& builder, const SourceTile& tile, const TileMemory& source, Value* to) {
    builder.CreateCall(
        largeGatherFunction(scope_, tile, target_.vector_bytes),
        {source.base, source.stride_bytes, source.limit_bytes, to, temporary(builder)});
  }
  void scatter(IRBuilder<>& builder, const SourceTile& tile, Value* from, const TileMemory& to) {
    builder.CreateCall(largeScatterFunction(scope_, tile, target_.vector_bytes),
                       {from, to.base, to.stride_bytes, to.limit_bytes});
  }

  // A large or small matrix of a multiply-add, to be packed.
  struct Operand {
    TileMemory memory;
    Layout layout;
  };
  Operand operand(IRBuilder<>& builder, Value* matrix, uint32_t columns) {
    if (std::optional<LoadCall> load = values_.readInPlace(matrix))
      return {{load->base, load->stride_bytes, load->limit_bytes}, load->layout};
    Value* address = memoryOfAny(builder, matrix);
    const uint64_t row_bytes = uint64_t{columns} * matrix->getType()->getScalarSizeInBits() / 8;
    return {{address, builder.getInt64(row_bytes), builder.getInt64(-1)}, Layout::Row};
  }

  llvm::Error lowerMulAdd(IRBuilder<>& builder, const MulAddCall& mul_add) {
    const MulAdd& op = mul_add.op;
    const ukernel::Row* row = ukernel::select(op, target_);
    if (!row || bytesOf(op.c) != bytesOf(op.result)) return withoutMicrokernel(op);
    ukernel::PackedGemm gemm(*row, op, 1, 1, 1);
    Value* base = framePointer(builder, gemmOffset(gemm));
    Value* c = offsetBy(builder, base, gemm.accumulatorOffset(0, 0));
    const TileMemory accumulators{c, builder.getInt64(gemm.accumulatorStride()),
                                  builder.getInt64(-1)};
    const SourceTile tile{op.result, op.m, op.n, Layout::Row};
    auto* initial = llvm::dyn_cast<llvm::Constant>(mul_add.c);
    if (initial && initial->isNullValue()) {
      gemm.emitZero(builder, base);
    } else {
      scatter(builder, tile, operand(builder, mul_add.c, op.n).memory.base, accumulators);
      gemm.emitBegin(scope_, builder, base);
    }
    gemm.emitBeginKBlock(builder, base);
    Value* zero = builder.getInt64(0);
    const Operand a = operand(builder, mul_add.a, op.k);
    gemm.emitPackA(scope_, builder, base, 0, zero, a.memory, a.layout, ukernel::Prefetch::None);
    const Operand b = operand(builder, mul_add.b, op.n);
    gemm.emitPackB(scope_, builder, base, 0, zero, b.memory, b.layout, ukernel::Prefetch::None);
    gemm.emitMultiply(scope_, builder, base, {.steps = builder.getInt64(1)});
    gemm.emitEnd(scope_, builder, base);
    if (Value* result = slot(builder, mul_add.call)) {
      gather(builder, tile, accumulators, result);
    } else {
      gather(builder, tile, accumulators, temporary(builder));
      mul_add.call->replaceAllUsesWith(
          builder.CreateAlignedLoad(mul_add.call->getType(), temporary(builder), llvm::Align(64)));
    }
    return llvm::Error::success();
  }

  // One piece of memory for all products of the function.
  uint64_t gemmOffset(const ukernel::PackedGemm& gemm) {
    if (gemm.bytes() > gemm_bytes_) {
      gemm_offset_ = frame_.allocate(gemm.bytes(), 64);
      gemm_bytes_ = gemm.bytes();
    }
    return gemm_offset_;
  }

  struct EdgeCopy {
    llvm::PHINode* phi;
    Value* value;
  };
  void queueCopies(llvm::PHINode& phi) {
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      Value* value = phi.getIncomingValue(i);
      if (value != &phi && !llvm::isa<llvm::UndefValue>(value))
        edges_[phi.getIncomingBlock(i)].push_back({&phi, value});
    }
  }

  // All phis of a block get their values at once: one whose value is another's goes first, through
  // a slot of its own.
  void copyAtEdges() {
    for (auto& [from, copies] : edges_) {
      IRBuilder<> builder(from->getTerminator());
      llvm::SmallVector<std::pair<EdgeCopy, Value*>> parked;
      for (const EdgeCopy& it : copies) {
        auto* other = llvm::dyn_cast<llvm::PHINode>(it.value);
        if (other == nullptr || other->getParent() != it.phi->getParent()) continue;
        Value* address =
            framePointer(builder, frame_.allocate(bytesOfVector(it.value->getType()), 64));
        copy(builder, address, slot(builder, it.value), it.value->getType());
        parked.push_back({it, address});
      }
      for (const EdgeCopy& it : copies) {
        if (llvm::any_of(parked, [&](auto& other) { return other.first.phi == it.phi; })) continue;
        Value* to = slot(builder, it.phi);
        Value* scalar = slot(builder, it.value) ? nullptr : llvm::getSplatValue(it.value);
        if (scalar) {
          fill(builder, to, it.value->getType(), scalar);
        } else {
          copy(builder, to, memory(builder, it.value), it.value->getType());
        }
      }
      for (auto& [it, address] : parked)
        copy(builder, slot(builder, it.phi), address, it.value->getType());
    }
  }

  // What was lowered is only used by what was lowered too.
  void erase() {
    llvm::SmallVector<Instruction*> dead;
    for (const LargeStep& step : values_.steps())
      dead.append(step.members.begin(), step.members.end());
    dead.append(values_.phis().begin(), values_.phis().end());
    dead.append(values_.splats().begin(), values_.splats().end());
    for (Instruction* instruction : dead) {
      if (!instruction->getType()->isVoidTy())
        instruction->replaceAllUsesWith(llvm::PoisonValue::get(instruction->getType()));
    }
    for (Instruction* instruction : dead) instruction->eraseFromParent();
  }

  llvm::Function& function_;
  const ukernel::HelperScope scope_;
  const Target& target_;
  KernelFrame& frame_;
  LargeValues values_;
  uint64_t slots_offset_ = 0, temporary_offset_ = 0;
  uint64_t gemm_offset_ = 0, gemm_bytes_ = 0;
  llvm::MapVector<llvm::BasicBlock*, llvm::SmallVector<EdgeCopy>> edges_;
};

}  // namespace

llvm::Error lowerLargeMatrices(llvm::Function& function, uint32_t lanes, const Target& target,
                               KernelFrame& frame) {
  return LargeLowering(function, lanes, target, frame).run();
}

}  // namespace jit::coopmat
