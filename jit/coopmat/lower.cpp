// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/lower.h"

#include <llvm/IR/InstIterator.h>

#include "jit/base/error.h"
#include "jit/coopmat/large_matrices.h"
#include "jit/coopmat/overlap.h"
#include "jit/coopmat/shared_operands.h"
#include "jit/coopmat/tile_copy.h"
#include "jit/ir/memories.h"
#include "jit/matrix/shapes.h"
#include "jit/simt/transpose.h"
#include "jit/ukernel/packed_gemm.h"

namespace jit::coopmat {
namespace {

using llvm::IRBuilder;
using llvm::Value;
using ukernel::offsetBy;
using ukernel::SourceTile;

SourceTile tileOf(const MatrixType& type, Layout layout) {
  return {componentOfWidth(type.component), type.rows, type.columns, layout};
}

bool isUnlimited(Value* limit) {
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(limit);
  return constant && constant->isMinusOne();
}

std::optional<uint64_t> constantStride(Value* stride) {
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(stride);
  if (!constant) return std::nullopt;
  return constant->getZExtValue();
}

class FunctionLowering {
 public:
  FunctionLowering(llvm::Function& function, const Target& target, KernelFrame& frame,
                   uint64_t staging_offset)
      : function_(function),
        scope_{*function.getParent(), function},
        target_(target),
        frame_(frame),
        staging_offset_(staging_offset) {}

  llvm::Error run() {
    llvm::SmallVector<llvm::Instruction*> operations;
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      if (matchLoad(&instruction) || matchStore(&instruction) || matchMulAdd(&instruction) ||
          matchTranspose(&instruction)) {
        operations.push_back(&instruction);
      }
    }
    // Stores first: one that only moves a loaded matrix on takes the load with it.
    for (llvm::Instruction*& operation : operations) {
      if (auto store = matchStore(operation)) {
        lowerStore(*store);
        operation = nullptr;
      }
    }
    for (llvm::Instruction* operation : operations) {
      if (!operation) continue;
      if (auto load = matchLoad(operation)) {
        if (operation->use_empty()) {
          operation->eraseFromParent();
        } else {
          lowerLoad(*load);
        }
      } else if (auto mul_add = matchMulAdd(operation)) {
        if (llvm::Error error = lowerMulAdd(*mul_add)) return error;
      } else if (auto transpose = matchTranspose(operation)) {
        lowerTranspose(*transpose);
      }
    }
    return llvm::Error::success();
  }

 private:
  Value* framePointer(IRBuilder<>& builder, uint64_t offset) {
    return offsetBy(builder, function_.getArg(kFrameArgument), offset);
  }
  Value* staging(IRBuilder<>& builder) { return framePointer(builder, staging_offset_); }

  void replace(llvm::Instruction* operation, Value* value) {
    operation->replaceAllUsesWith(value);
    operation->eraseFromParent();
  }

  // Rows of memory without limit as one value, without a detour.
  Value* readRows(IRBuilder<>& builder, const MatrixType& type, Value* base, uint64_t stride) {
    auto* row_type =
        llvm::FixedVectorType::get(componentType(type.component, builder), type.columns);
    llvm::SmallVector<Value*> rows;
    for (uint32_t r = 0; r < type.rows; ++r) {
      rows.push_back(
          builder.CreateAlignedLoad(row_type, offsetBy(builder, base, r * stride),
                                    llvm::Align(bytesOf(componentOfWidth(type.component)))));
    }
    return ukernel::concatenate(builder, rows);
  }

  void writeRows(IRBuilder<>& builder, const MatrixType& type, Value* matrix, Value* base,
                 uint64_t stride) {
    for (uint32_t r = 0; r < type.rows; ++r) {
      builder.CreateAlignedStore(ukernel::slice(builder, matrix, r * type.columns, type.columns),
                                 offsetBy(builder, base, r * stride),
                                 llvm::Align(bytesOf(componentOfWidth(type.component))));
    }
  }

  // The store to a local variable that is all that becomes of a load, when it may be done at once:
  // accumulators of which components are reached after the product, above all.
  llvm::StoreInst* storeToVariable(const LoadCall& load) {
    if (!load.call->hasOneUse()) return nullptr;
    auto* store = llvm::dyn_cast<llvm::StoreInst>(load.call->user_back());
    const bool can_be_one = store != nullptr && store->isSimple() &&
                            store->getParent() == load.call->getParent() &&
                            leadsOnlyTo(*store->getPointerOperand(), kLocalVariables) &&
                            (memoriesBehind(*load.base) & kLocalVariables) == 0 &&
                            isUnwrittenBetween(*load.call, *store);
    return can_be_one ? store : nullptr;
  }

  void lowerLoad(const LoadCall& load) {
    if (llvm::StoreInst* store = storeToVariable(load)) {
      IRBuilder<> builder(store);
      builder.CreateCall(
          gather(tileOf(load.type, load.layout)),
          {load.base, load.stride_bytes, load.limit_bytes, store->getPointerOperand()});
      store->eraseFromParent();
      load.call->eraseFromParent();
      return;
    }
    IRBuilder<> builder(load.call);
    std::optional<uint64_t> stride = constantStride(load.stride_bytes);
    if (stride && isUnlimited(load.limit_bytes) && load.layout == Layout::Row) {
      replace(load.call, readRows(builder, load.type, load.base, *stride));
      return;
    }
    Value* staged = staging(builder);
    SourceTile tile = tileOf(load.type, load.layout);
    builder.CreateCall(gather(tile), {load.base, load.stride_bytes, load.limit_bytes, staged});
    replace(load.call, builder.CreateAlignedLoad(load.call->getType(), staged, llvm::Align(64)));
  }

  llvm::Function* gather(const SourceTile& tile) {
    return gatherFunction(scope_, tile, target_.vector_bytes);
  }

  // The load that `store` merely moves on, when it can read at the store: rows without limit, of
  // the same matrix (a single row is its own transpose as a value, but not in memory), nothing else
  // wants the value, and nothing is written in between. The store itself may write to what the load
  // reads.
  std::optional<LoadCall> movedLoad(const StoreCall& store) {
    std::optional<LoadCall> load = matchLoad(store.matrix);
    if (!load || !load->call->hasOneUse() || load->call->getParent() != store.call->getParent()) {
      return std::nullopt;
    }
    const std::optional<uint64_t> stride = constantStride(load->stride_bytes);
    if (load->layout != Layout::Row || !isUnlimited(load->limit_bytes) || !stride ||
        *stride >= ukernel::kInsaneStride || load->type.rows != store.type.rows) {
      return std::nullopt;
    }
    for (llvm::Instruction* at = load->call->getNextNode(); at != store.call;
         at = at->getNextNode()) {
      if (at->mayWriteToMemory()) return std::nullopt;
    }
    return load;
  }

  // The matrix of a local variable that `store` moves on, when it can be read at the store.
  llvm::LoadInst* movedVariable(const StoreCall& store) {
    auto* read = llvm::dyn_cast<llvm::LoadInst>(store.matrix);
    const bool can_be_read = read != nullptr && read->isSimple() && read->hasOneUse() &&
                             read->getParent() == store.call->getParent() &&
                             leadsOnlyTo(*read->getPointerOperand(), kLocalVariables) &&
                             (memoriesBehind(*store.base) & kLocalVariables) == 0 &&
                             isUnwrittenBetween(*read, *store.call);
    return can_be_read ? read : nullptr;
  }

  void lowerStore(const StoreCall& store) {
    IRBuilder<> builder(store.call);
    std::optional<uint64_t> stride = constantStride(store.stride_bytes);
    bool is_simple = stride && isUnlimited(store.limit_bytes) && store.layout == Layout::Row;
    std::optional<LoadCall> load = movedLoad(store);
    SourceTile tile = tileOf(store.type, store.layout);
    if (load) {
      llvm::Function* scatter = scatterFunction(scope_, tile, *constantStride(load->stride_bytes),
                                                mayOverlap(*load, store), target_.vector_bytes);
      builder.CreateCall(scatter, {load->base, store.base, store.stride_bytes, store.limit_bytes});
    } else if (llvm::LoadInst* read = movedVariable(store)) {
      scatterFrom(builder, tile, read->getPointerOperand(), store);
      store.call->eraseFromParent();
      read->eraseFromParent();
      return;
    } else if (is_simple) {
      writeRows(builder, store.type, store.matrix, store.base, *stride);
    } else {
      Value* staged = staging(builder);
      builder.CreateAlignedStore(store.matrix, staged, llvm::Align(64));
      scatterFrom(builder, tile, staged, store);
    }
    store.call->eraseFromParent();
  }

  // From memory that is none of the store's, where rows have no gaps.
  void scatterFrom(IRBuilder<>& builder, const SourceTile& tile, Value* from,
                   const StoreCall& store) {
    const uint64_t row_bytes = uint64_t{tile.columns} * bytesOf(tile.component);
    builder.CreateCall(scatterFunction(scope_, tile, row_bytes, false, target_.vector_bytes),
                       {from, store.base, store.stride_bytes, store.limit_bytes});
  }

  llvm::Error lowerMulAdd(const MulAddCall& mul_add) {
    const MulAdd& op = mul_add.op;
    const ukernel::Row* row = ukernel::select(op, target_);
    if (!row || bytesOf(op.c) != bytesOf(op.result)) return withoutMicrokernel(op);
    ukernel::PackedGemm gemm(*row, op, 1, 1, 1);
    IRBuilder<> builder(mul_add.call);
    Value* base = framePointer(builder, gemmOffset(gemm));
    Value* c = offsetBy(builder, base, gemm.accumulatorOffset(0, 0));
    writeRows(builder, op.typeC(), mul_add.c, c, gemm.accumulatorStride());
    gemm.emitBegin(scope_, builder, base);
    gemm.emitBeginKBlock(builder, base);
    Value* zero = builder.getInt64(0);
    gemm.emitPackA(scope_, builder, base, 0, zero, stage(builder, mul_add.a, op.k), Layout::Row);
    gemm.emitPackB(scope_, builder, base, 0, zero, stage(builder, mul_add.b, op.n), Layout::Row);
    gemm.emitMultiply(scope_, builder, base, {.steps = builder.getInt64(1)});
    gemm.emitEnd(scope_, builder, base);
    replace(mul_add.call, readRows(builder, op.typeOfResult(), c, gemm.accumulatorStride()));
    return llvm::Error::success();
  }

  void lowerTranspose(const TransposeCall& transpose) {
    IRBuilder<> builder(transpose.call);
    const MatrixType& type = transpose.type;
    llvm::SmallVector<Value*> rows;
    for (uint32_t r = 0; r < type.rows; ++r) {
      rows.push_back(ukernel::slice(builder, transpose.matrix, r * type.columns, type.columns));
    }
    auto columns = ukernel::transpose(builder, rows, target_.vector_bytes);
    replace(transpose.call, ukernel::concatenate(builder, columns));
  }

  ukernel::TileMemory stage(IRBuilder<>& builder, Value* matrix, uint32_t columns) {
    Value* staged = staging(builder);
    builder.CreateAlignedStore(matrix, staged, llvm::Align(64));
    uint64_t row_bytes = uint64_t{columns} * matrix->getType()->getScalarSizeInBits() / 8;
    return {staged, builder.getInt64(row_bytes), builder.getInt64(-1)};
  }

  // One piece of memory for all multiply-adds of the function that are done at once.
  uint64_t gemmOffset(const ukernel::PackedGemm& gemm) {
    if (gemm.bytes() > gemm_bytes_) {
      gemm_offset_ = frame_.allocate(gemm.bytes(), 64);
      gemm_bytes_ = gemm.bytes();
    }
    return gemm_offset_;
  }

  llvm::Function& function_;
  const ukernel::HelperScope scope_;
  const Target& target_;
  KernelFrame& frame_;
  const uint64_t staging_offset_;
  uint64_t gemm_offset_ = 0, gemm_bytes_ = 0;
};

// Bytes of the largest matrix that an operation of the function handles.
uint64_t largestMatrix(llvm::Function& function) {
  uint64_t most = 0;
  auto note = [&](const MatrixType& type) {
    most = std::max(most, uint64_t{type.rows} * type.columns * bytesOf(type.component));
  };
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto load = matchLoad(&instruction)) note(load->type);
    if (auto store = matchStore(&instruction)) note(store->type);
    if (auto transpose = matchTranspose(&instruction)) note(transpose->type);
    if (auto mul_add = matchMulAdd(&instruction)) {
      const MulAdd& op = mul_add->op;
      for (const MatrixType& type : {op.typeA(), op.typeB(), op.typeC()}) note(type);
    }
  }
  return most;
}

}  // namespace

llvm::Error withoutMicrokernel(const MulAdd& op) {
  const Shape shape{Scope::Subgroup, op.m, op.n, op.k, op.a, op.b, op.c, op.result, op.saturating};
  return unsupported("no microkernel multiplies " + describe(shape));
}

llvm::Error lowerMatrixOperations(llvm::Module& module, const Target& target, KernelFrame& frame,
                                  uint32_t lanes) {
  llvm::SmallVector<llvm::Function*> functions;
  for (llvm::Function& function : module) {
    // What scheduling made works on panels, which are no matrices.
    if (!function.isDeclaration() && !ukernel::isHelperFunction(function))
      functions.push_back(&function);
  }
  for (llvm::Function* function : functions) {
    if (llvm::Error error = lowerLargeMatrices(*function, lanes, target, frame)) return error;
    uint64_t staging_bytes = largestMatrix(*function);
    if (staging_bytes == 0) continue;
    FunctionLowering lowering(*function, target, frame, frame.allocate(staging_bytes, 64));
    if (llvm::Error error = lowering.run()) return error;
  }
  return llvm::Error::success();
}

}  // namespace jit::coopmat
