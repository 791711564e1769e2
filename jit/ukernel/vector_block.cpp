// SPDX-License-Identifier: Apache-2.0

// Register tiles of vectors: one broadcast K group of A and one vector of B make a multiply-add of
// a register of accumulators. All accumulators, the micro-panels of B and one broadcast fit in the
// row's registers.
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

#include "jit/ukernel/register_block.h"
#include "jit/ukernel/register_tile.h"
#include "jit/ukernel/tile_descriptors.h"

namespace jit::ukernel {
namespace {

using llvm::SmallVector;
using llvm::Value;

// Vectors of accumulators that hide the latency of two multiply-adds a cycle, four to five cycles
// each; and uses of each vector of B that leave loads few.
constexpr uint32_t kMinAccumulators = 10;
constexpr uint32_t kMinRows = 5;

uint32_t mostRows(const Row& row, uint32_t width) { return (row.registers - width - 1) / width; }

uint32_t widthOf(const Row& row, uint32_t rows, uint32_t micro_panels) {
  const uint32_t width = std::min(micro_panels, row.micro_panels);
  if (width <= 2) return width;
  if (rows < 2 * mostRows(row, width)) return 2;  // what is left of the rows would be much of them
  // A single micro-panel that is left over would have too few accumulators.
  return micro_panels % width == 1 ? width - 1 : width;
}

// Multiply-adds of vectors in the loop's body: enough to hide its overhead, few enough to compile
// fast.
constexpr uint32_t kBodyMultiplyAdds = 64;

class BlockEmitter {
 public:
  BlockEmitter(llvm::IRBuilder<>& builder, llvm::Function& function, const Row& row,
               const MulAdd& op, const RegisterTileCode& code, Value* accumulators,
               Value* accumulators_stride)
      : builder_(builder),
        function_(function),
        row_(row),
        op_(op),
        shape_(code.shape),
        a_stride_(code.a_stride),
        first_accumulator_(accumulators),
        accumulators_stride_(accumulators_stride),
        packing_(row.arithmetic->packing(op)),
        accumulator_type_(accumulatorVector(builder, row, op)),
        groups_(groupsPerStep(row, op)) {}

  void emitPacked(const std::optional<RegisterTileAhead>& ahead, bool may_start) {
    may_start ? beginAccumulators(function_.getArg(function_.arg_size() - 1)) : loadAccumulators();
    if (packing_.column_factor != 0) addMissingSums();
    b_row_bytes_ = shape_.micro_panels * row_.vector_bytes;
    b_alignment_ = alignment();
    Value* steps = function_.getArg(5);
    Pointers start{function_.getArg(0), function_.getArg(1)};
    if (ahead) {
      for (uint64_t bytes : {ahead->a_bytes, ahead->b_bytes}) {
        start.push_back(function_.getArg(6 + start.size()));
        ahead_bytes_.push_back(llvm::divideCeil(bytes * unroll(), ahead->groups));
      }
    }
    if (roundsEachStep(row_, op_)) {
      emitSteps(steps, start);
    } else {
      emitGroups(builder_.CreateMul(steps, builder_.getInt64(groups_)), start);
    }
    storeAccumulators(function_.getArg(6), function_.getArg(7));
  }

  void emitInPlace(uint32_t b_stride) {
    loadAccumulators();
    b_row_bytes_ = b_stride;
    b_alignment_ = llvm::Align(coopmat::bytesOf(op_.b));
    Pointers descriptors{function_.getArg(0)};
    SmallVector<Value*> offsets{function_.getArg(1)};
    for (uint32_t s = 0; s < shape_.micro_panels; ++s) {
      descriptors.push_back(function_.getArg(5 + 2 * s));
      offsets.push_back(function_.getArg(6 + 2 * s));
    }
    emitAccumulatorLoop(function_.getArg(4), descriptors, [&](const Pointers& at) {
      Pointers start, next;
      for (auto [descriptor, offset] : llvm::zip_equal(at, offsets)) {
        Value* tile = builder_.CreateLoad(builder_.getPtrTy(), descriptor);
        start.push_back(offsetBy(builder_, tile, offset));
        next.push_back(offsetBy(builder_, descriptor, TileDescriptors::kDescriptorBytes));
      }
      emitGroups(builder_.getInt64(groups_), start);
      return next;
    });
    storeAccumulators(first_accumulator_, accumulators_stride_);
  }

 private:
  Value*& acc(uint32_t r, uint32_t s) { return accumulators_[r * shape_.micro_panels + s]; }
  llvm::Align alignment() const { return llvm::Align(row_.vector_bytes); }

  // With the address of each in rows from `start` on.
  template <typename Body>
  void forEachAccumulator(Value* start, Value* stride, Body body) {
    for (uint32_t r = 0; r < shape_.rows; ++r) {
      if (r != 0) start = offsetBy(builder_, start, stride);
      for (uint32_t s = 0; s < shape_.micro_panels; ++s)
        body(acc(r, s), offsetBy(builder_, start, uint64_t{s} * row_.vector_bytes));
    }
  }

  void loadAccumulators() {
    accumulators_.resize(shape_.rows * shape_.micro_panels);
    forEachAccumulator(first_accumulator_, accumulators_stride_, [&](Value*& value, Value* from) {
      value = builder_.CreateAlignedLoad(accumulator_type_, from, alignment());
    });
  }

  // Zeros if `is_first`.
  void beginAccumulators(Value* is_first) {
    auto block = [&](const char* name) {
      return llvm::BasicBlock::Create(builder_.getContext(), name, &function_);
    };
    llvm::BasicBlock *entry = builder_.GetInsertBlock(), *load = block("load"), *go = block("go");
    builder_.CreateCondBr(is_first, go, load);
    builder_.SetInsertPoint(load);
    loadAccumulators();
    builder_.CreateBr(go);
    builder_.SetInsertPoint(go);
    for (Value*& value : accumulators_) {
      llvm::PHINode* phi = builder_.CreatePHI(accumulator_type_, 2);
      phi->addIncoming(llvm::Constant::getNullValue(accumulator_type_), entry);
      phi->addIncoming(value, load);
      value = phi;
    }
  }

  void storeAccumulators(Value* to, Value* to_stride) {
    const llvm::Align alignment(accumulator_type_->getScalarSizeInBits() / 8);
    forEachAccumulator(to, to_stride, [&](Value* value, Value* place) {
      builder_.CreateAlignedStore(value, place, alignment);
    });
  }

  void addMissingSums() {
    for (uint32_t s = 0; s < shape_.micro_panels; ++s) {
      Value* sums = builder_.CreateAlignedLoad(
          accumulator_type_,
          offsetBy(builder_, function_.getArg(2), uint64_t{s} * row_.vector_bytes), alignment());
      Value* missing = builder_.CreateMul(
          sums, llvm::ConstantInt::getSigned(accumulator_type_, packing_.column_factor));
      for (uint32_t r = 0; r < shape_.rows; ++r) acc(r, s) = builder_.CreateAdd(acc(r, s), missing);
    }
  }

  // Into A, and into B: one pointer for all micro-panels, which then follow each other, or one for
  // each. Last those to what is prefetched.
  using Pointers = SmallVector<Value*, 4>;

  // A loop of `count` iterations (at least one) over accumulators and pointers; `body` gets the
  // pointers and returns where they are afterwards.
  template <typename Body>
  Pointers emitAccumulatorLoop(Value* count, const Pointers& start, Body body) {
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    auto* loop = llvm::BasicBlock::Create(builder_.getContext(), "k", &function_);
    auto* after = llvm::BasicBlock::Create(builder_.getContext(), "done", &function_);
    builder_.CreateBr(loop);
    builder_.SetInsertPoint(loop);
    auto phi = [&](Value* start) {
      llvm::PHINode* node = builder_.CreatePHI(start->getType(), 2);
      node->addIncoming(start, before);
      return node;
    };
    llvm::PHINode* left = phi(count);
    Pointers pointers;
    for (Value* pointer : start) pointers.push_back(phi(pointer));
    SmallVector<llvm::PHINode*> phis;
    for (Value*& value : accumulators_) {
      phis.push_back(phi(value));
      value = phis.back();
    }
    Pointers next = body(pointers);
    Value* remaining = builder_.CreateSub(left, builder_.getInt64(1));
    llvm::BasicBlock* latch = builder_.GetInsertBlock();
    left->addIncoming(remaining, latch);
    for (auto [pointer, following] : llvm::zip_equal(pointers, next))
      llvm::cast<llvm::PHINode>(pointer)->addIncoming(following, latch);
    for (size_t i = 0; i < phis.size(); ++i) phis[i]->addIncoming(accumulators_[i], latch);
    builder_.CreateCondBr(builder_.CreateIsNotNull(remaining), loop, after);
    builder_.SetInsertPoint(after);
    return next;
  }

  uint32_t unroll() const {
    uint32_t unroll = 1;
    while (unroll < 8 && groups_ % (unroll * 2) == 0 &&
           shape_.rows * shape_.micro_panels * unroll * 2 <= kBodyMultiplyAdds) {
      unroll *= 2;
    }
    return unroll;
  }

  Pointers emitGroups(Value* groups, const Pointers& start) {
    uint32_t unroll = this->unroll();
    Value* count = builder_.CreateUDiv(groups, builder_.getInt64(unroll));
    return emitAccumulatorLoop(count, start, [&](const Pointers& at) {
      const auto operands = llvm::ArrayRef(at).drop_back(ahead_bytes_.size());
      for (uint32_t u = 0; u < unroll; ++u) emitGroup(operands, u);
      Pointers next{offsetBy(builder_, at.front(), uint64_t{unroll} * packing_.groupBytes())};
      for (Value* b : operands.drop_front())
        next.push_back(offsetBy(builder_, b, unroll * b_row_bytes_));
      for (auto [pointer, bytes] :
           llvm::zip_equal(llvm::ArrayRef(at).take_back(ahead_bytes_.size()), ahead_bytes_)) {
        for (uint64_t line = 0; line < bytes; line += kCacheLine)
          emitPrefetchToSecondLevel(builder_, offsetBy(builder_, pointer, line));
        next.push_back(offsetBy(builder_, pointer, bytes));
      }
      return next;
    });
  }

  void emitSteps(Value* steps, const Pointers& start) {
    emitAccumulatorLoop(steps, start, [&](const Pointers& at) {
      Pointers next = emitGroups(builder_.getInt64(groups_), at);
      for (Value*& value : accumulators_) {
        value = widen(builder_, narrow(builder_, row_, op_, value), op_.result,
                      row_.arithmetic->accumulator(op_));
      }
      return next;
    });
  }

  // One K group: B's vectors once, each of A's K groups broadcast once for all micro-panels.
  void emitGroup(llvm::ArrayRef<Value*> at, uint32_t group) {
    llvm::FixedVectorType* b_type = packedVector(builder_, row_, op_, packing_.b);
    SmallVector<Value*> b;
    for (uint32_t s = 0; s < shape_.micro_panels; ++s) {
      const bool has_pointer = at.size() > 2;
      const uint64_t micro_panel_bytes = has_pointer ? 0 : uint64_t{s} * row_.vector_bytes;
      Value* address =
          offsetBy(builder_, at[has_pointer ? 1 + s : 1], group * b_row_bytes_ + micro_panel_bytes);
      b.push_back(builder_.CreateAlignedLoad(b_type, address, b_alignment_));
    }
    for (uint32_t r = 0; r < shape_.rows; ++r) {
      Value* a = broadcast(offsetBy(
          builder_, at.front(), uint64_t{r} * a_stride_ + uint64_t{group} * packing_.groupBytes()));
      for (uint32_t s = 0; s < shape_.micro_panels; ++s) {
        acc(r, s) = row_.arithmetic->multiplyAdd(builder_, op_, acc(r, s), a, b[s]);
      }
    }
  }

  Value* broadcast(Value* address) {
    llvm::Type* scalar = packing_.group == 1 ? coopmat::componentType(packing_.a, builder_)
                                             : builder_.getIntNTy(packing_.groupBytes() * 8);
    Value* group = builder_.CreateAlignedLoad(scalar, address, llvm::Align(packing_.groupBytes()));
    Value* splat = builder_.CreateVectorSplat(accumulator_type_->getNumElements(), group);
    return builder_.CreateBitCast(splat, packedVector(builder_, row_, op_, packing_.a));
  }

  llvm::IRBuilder<>& builder_;
  llvm::Function& function_;
  const Row& row_;
  const MulAdd& op_;
  const RegisterTile shape_;
  const uint32_t a_stride_;
  Value *const first_accumulator_, *const accumulators_stride_;
  const Packing packing_;
  llvm::FixedVectorType* accumulator_type_;
  const uint32_t groups_;
  uint64_t b_row_bytes_ = 0;  // between K groups of B
  llvm::Align b_alignment_;
  SmallVector<uint64_t, 2> ahead_bytes_;  // that are prefetched in an iteration, of each operand
  SmallVector<Value*> accumulators_;
};

RegisterTile largestOfVectors(const Row& row, uint32_t rows, uint32_t micro_panels) {
  const uint32_t width = widthOf(row, rows, micro_panels), most = mostRows(row, width);
  if (rows <= most) return {rows, width};
  // A divisor of the rows spares a second shape, if it leaves accumulators and rows enough.
  const uint32_t least = std::max(kMinAccumulators, kMinRows * width);
  for (uint32_t count = most; count * width >= least; --count) {
    if (rows % count == 0) return {count, width};
  }
  return {most, width};
}

}  // namespace

const RegisterBlock kVectorBlock = {
    .rows = 1,
    .groups = 1,
    .reads_rows = false,
    .announces_stores = false,
    // Without what is near, 4x4 tiles of f32 have 0.67 of the peak, with it 0.75.
    .announces_panels = true,
    // 128x256 matrices, 1024 cubed, with 256 and 512: bytes 0.81 and 0.82, bf16 0.80 and 0.83.
    .least_shared_k_block_bytes = 512,
    .largest = largestOfVectors,
    .emit =
        [](llvm::IRBuilder<>& builder, llvm::Function& function, const Row& row, const MulAdd& op,
           const RegisterTileCode& code) {
          BlockEmitter(builder, function, row, op, code, function.getArg(3), function.getArg(4))
              .emitPacked(code.ahead, code.may_start);
        },
    .stayAwake = nullptr,
};

void emitVectorBlockInPlace(llvm::IRBuilder<>& builder, llvm::Function& function, const Row& row,
                            const MulAdd& op, const RegisterTileCode& code, uint32_t b_stride) {
  BlockEmitter(builder, function, row, op, code, function.getArg(2), function.getArg(3))
      .emitInPlace(b_stride);
}

}  // namespace jit::ukernel
