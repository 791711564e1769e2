#include "jit/ukernel/block.h"

#include <llvm/ADT/SmallVector.h>

namespace jit::ukernel {
namespace {

using llvm::Value;

// Multiply-adds of vectors in the loop's body: enough to hide its overhead, few enough to compile
// fast.
constexpr uint32_t kBodyMultiplyAdds = 64;

class BlockEmitter {
 public:
  BlockEmitter(llvm::IRBuilder<>& builder, llvm::Function& function, const Row& row,
               const MulAdd& op, const BlockShape& shape, const BlockStrides& strides)
      : builder_(builder),
        function_(function),
        row_(row),
        op_(op),
        shape_(shape),
        strides_(strides),
        packing_(row.arithmetic->packing(op)),
        accumulator_type_(accumulatorVector(builder, row, op)),
        units_(unitsPerStep(row, op)) {}

  void emit() {
    loadAccumulators();
    Value* steps = function_.getArg(4);
    if (roundsEachStep(row_, op_)) {
      emitSteps(steps);
    } else {
      emitUnits(builder_.CreateMul(steps, builder_.getInt64(units_)), function_.getArg(0),
                function_.getArg(1));
    }
    forEachAccumulator([&](uint32_t r, uint32_t s) {
      builder_.CreateAlignedStore(acc(r, s), accumulatorAddress(r, s), alignment());
    });
  }

 private:
  Value*& acc(uint32_t r, uint32_t s) { return accumulators_[r * shape_.strips + s]; }
  llvm::Align alignment() const { return llvm::Align(row_.vector_bytes); }
  uint64_t unitRowBytes() const { return uint64_t{shape_.strips} * row_.vector_bytes; }

  template <typename Body>
  void forEachAccumulator(Body body) {
    for (uint32_t r = 0; r < shape_.rows; ++r) {
      for (uint32_t s = 0; s < shape_.strips; ++s) body(r, s);
    }
  }

  Value* accumulatorAddress(uint32_t r, uint32_t s) {
    return offsetBy(builder_, function_.getArg(3),
                    uint64_t{r} * strides_.c + uint64_t{s} * row_.vector_bytes);
  }

  void loadAccumulators() {
    accumulators_.resize(shape_.rows * shape_.strips);
    forEachAccumulator([&](uint32_t r, uint32_t s) {
      acc(r, s) =
          builder_.CreateAlignedLoad(accumulator_type_, accumulatorAddress(r, s), alignment());
    });
    if (packing_.column_factor == 0) return;
    for (uint32_t s = 0; s < shape_.strips; ++s) {
      Value* sums = builder_.CreateAlignedLoad(
          accumulator_type_,
          offsetBy(builder_, function_.getArg(2), uint64_t{s} * row_.vector_bytes), alignment());
      Value* missing = builder_.CreateMul(
          sums, llvm::ConstantInt::getSigned(accumulator_type_, packing_.column_factor));
      for (uint32_t r = 0; r < shape_.rows; ++r) acc(r, s) = builder_.CreateAdd(acc(r, s), missing);
    }
  }

  // A loop of `count` iterations (at least one) over accumulators and the two panel pointers;
  // `body` gets the pointers and returns where they are afterwards.
  using Pointers = std::pair<Value*, Value*>;
  template <typename Body>
  Pointers emitAccumulatorLoop(Value* count, Value* a, Value* b, Body body) {
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
    llvm::PHINode* a_phi = phi(a);
    llvm::PHINode* b_phi = phi(b);
    llvm::SmallVector<llvm::PHINode*> phis;
    for (Value*& value : accumulators_) {
      phis.push_back(phi(value));
      value = phis.back();
    }
    Pointers next = body(Pointers{a_phi, b_phi});
    Value* remaining = builder_.CreateSub(left, builder_.getInt64(1));
    llvm::BasicBlock* latch = builder_.GetInsertBlock();
    left->addIncoming(remaining, latch);
    a_phi->addIncoming(next.first, latch);
    b_phi->addIncoming(next.second, latch);
    for (size_t i = 0; i < phis.size(); ++i) phis[i]->addIncoming(accumulators_[i], latch);
    builder_.CreateCondBr(builder_.CreateIsNotNull(remaining), loop, after);
    builder_.SetInsertPoint(after);
    return next;
  }

  uint32_t unroll() const {
    uint32_t unroll = 1;
    while (unroll < 8 && units_ % (unroll * 2) == 0 &&
           shape_.rows * shape_.strips * unroll * 2 <= kBodyMultiplyAdds) {
      unroll *= 2;
    }
    return unroll;
  }

  Pointers emitUnits(Value* units, Value* a, Value* b) {
    uint32_t unroll = this->unroll();
    Value* count = builder_.CreateUDiv(units, builder_.getInt64(unroll));
    return emitAccumulatorLoop(count, a, b, [&](Pointers at) {
      for (uint32_t u = 0; u < unroll; ++u) emitUnit(at, u);
      return Pointers{offsetBy(builder_, at.first, uint64_t{unroll} * packing_.unitBytes()),
                      offsetBy(builder_, at.second, unroll * unitRowBytes())};
    });
  }

  void emitSteps(Value* steps) {
    emitAccumulatorLoop(steps, function_.getArg(0), function_.getArg(1), [&](Pointers at) {
      Pointers next = emitUnits(builder_.getInt64(units_), at.first, at.second);
      for (Value*& value : accumulators_) {
        value = widen(builder_, narrow(builder_, row_, op_, value), op_.result,
                      row_.arithmetic->accumulator(op_));
      }
      return next;
    });
  }

  // One unit of K: B's vectors once, each of A's units broadcast once for all strips.
  void emitUnit(Pointers at, uint32_t unit) {
    llvm::FixedVectorType* b_type = packedVector(builder_, row_, op_, packing_.b);
    llvm::SmallVector<Value*> b;
    for (uint32_t s = 0; s < shape_.strips; ++s) {
      Value* address =
          offsetBy(builder_, at.second, unit * unitRowBytes() + uint64_t{s} * row_.vector_bytes);
      b.push_back(builder_.CreateAlignedLoad(b_type, address, alignment()));
    }
    for (uint32_t r = 0; r < shape_.rows; ++r) {
      Value* a = broadcast(offsetBy(
          builder_, at.first, uint64_t{r} * strides_.a + uint64_t{unit} * packing_.unitBytes()));
      for (uint32_t s = 0; s < shape_.strips; ++s) {
        acc(r, s) = row_.arithmetic->multiplyAdd(builder_, op_, acc(r, s), a, b[s]);
      }
    }
  }

  Value* broadcast(Value* address) {
    llvm::Type* scalar = packing_.group == 1 ? coopmat::componentType(packing_.a, builder_)
                                             : builder_.getIntNTy(packing_.unitBytes() * 8);
    Value* unit = builder_.CreateAlignedLoad(scalar, address, llvm::Align(packing_.unitBytes()));
    Value* splat = builder_.CreateVectorSplat(accumulator_type_->getNumElements(), unit);
    return builder_.CreateBitCast(splat, packedVector(builder_, row_, op_, packing_.a));
  }

  llvm::IRBuilder<>& builder_;
  llvm::Function& function_;
  const Row& row_;
  const MulAdd& op_;
  const BlockShape shape_;
  const BlockStrides strides_;
  const Packing packing_;
  llvm::FixedVectorType* accumulator_type_;
  const uint32_t units_;
  llvm::SmallVector<Value*> accumulators_;
};

}  // namespace

uint32_t unitsPerStep(const Row& row, const MulAdd& op) {
  uint32_t group = row.arithmetic->packing(op).group;
  return (op.k + group - 1) / group;
}

llvm::FixedVectorType* packedVector(llvm::IRBuilderBase& builder, const Row& row, const MulAdd&,
                                    Component component) {
  return llvm::FixedVectorType::get(coopmat::componentType(component, builder),
                                    row.vector_bytes / coopmat::bytesOf(component));
}

llvm::FixedVectorType* accumulatorVector(llvm::IRBuilderBase& builder, const Row& row,
                                         const MulAdd& op) {
  return packedVector(builder, row, op, row.arithmetic->accumulator(op));
}

std::string mangle(const MulAdd& op) {
  auto text = [](Component component) { return std::string(coopmat::info(component).text); };
  return text(op.a) + "." + text(op.b) + "." + text(op.result) + (op.saturating ? ".sat." : ".") +
         std::to_string(op.m) + "x" + std::to_string(op.n) + "x" + std::to_string(op.k);
}

llvm::Function* blockFunction(const HelperScope& scope, const Row& row, const MulAdd& op,
                              const BlockShape& shape, const BlockStrides& strides) {
  llvm::Type* ptr = llvm::PointerType::getUnqual(scope.module.getContext());
  llvm::Type* i64 = llvm::Type::getInt64Ty(scope.module.getContext());
  std::string name = "tessera.block." + std::string(row.name) + "." + mangle(op) + "." +
                     std::to_string(shape.rows) + "x" + std::to_string(shape.strips) + "." +
                     std::to_string(strides.a) + "." + std::to_string(strides.c);
  return helperFunction(scope, name, {ptr, ptr, ptr, ptr, i64},
                        [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
                          BlockEmitter(builder, function, row, op, shape, strides).emit();
                        });
}

}  // namespace jit::ukernel
