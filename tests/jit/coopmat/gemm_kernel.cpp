// SPDX-License-Identifier: Apache-2.0

#include "tests/jit/coopmat/gemm_kernel.h"

#include <cstddef>
#include <utility>

namespace jit::test {
namespace {

using coopmat::Layout;
using coopmat::MatrixType;
using llvm::IRBuilder;
using llvm::Value;

class GemmEmitter {
 public:
  GemmEmitter(const GemmKernel& kernel, llvm::Function& function, KernelFrame& frame)
      : kernel_(kernel), function_(function), frame_(frame), builder_(function.getContext()) {}

  void emit() {
    llvm::LLVMContext& context = function_.getContext();
    auto* entry = llvm::BasicBlock::Create(context, "entry", &function_);
    auto* header = llvm::BasicBlock::Create(context, "header", &function_);
    auto* body = llvm::BasicBlock::Create(context, "body", &function_);
    auto* exit = llvm::BasicBlock::Create(context, "exit", &function_);
    builder_.SetInsertPoint(entry);
    const coopmat::MulAdd& op = kernel_.op;
    row_ = builder_.CreateMul(wide(4), builder_.getInt64(uint64_t{op.m} * kernel_.a_tiles));
    column_ = builder_.CreateMul(wide(3), builder_.getInt64(uint64_t{op.n} * kernel_.b_tiles));
    std::vector<Value*> initial;
    forEachTile([&](uint32_t i, uint32_t j) {
      Value* zero = llvm::Constant::getNullValue(coopmat::vectorType(typeC(), builder_));
      initial.push_back(kernel_.starts_at_c ? accessC(i, j, offsetof(GemmArgs, c), nullptr) : zero);
    });
    Value* count = argument(offsetof(GemmArgs, k));
    builder_.CreateBr(header);

    builder_.SetInsertPoint(header);
    auto* step = builder_.CreatePHI(builder_.getInt64Ty(), 2);
    step->addIncoming(builder_.getInt64(0), entry);
    std::vector<llvm::PHINode*> phis;
    std::vector<Value*> last;
    for (Value* value : initial) {
      phis.push_back(builder_.CreatePHI(value->getType(), 2));
      phis.back()->addIncoming(value, entry);
      last.push_back(phis.back());
    }
    if (kernel_.tests_at_end) {
      builder_.CreateBr(body);
    } else {
      builder_.CreateCondBr(builder_.CreateICmpULT(step, count), body, exit);
    }
    builder_.SetInsertPoint(body);
    if (kernel_.stores_in_loop) builder_.CreateStore(step, function_.getArg(1));
    for (uint32_t s = 0; s < kernel_.steps_per_iteration; ++s) {
      emitStep(builder_.CreateAdd(step, builder_.getInt64(s)), last);
    }
    Value* next = builder_.CreateAdd(step, builder_.getInt64(kernel_.steps_per_iteration));
    llvm::BasicBlock* latch = builder_.GetInsertBlock();
    step->addIncoming(next, latch);
    for (size_t i = 0; i < phis.size(); ++i) phis[i]->addIncoming(last[i], latch);
    if (kernel_.tests_at_end) {
      builder_.CreateCondBr(builder_.CreateICmpULT(next, count), header, exit);
    } else {
      builder_.CreateBr(header);
      last.assign(phis.begin(), phis.end());
    }
    builder_.SetInsertPoint(exit);
    size_t index = 0;
    forEachTile(
        [&](uint32_t i, uint32_t j) { accessC(i, j, offsetof(GemmArgs, d), last[index++]); });
    builder_.CreateRetVoid();
  }

 private:
  template <typename Body>
  void forEachTile(Body body) {
    for (uint32_t i = 0; i < kernel_.a_tiles; ++i) {
      for (uint32_t j = 0; j < kernel_.b_tiles; ++j) body(i, j);
    }
  }

  Value* wide(unsigned argument) {
    return builder_.CreateZExt(function_.getArg(argument), builder_.getInt64Ty());
  }
  Value* argument(size_t offset) { return load(builder_.getInt64Ty(), offset); }
  Value* load(llvm::Type* type, size_t offset) {
    llvm::LoadInst* load = builder_.CreateLoad(
        type, builder_.CreatePtrAdd(function_.getArg(0), builder_.getInt64(offset)));
    load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                      llvm::MDNode::get(builder_.getContext(), {}));
    return load;
  }
  Value* scaled(Value* value, uint64_t factor) {
    return builder_.CreateMul(value, builder_.getInt64(factor));
  }
  MatrixType typeC() const { return kernel_.op.typeOfResult(); }

  // Where a matrix is in memory.
  struct Place {
    Value *base, *stride, *limit;
  };

  // The place, or where `copies` (i1) that of a copy in the frame.
  Place copiedPlace(const MatrixType& type, const Place& place, Layout layout,
                    uint32_t component_bytes, Value* copies) {
    const uint32_t length = layout == Layout::Row ? type.columns : type.rows;
    const uint64_t bytes = uint64_t{type.rows} * type.columns * component_bytes;
    Value* offset = builder_.getInt64(frame_.allocate(bytes, 64));
    const Place copied{builder_.CreatePtrAdd(function_.getArg(coopmat::kFrameArgument), offset),
                       builder_.getInt64(uint64_t{length} * component_bytes),
                       builder_.getInt64(-1)};
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    auto* copy = llvm::BasicBlock::Create(function_.getContext(), "copy", &function_);
    auto* load = llvm::BasicBlock::Create(function_.getContext(), "load", &function_);
    builder_.CreateCondBr(copies, copy, load);
    builder_.SetInsertPoint(copy);
    Value* matrix =
        coopmat::createLoad(builder_, type, place.base, place.stride, place.limit, layout);
    coopmat::createStore(builder_, matrix, type, copied.base, copied.stride, copied.limit, layout);
    builder_.CreateBr(load);
    builder_.SetInsertPoint(load);
    auto either = [&](Value* plain, Value* other) {
      llvm::PHINode* phi = builder_.CreatePHI(plain->getType(), 2);
      phi->addIncoming(plain, before);
      phi->addIncoming(other, copy);
      return phi;
    };
    return {either(place.base, copied.base), either(place.stride, copied.stride),
            either(place.limit, copied.limit)};
  }

  // Whether a step's tiles are copied in blocks of the number that argument `block` is.
  Value* copies(Value* step, unsigned block) {
    if (!kernel_.copies_tiles) return nullptr;
    Value* is_odd = builder_.CreateTrunc(wide(block), builder_.getInt1Ty());
    return builder_.CreateAnd(
        is_odd, builder_.CreateIsNotNull(builder_.CreateAnd(step, builder_.getInt64(2))));
  }

  // Loads the tile whose first component is (row, column), or stores `matrix` there. Where
  // `copies`, it is loaded from a copy.
  Value* access(const MatrixType& type, Value* row, Value* column, Layout layout,
                uint32_t component_bytes, size_t base_at, size_t stride_at, size_t limit_at,
                Value* matrix, Value* copies = nullptr) {
    Value* stride = argument(stride_at);
    Value* line = layout == Layout::Row ? row : column;
    Value* within = layout == Layout::Row ? column : row;
    Value* offset =
        builder_.CreateAdd(builder_.CreateMul(line, stride), scaled(within, component_bytes));
    Value* limit =
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, argument(limit_at), offset);
    Value* base = builder_.CreatePtrAdd(load(builder_.getPtrTy(), base_at), offset);
    if (copies) {
      const Place place = copiedPlace(type, {base, stride, limit}, layout, component_bytes, copies);
      return coopmat::createLoad(builder_, type, place.base, place.stride, place.limit, layout);
    }
    if (!matrix) return coopmat::createLoad(builder_, type, base, stride, limit, layout);
    coopmat::createStore(builder_, matrix, type, base, stride, limit, layout);
    return nullptr;
  }

  Value* accessC(uint32_t i, uint32_t j, size_t base_at, Value* matrix) {
    const coopmat::MulAdd& op = kernel_.op;
    return access(typeC(), builder_.CreateAdd(row_, builder_.getInt64(i * op.m)),
                  builder_.CreateAdd(column_, builder_.getInt64(j * op.n)), kernel_.c_layout,
                  coopmat::bytesOf(op.result), base_at, offsetof(GemmArgs, c_stride),
                  offsetof(GemmArgs, c_limit), matrix);
  }

  void emitStep(Value* step, std::vector<Value*>& accumulators) {
    const coopmat::MulAdd& op = kernel_.op;
    Value* k = scaled(step, op.k);
    std::vector<Value*> a, b;
    for (uint32_t i = 0; i < kernel_.a_tiles; ++i) {
      a.push_back(access(op.typeA(), builder_.CreateAdd(row_, builder_.getInt64(i * op.m)), k,
                         kernel_.a_layout, coopmat::bytesOf(op.a), offsetof(GemmArgs, a),
                         offsetof(GemmArgs, a_stride), offsetof(GemmArgs, a_limit), nullptr,
                         copies(step, 4)));
    }
    for (uint32_t j = 0; j < kernel_.b_tiles; ++j) {
      b.push_back(access(op.typeB(), k, builder_.CreateAdd(column_, builder_.getInt64(j * op.n)),
                         kernel_.b_layout, coopmat::bytesOf(op.b), offsetof(GemmArgs, b),
                         offsetof(GemmArgs, b_stride), offsetof(GemmArgs, b_limit), nullptr,
                         copies(step, 3)));
    }
    for (auto [tiles, are_values] : {std::pair{&a, kernel_.a_is_value}, {&b, kernel_.b_is_value}}) {
      if (are_values)
        for (Value*& tile : *tiles) tile = builder_.CreateFreeze(tile);
    }
    size_t index = 0;
    forEachTile([&](uint32_t i, uint32_t j) {
      accumulators[index] = coopmat::createMulAdd(builder_, op, a[i], b[j], accumulators[index]);
      ++index;
    });
  }

  const GemmKernel& kernel_;
  llvm::Function& function_;
  KernelFrame& frame_;
  IRBuilder<> builder_;
  Value *row_ = nullptr, *column_ = nullptr;
};

}  // namespace

llvm::Function* emitGemm(JitModule& module, const GemmKernel& kernel, const std::string& name) {
  llvm::Function* function = module.subgroupFunction(name);
  GemmEmitter(kernel, *function, module.frame).emit();
  return function;
}

}  // namespace jit::test
