// SPDX-License-Identifier: Apache-2.0

// Source: SPV_NV_cooperative_matrix2, 3.49.8 "Memory Instructions".
//
// An access that comes to plain rows of memory (tensor_rows.h) is an ordinary matrix load or store;
// whether it does is tested once. Anything else goes through a matrix in the frame, which
// runtime/kernel_library/tensor_copy.h fills or takes apart. A load is one matrix load in both
// cases, so that a multiply-add packs its operand from wherever it lies.
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/Support/ModRef.h>

#include "jit/emit/coopmat_types.h"
#include "jit/emit/host_check.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/memory_check.h"
#include "jit/emit/opcode_rows.h"
#include "jit/emit/race_check.h"
#include "jit/emit/tensor_rows.h"
#include "jit/emit/uniform_check.h"
#include "jit/ir/symbols.h"
#include "jit/simt/lane_loop.h"
#include "jit/spirv/tensor_access.h"
#include "jit/spirv/tensor_types.h"
#include "runtime/kernel_library/tensor_copy.h"

namespace jit::spirv {

namespace {

using llvm::Error;

static_assert(rt::kTensorDimensions == kMaxTensorDimensions);
static_assert(static_cast<uint32_t>(rt::TensorClamp::RepeatMirrored) ==
              static_cast<uint32_t>(spv::TensorClampMode::RepeatMirrored));

// One access, with everything that it depends on as scalars.
struct Access {
  TensorAccess ids;
  const Type* matrix;
  coopmat::MatrixType type;
  TensorOperands operands;
  Pointer pointer;
  llvm::Value *base, *limit_bytes;
  bool is_volatile;

  uint64_t componentBytes() const { return matrix->element->naturalSize(); }
  uint64_t bytes() const { return matrix->naturalSize(); }
};

llvm::Expected<Access> accessOf(Emission& e, const Instruction& i, const TensorAccess& ids,
                                const Type& matrix) {
  llvm::Expected<Pointer> pointer = e.pointer(ids.pointer);
  if (!pointer) return pointer.takeError();
  if (pointer->interleaved || pointer->builtin_variable != 0)
    return e.unsupportedAt(i, "a tensor in Function or Private memory");
  llvm::Expected<TensorOperands> operands = tensorOperands(e, i, ids.layout, ids.view);
  if (!operands) return operands.takeError();
  const UniformCheck check(e);
  check.matrix();
  llvm::Value* address = e.leafAddress(*pointer, 0, 0);
  check.operand(address, rt::UniformOperand::Pointer);
  return Access{ids,
                &matrix,
                matrixType(matrix),
                *operands,
                *pointer,
                e.simt.uniform(address),
                accessibleBytes(e, *pointer),
                ids.is_volatile || pointer->is_volatile};
}

// An rt::TensorForm for a matrix that lies in the frame in `layout`.
llvm::Value* formOf(Emission& e, const Access& access, coopmat::Layout layout) {
  rt::TensorForm form{};
  form.rows = access.matrix->rows;
  form.columns = access.matrix->columns;
  form.component_bytes = static_cast<uint8_t>(access.componentBytes());
  form.by_columns = layout == coopmat::Layout::Column;
  form.layout_dimensions = static_cast<uint8_t>(access.operands.layout.type->count);
  form.clamp = static_cast<rt::TensorClamp>(access.operands.layout.type->clamp_mode);
  if (access.operands.view) {
    const Type& view = *access.operands.view->type;
    form.view_dimensions = static_cast<uint8_t>(view.count);
    form.has_dimensions = view.has_dimensions;
    for (uint32_t dim = 0; dim < view.count; ++dim)
      form.permutation[dim] = static_cast<uint8_t>(view.permutation[dim]);
  }
  const llvm::StringRef bytes(reinterpret_cast<const char*>(&form), sizeof(form));
  llvm::Constant* data = llvm::ConstantDataArray::getString(e.context, bytes, false);
  auto* global = new llvm::GlobalVariable(e.output(), data->getType(), true,
                                          llvm::GlobalValue::PrivateLinkage, data, "tensor_form");
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  global->setAlignment(llvm::Align(alignof(rt::TensorForm)));
  return global;
}

// An rt::TensorState.
llvm::Value* stateOf(Emission& e, const Access& access) {
  auto& ir = e.ir;
  llvm::AllocaInst* state =
      e.laneSlot(llvm::ArrayType::get(ir.getInt8Ty(), sizeof(rt::TensorState)), 0);
  auto put = [&](size_t offset, llvm::Value* value) {
    ir.CreateAlignedStore(value, ir.CreateConstGEP1_64(ir.getInt8Ty(), state, offset),
                          llvm::Align(4));
  };
  using State = rt::TensorState;
  put(offsetof(State, limit), access.limit_bytes);
  const Value& layout = access.operands.layout;
  const LayoutLeaves at(layout.type->count);
  for (uint32_t dim = 0; dim < layout.type->count; ++dim) {
    put(offsetof(State, block_size) + 4 * dim, layout.leaves[at.blockSize(dim)]);
    put(offsetof(State, dimension) + 4 * dim, layout.leaves[at.dimension(dim)]);
    put(offsetof(State, stride) + 4 * dim, layout.leaves[at.stride(dim)]);
    put(offsetof(State, offset) + 4 * dim, layout.leaves[at.offset(dim)]);
    put(offsetof(State, span) + 4 * dim, layout.leaves[at.span(dim)]);
  }
  // Of a shadow what lies outside is defined.
  llvm::Value* outside = layout.leaves[at.clampValue()];
  if (access.pointer.shadow_distance != 0) outside = integerLike(outside, 0);
  put(offsetof(State, clamp_value), outside);
  if (!access.operands.view) return state;
  const Value& view = *access.operands.view;
  const ViewLeaves view_at(view.type->count);
  for (uint32_t dim = 0; dim < view.type->count; ++dim) {
    put(offsetof(State, view_dimension) + 4 * dim, view.leaves[view_at.dimension(dim)]);
    put(offsetof(State, view_stride) + 4 * dim, view.leaves[view_at.stride(dim)]);
  }
  put(offsetof(State, clip_row_offset), view.leaves[view_at.clipRowOffset()]);
  put(offsetof(State, clip_row_span), view.leaves[view_at.clipRowSpan()]);
  put(offsetof(State, clip_column_offset), view.leaves[view_at.clipColumnOffset()]);
  put(offsetof(State, clip_column_span), view.leaves[view_at.clipColumnSpan()]);
  return state;
}

void check(Emission& e, const Access& access) {
  if (!MemoryCheck(e).isOn() && !RaceCheck(e).isOn() && !HostCheck(e).isOn()) return;
  llvm::Value* form = formOf(e, access, coopmat::Layout::Row);
  llvm::Value* state = stateOf(e, access);
  MemoryCheck(e).tensor(access.pointer, form, state, access.ids.stores);
  RaceCheck(e).tensor(access.pointer, form, state, access.ids.stores);
  HostCheck(e).tensor(access.pointer, form, state, access.ids.stores);
}

// A call of rt::loadTensor or rt::storeTensor.
void copyTensor(Emission& e, const Access& access, llvm::Value* staged, coopmat::Layout layout) {
  auto& ir = e.ir;
  llvm::Type* ptr = ir.getPtrTy();
  llvm::FunctionCallee callee = runtimeFunction(
      e.output(), access.ids.stores ? "tessera.store_tensor" : "tessera.load_tensor",
      ir.getVoidTy(), {ptr, ptr, ptr, ptr}, llvm::MemoryEffects::argMemOnly());
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  const unsigned written = access.ids.stores ? 0 : 1;
  for (unsigned argument = 0; argument < function->arg_size(); ++argument)
    if (argument != written) function->addParamAttr(argument, llvm::Attribute::ReadOnly);
  ir.CreateCall(function, {access.base, staged, formOf(e, access, layout), stateOf(e, access)});
}

// Where plain rows begin in the client's memory, as operands of a matrix load or store.
struct TensorMemory {
  llvm::Value *base, *stride_bytes, *limit_bytes;
};

TensorMemory memoryOf(Emission& e, const Access& access, const TensorRows& rows) {
  auto& ir = e.ir;
  llvm::Value* size = ir.getInt64(access.componentBytes());
  llvm::Value* offset = ir.CreateMul(rows.first, size);
  llvm::Value* limit = access.limit_bytes;
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(limit);
      constant == nullptr || !constant->isMinusOne())
    limit = ir.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, limit, offset);
  llvm::Value* stride = ir.CreateMul(rows.stride, size);
  llvm::Value* end = ir.CreateMul(rows.lines, stride);
  end = ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, limit, end);
  return {ir.CreateGEP(ir.getInt8Ty(), access.base, offset), stride,
          ir.CreateSelect(rows.ends, end, limit)};
}

TensorMemory stagedMemory(Emission& e, const Access& access, coopmat::Layout layout) {
  const uint64_t length =
      layout == coopmat::Layout::Column ? access.matrix->rows : access.matrix->columns;
  return {e.staging(access.bytes()), e.ir.getInt64(length * access.componentBytes()),
          e.ir.getInt64(~uint64_t{0})};
}

// Fills the staged matrix. What is clipped keeps the values of `object`.
void loadGenerally(Emission& e, const Access& access, const TensorMemory& staged,
                   coopmat::Layout layout, llvm::Value* object) {
  if (access.operands.view) {
    llvm::Value* clips = e.ir.CreateNot(isUnclipped(e, *access.matrix, *access.operands.view));
    simt::ifHolds(e.simt, clips, [&] {
      coopmat::createStore(e.ir, object, access.type, staged.base, staged.stride_bytes,
                           staged.limit_bytes, layout);
    });
  }
  copyTensor(e, access, staged.base, layout);
}

llvm::BasicBlock* blockBehind(llvm::IRBuilder<>& ir, const char* name) {
  return llvm::BasicBlock::Create(ir.getContext(), name, ir.GetInsertBlock()->getParent(),
                                  ir.GetInsertBlock()->getNextNode());
}

llvm::Value* merge(llvm::IRBuilder<>& ir, llvm::Value* a, llvm::BasicBlock* from_a, llvm::Value* b,
                   llvm::BasicBlock* from_b) {
  if (a == b) return a;
  llvm::PHINode* phi = ir.CreatePHI(a->getType(), 2);
  phi->addIncoming(a, from_a);
  phi->addIncoming(b, from_b);
  return phi;
}

// Where the matrix lies when it is loaded: in the client's memory, or filled into the frame.
TensorMemory loadedMemory(Emission& e, const Access& access, const std::optional<TensorRows>& rows,
                          coopmat::Layout layout, llvm::Value* object) {
  auto& ir = e.ir;
  const TensorMemory staged = stagedMemory(e, access, layout);
  if (!rows) {
    loadGenerally(e, access, staged, layout, object);
    return staged;
  }
  const TensorMemory direct = memoryOf(e, access, *rows);
  llvm::BasicBlock* before = ir.GetInsertBlock();
  llvm::BasicBlock* done = blockBehind(ir, "tensor.load");
  llvm::BasicBlock* general = blockBehind(ir, "tensor.fill");
  ir.CreateCondBr(rows->holds, done, general);
  ir.SetInsertPoint(general);
  loadGenerally(e, access, staged, layout, object);
  llvm::BasicBlock* filled = ir.GetInsertBlock();
  ir.CreateBr(done);
  ir.SetInsertPoint(done);
  return {merge(ir, direct.base, before, staged.base, filled),
          merge(ir, direct.stride_bytes, before, staged.stride_bytes, filled),
          merge(ir, direct.limit_bytes, before, staged.limit_bytes, filled)};
}

Error emitLoad(Emission& e, const Instruction& i) {
  const std::optional<TensorAccess> ids = tensorAccess(i);
  if (!ids) return malformed(e.module.describe(i) + " lacks operands");
  if (i.type->kind != TypeKind::CooperativeMatrix)
    return malformed(e.module.describe(i) + ": the result is not a cooperative matrix");
  llvm::Expected<Value> object = e.value(ids->object);
  if (!object) return object.takeError();
  if (object->type != i.type)
    return malformed(e.module.describe(i) + ": Object has another type than the result");
  llvm::Expected<Access> access = accessOf(e, i, *ids, *i.type);
  if (!access) return access.takeError();
  check(e, *access);
  const std::optional<TensorRows> rows = tensorRows(e, *i.type, access->operands, false);
  const coopmat::Layout layout = rows ? rows->layout : coopmat::Layout::Row;
  e.keepInPlace(access->is_volatile);
  const TensorMemory memory = loadedMemory(e, *access, rows, layout, object->leaves[0]);
  e.setValue(i, Value{i.type,
                      {coopmat::createLoad(e.ir, access->type, memory.base, memory.stride_bytes,
                                           memory.limit_bytes, layout)}});
  return Error::success();
}

void storeAt(Emission& e, const Access& access, llvm::Value* matrix, const TensorMemory& memory,
             coopmat::Layout layout) {
  coopmat::createStore(e.ir, matrix, access.type, memory.base, memory.stride_bytes,
                       memory.limit_bytes, layout);
}

Error emitStore(Emission& e, const Instruction& i) {
  const std::optional<TensorAccess> ids = tensorAccess(i);
  if (!ids) return malformed(e.module.describe(i) + " lacks operands");
  if (ids->decode != 0 || ids->decode_vector != 0)
    return malformed(e.module.describe(i) + ": a store has no decode function");
  llvm::Expected<Value> object = e.value(ids->object);
  if (!object) return object.takeError();
  if (object->type->kind != TypeKind::CooperativeMatrix)
    return malformed(e.module.describe(i) + ": Object is not a cooperative matrix");
  llvm::Expected<Access> access = accessOf(e, i, *ids, *object->type);
  if (!access) return access.takeError();
  check(e, *access);
  auto& ir = e.ir;
  llvm::Value* matrix = object->leaves[0];
  const std::optional<TensorRows> rows = tensorRows(e, *object->type, access->operands, true);
  const coopmat::Layout layout = rows ? rows->layout : coopmat::Layout::Row;
  auto storeGenerally = [&] {
    const TensorMemory staged = stagedMemory(e, *access, layout);
    storeAt(e, *access, matrix, staged, layout);
    copyTensor(e, *access, staged.base, layout);
  };
  if (rows) {
    const TensorMemory direct = memoryOf(e, *access, *rows);
    llvm::BasicBlock* done = blockBehind(ir, "tensor.stored");
    llvm::BasicBlock* general = blockBehind(ir, "tensor.scatter");
    llvm::BasicBlock* plain = blockBehind(ir, "tensor.store");
    ir.CreateCondBr(rows->holds, plain, general);
    ir.SetInsertPoint(plain);
    storeAt(e, *access, matrix, direct, layout);
    ir.CreateBr(done);
    ir.SetInsertPoint(general);
    storeGenerally();
    ir.CreateBr(done);
    ir.SetInsertPoint(done);
  } else {
    storeGenerally();
  }
  e.keepInPlace(access->is_volatile);
  return Error::success();
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpCooperativeMatrixLoadTensorNV, emitLoad},
    {spv::Op::OpCooperativeMatrixStoreTensorNV, emitStore},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> tensorMemoryOps() { return kRows; }

}  // namespace jit::spirv
