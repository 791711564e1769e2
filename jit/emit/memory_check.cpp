// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/memory_check.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/Support/MathExtras.h>

#include <cstddef>
#include <utility>

#include "jit/emit/check_site.h"
#include "jit/emit/leafwise.h"
#include "jit/ir/symbols.h"
#include "runtime/kernel_library/check_tensor.h"

namespace jit::spirv {

using rt::AccessKind;

namespace {

// In bytes, that the instruction promises of an address; 1: nothing. An atomic operation needs all
// of its bytes.
uint64_t alignmentOf(const Instruction& i, uint64_t bytes, AccessKind kind) {
  if (kind == AccessKind::Atomic) return bytes;
  const size_t mask = i.op == spv::Op::OpLoad ? 1 : i.op == spv::Op::OpStore ? 2 : ~size_t{0};
  constexpr auto kAligned = static_cast<uint32_t>(spv::MemoryAccessMask::Aligned);
  if (mask >= i.operands.size() || (i.operands[mask] & kAligned) == 0) return 1;
  const uint64_t alignment = mask + 1 < i.operands.size() ? i.operands[mask + 1] : 1;
  return llvm::isPowerOf2_64(alignment) ? alignment : 1;
}

}  // namespace

bool MemoryCheck::isOn() const {
  return e_.instruction() != nullptr && e_.request.checks.has(rt::Check::Memory);
}

void MemoryCheck::index(Pointer& p, llvm::Value* index) const {
  auto& ir = e_.ir;
  auto& simt = e_.simt;
  if (!isOn() || p.builtin_variable != 0 || p.binding != nullptr) return;
  const Type* type = p.pointee;
  const bool sized = type->kind == TypeKind::Array || type->kind == TypeKind::Vector ||
                     type->kind == TypeKind::Matrix;
  if (!sized || type->count == 0) return;
  llvm::Type* wide = shapedLike(index, ir.getInt64Ty());
  llvm::Value* within = ir.CreateICmpULT(ir.CreateZExtOrTrunc(index, wide),
                                         llvm::ConstantInt::get(wide, type->count));
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(within); known != nullptr && known->isOne())
    return;
  if (p.within != nullptr) {
    simt.unify(p.within, within);
    within = ir.CreateAnd(p.within, within);
  }
  p.within = within;
}

Pointer MemoryCheck::bounds(const Pointer& p, uint64_t first, uint64_t bytes,
                            llvm::ArrayRef<LeafLayout> leaves, AccessKind kind) const {
  auto& ir = e_.ir;
  auto& simt = e_.simt;
  // Of a buffer the size may be what is accessible, the range is what the descriptor says.
  Pointer object = p;
  object.size = p.range != nullptr ? p.range : p.size;
  if (object.size == nullptr) return p;
  if (p.may_leave && p.within == nullptr) return p;
  llvm::Value* inside = e_.accessMask(object, first, bytes);
  if (inside == nullptr && p.within == nullptr) return p;
  llvm::Value* good = ir.getTrue();
  if (inside != nullptr) {
    const LaneForm* form = simt.isVarying(inside) && !simt.isVarying(object.size)
                               ? e_.laneForm(object.offset)
                               : nullptr;
    llvm::Value* together = form != nullptr ? e_.insideTogether(object, leaves, *form) : nullptr;
    good = together != nullptr ? together : allLive(e_, inside);
  }
  if (p.within != nullptr) good = ir.CreateAnd(good, allLive(e_, p.within));
  unlessGood(e_, good, [&] {
    const bool is_buffer = p.range != nullptr && p.storage != spv::StorageClass::PushConstant;
    callCheck(e_, "tessera.check_bounds", p,
              {.base = object.base,
               .offset = ir.CreateAdd(object.offset, integerLike(object.offset, first)),
               .size = object.size,
               .within = p.within,
               .bytes = bytes,
               .alignment = 1,
               .kind = kind,
               .memory = p.may_leave     ? rt::AccessedMemory::RobustBuffer
                         : !is_buffer    ? rt::AccessedMemory::Variable
                         : p.may_be_null ? rt::AccessedMemory::NullableBuffer
                                         : rt::AccessedMemory::Buffer});
  });
  return p;
}

// Which buffer an address leads into is known only where it is used. The last one is remembered for
// each place, as the next access there is likely to be in it too.
Pointer MemoryCheck::address(const Pointer& p, uint64_t first, uint64_t bytes,
                             AccessKind kind) const {
  auto& ir = e_.ir;
  auto& simt = e_.simt;
  llvm::AllocaInst *begin = e_.allocateZero("known.begin"), *end = e_.allocateZero("known.end");
  llvm::Value* at = e_.leafAddress(p, first, 1);
  at = ir.CreatePtrToInt(at, shapedLike(at, ir.getInt64Ty()));
  llvm::Value* from = ir.CreateLoad(ir.getInt64Ty(), begin);
  llvm::Value* room = ir.CreateBinaryIntrinsic(
      llvm::Intrinsic::usub_sat, ir.CreateSub(ir.CreateLoad(ir.getInt64Ty(), end), from),
      ir.getInt64(bytes - 1));
  // Of components that are apart, a column of a row-major matrix, compilers promise too much.
  const uint64_t alignment =
      p.component_stride == 0 ? alignmentOf(*e_.instruction(), bytes, kind) : 1;
  llvm::Value* start = from;
  simt.unify(at, start);
  llvm::Value* distance = ir.CreateSub(at, start);
  simt.unify(distance, room);
  llvm::Value* inside = ir.CreateICmpULT(distance, room);
  if (alignment > 1)
    inside = ir.CreateAnd(inside, ir.CreateICmpEQ(ir.CreateAnd(at, integerLike(at, alignment - 1)),
                                                  integerLike(at, 0)));
  if (p.within != nullptr) {
    llvm::Value* within = p.within;
    simt.unify(inside, within);
    inside = ir.CreateAnd(inside, within);
  }
  const bool varies = simt.isVarying(at);
  llvm::Value* allowed = nullptr;
  llvm::BasicBlock* asked = nullptr;
  llvm::BasicBlock* before = unlessGood(e_, allLive(e_, inside), [&] {
    llvm::Value* access = writeLaneCheck(e_, {.base = ir.getInt64(0),
                                              .offset = at,
                                              .size = ir.getInt64(0),
                                              .within = p.within,
                                              .bytes = bytes,
                                              .alignment = alignment,
                                              .kind = kind,
                                              .memory = rt::AccessedMemory::Buffer});
    llvm::Value* lanes = checkSlot(e_, simt.vectorOf(ir.getInt8Ty()), 2);
    llvm::Value* known = checkSlot(e_, llvm::ArrayType::get(ir.getInt64Ty(), 2), 0);
    llvm::Value* known_end = ir.CreateConstGEP1_64(ir.getInt64Ty(), known, 1);
    ir.CreateStore(from, known);
    ir.CreateStore(ir.CreateLoad(ir.getInt64Ty(), end), known_end);
    auto* ptr = ir.getPtrTy();
    ir.CreateCall(
        runtimeFunction(e_.output(), "tessera.check_addresses", ir.getVoidTy(),
                        {ptr, ptr, ptr, ptr, ptr}, llvm::MemoryEffects::inaccessibleOrArgMemOnly()),
        {e_.dispatch_args, checkSite(e_, p.variable), access, lanes, known});
    ir.CreateStore(ir.CreateLoad(ir.getInt64Ty(), known), begin);
    ir.CreateStore(ir.CreateLoad(ir.getInt64Ty(), known_end), end);
    llvm::Type* type = simt.vectorOf(ir.getInt8Ty());
    allowed = ir.CreateICmpNE(ir.CreateAlignedLoad(type, lanes, llvm::Align(1)),
                              llvm::Constant::getNullValue(type));
    if (!varies) allowed = simt.uniform(allowed);
    asked = ir.GetInsertBlock();
  });
  auto* phi = ir.CreatePHI(allowed->getType(), 2);
  phi->addIncoming(llvm::Constant::getAllOnesValue(allowed->getType()), before);
  phi->addIncoming(allowed, asked);
  Pointer checked = p;
  checked.allowed = phi;
  return checked;
}

Pointer MemoryCheck::access(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves,
                            AccessKind kind) const {
  if (!isOn() || e_.instruction()->op == spv::Op::OpLifetimeStart) return p;
  if (p.shadow_distance != 0) return accessOfShadow(p, leaves, kind);
  if (leaves.empty() || p.builtin_variable != 0 || p.base == nullptr) return p;
  readOnly(p, kind);
  uint64_t first = ~uint64_t{0}, end = 0;
  for (const LeafLayout& leaf : leaves) {
    first = std::min(first, leaf.offset);
    end = std::max(end, leaf.offset + leafBytes(leaf.type));
  }
  if (p.storage == spv::StorageClass::PhysicalStorageBuffer)
    return address(p, first, end - first, kind);
  return bounds(p, first, end - first, leaves, kind);
}

// It may be carried out where that of the memory may; what is wrong with that is told there.
Pointer MemoryCheck::accessOfShadow(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves,
                                    AccessKind kind) const {
  if (p.storage != spv::StorageClass::PhysicalStorageBuffer) return p;
  Pointer memory = p;
  memory.shadow_distance = 0;
  memory.base = e_.ir.CreateGEP(e_.ir.getInt8Ty(), p.base,
                                e_.ir.getInt64(static_cast<uint64_t>(-p.shadow_distance)));
  Pointer shadow = p;
  shadow.allowed = access(memory, leaves, kind).allowed;
  return shadow;
}

Pointer MemoryCheck::access(const Pointer& p, uint64_t bytes, AccessKind kind) const {
  Type word{};
  word.kind = TypeKind::Int;
  word.width = static_cast<uint32_t>(8 * bytes);
  return access(p, {{&word, 0}}, kind);
}

void MemoryCheck::readOnly(const Pointer& p, AccessKind kind) const {
  if (kind == AccessKind::Load || !p.is_read_only) return;
  callCheck(e_, "tessera.check_read_only", p,
            {.base = p.base,
             .offset = p.offset,
             .size = e_.ir.getInt64(0),
             .within = nullptr,
             .bytes = 0,
             .alignment = 1,
             .kind = kind,
             .memory = rt::AccessedMemory::Buffer});
}

void MemoryCheck::matrix(const Pointer& p, llvm::Value* stride_bytes,
                         const rt::MatrixForm& form) const {
  auto& ir = e_.ir;
  auto& simt = e_.simt;
  if (!isOn() || p.shadow_distance != 0) return;
  readOnly(p, form.is_store ? AccessKind::Store : AccessKind::Load);
  rt::MatrixForm lies = form;
  lies.by_address = p.storage == spv::StorageClass::PhysicalStorageBuffer;
  llvm::Value* size = p.range != nullptr ? p.range : p.size;
  if (size == nullptr && !lies.by_address) return;
  if (size == nullptr) size = ir.getInt64(0);
  llvm::Type *ptr = ir.getPtrTy(), *i32 = ir.getInt32Ty(), *i64 = ir.getInt64Ty();
  // Neither the matrix's memory nor anything else that the kernel can see.
  ir.CreateCall(
      runtimeFunction(e_.output(), "tessera.check_matrix", ir.getVoidTy(),
                      {ptr, ptr, i32, i32, i32, i32, ptr, i64, i64, i64, i64},
                      llvm::MemoryEffects::inaccessibleMemOnly()),
      {e_.dispatch_args, checkSite(e_, p.variable), e_.workgroup_id[0], e_.workgroup_id[1],
       e_.workgroup_id[2], checkedSubgroup(e_), simt.uniform(p.base), simt.uniform(p.offset),
       simt.uniform(size), stride_bytes, ir.getInt64(lies.pack())});
}

void MemoryCheck::tensor(const Pointer& p, llvm::Value* form, llvm::Value* state,
                         bool is_store) const {
  if (!isOn() || p.shadow_distance != 0) return;
  readOnly(p, is_store ? AccessKind::Store : AccessKind::Load);
  auto& ir = e_.ir;
  auto& simt = e_.simt;
  using Tensor = rt::CheckedTensor;
  const bool by_address = p.storage == spv::StorageClass::PhysicalStorageBuffer;
  llvm::Value* size = p.range != nullptr ? p.range : p.size;
  if (p.may_leave || (size == nullptr && !by_address)) return;
  llvm::Value* tensor = checkSlot(e_, llvm::ArrayType::get(ir.getInt8Ty(), sizeof(Tensor)), 1);
  auto put = [&](size_t offset, llvm::Value* value) {
    ir.CreateAlignedStore(value, ir.CreateConstGEP1_64(ir.getInt8Ty(), tensor, offset),
                          llvm::Align(4));
  };
  put(offsetof(Tensor, base), ir.CreatePtrToInt(simt.uniform(p.base), ir.getInt64Ty()));
  put(offsetof(Tensor, offset), simt.uniform(p.offset));
  put(offsetof(Tensor, size), size == nullptr ? ir.getInt64(0) : simt.uniform(size));
  for (unsigned c = 0; c < 3; ++c) put(offsetof(Tensor, workgroup) + 4 * c, e_.workgroup_id[c]);
  put(offsetof(Tensor, subgroup), checkedSubgroup(e_));
  put(offsetof(Tensor, is_store), ir.getInt32(is_store ? 1 : 0));
  put(offsetof(Tensor, by_address), ir.getInt32(by_address ? 1 : 0));
  llvm::Type* ptr = ir.getPtrTy();
  ir.CreateCall(
      runtimeFunction(e_.output(), "tessera.check_tensor", ir.getVoidTy(),
                      {ptr, ptr, ptr, ptr, ptr}, llvm::MemoryEffects::inaccessibleOrArgMemOnly()),
      {e_.dispatch_args, checkSite(e_, p.variable), tensor, form, state});
}

void MemoryCheck::block(const Pointer& p, llvm::Value* index, uint64_t bytes,
                        llvm::Value* lanes) const {
  auto& ir = e_.ir;
  auto& simt = e_.simt;
  if (!isOn() || p.range == nullptr || p.may_leave) return;
  llvm::Value* offset = ir.CreateZExt(index, shapedLike(index, ir.getInt64Ty()));
  offset = ir.CreateMul(offset, integerLike(offset, bytes));
  Pointer block = p;
  block.size = p.range;
  simt.unify(block.offset, offset);
  block.offset = ir.CreateAdd(block.offset, offset);
  llvm::Value* inside = e_.accessMask(block, 0, bytes);
  if (inside == nullptr) return;
  llvm::Value* outside = ir.CreateNot(simt.broadcast(inside));
  outside = ir.CreateAnd(ir.CreateAnd(outside, simt.broadcast(lanes)), simt.fullMask());
  unlessGood(e_, ir.CreateNot(simt.any(outside)), [&] {
    llvm::Value* mask = std::exchange(simt.mask, outside);
    callCheck(e_, "tessera.check_bounds", p,
              {.base = block.base,
               .offset = block.offset,
               .size = block.size,
               .within = nullptr,
               .bytes = bytes,
               .alignment = 1,
               .kind = AccessKind::Load,
               .memory = rt::AccessedMemory::TensorBlock});
    simt.mask = mask;
  });
}

llvm::Value* MemoryCheck::accessibleRange(const Pointer& buffer) const {
  auto& ir = e_.ir;
  auto& simt = e_.simt;
  if (!e_.request.checks.has(rt::Check::Memory) || !e_.request.memory_check.carries_out ||
      buffer.may_leave || simt.isVarying(buffer.base) || simt.isVarying(buffer.range))
    return buffer.range;
  return ir.CreateCall(
      runtimeFunction(e_.output(), "tessera.accessible_bytes", ir.getInt64Ty(),
                      {ir.getPtrTy(), ir.getPtrTy(), ir.getInt64Ty()}, llvm::MemoryEffects::none()),
      {e_.dispatch_args, buffer.base, buffer.range});
}

llvm::Value* MemoryCheck::addressedBytes(const Pointer& p) const {
  auto& ir = e_.ir;
  auto& simt = e_.simt;
  if (!isOn() || p.storage != spv::StorageClass::PhysicalStorageBuffer)
    return ir.getInt64(~uint64_t{0});
  llvm::Value* base = simt.uniform(p.base);
  if (p.shadow_distance != 0)
    base =
        ir.CreateGEP(ir.getInt8Ty(), base, ir.getInt64(static_cast<uint64_t>(-p.shadow_distance)));
  llvm::CallInst* bytes =
      ir.CreateCall(runtimeFunction(e_.output(), "tessera.addressed_bytes", ir.getInt64Ty(),
                                    {ir.getPtrTy(), ir.getPtrTy()}, llvm::MemoryEffects::none()),
                    {e_.dispatch_args, base});
  bytes->getCalledFunction()->addFnAttr(llvm::Attribute::Speculatable);
  return ir.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, bytes, simt.uniform(p.offset));
}

}  // namespace jit::spirv
