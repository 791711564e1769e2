// SPDX-License-Identifier: Apache-2.0

// The check of memory (TESSERA_CHECK=memory): accesses are tested before they are carried out.
//
// A test says that all live invocations access what they may. Where lanes move evenly it looks at
// the ends of their addresses, so that it may fail although nothing is wrong; and where it fails,
// the runtime decides (runtime/kernel_library/check_access.h), once for a place in the shader.
// Robust access then leaves out what is outside. A matrix is checked by one call without a test
// around it: passes that schedule products keep calls, not branches.
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Support/MathExtras.h>

#include <cstddef>
#include <utility>

#include "jit/emit/leafwise.h"
#include "jit/ir/symbols.h"
#include "jit/spirv/spelling.h"
#include "runtime/check/finding.h"
#include "runtime/kernel_library/check_tensor.h"

namespace jit::spirv {

using rt::AccessKind;

// What the runtime is told of an access of lanes: scalars or vectors of i64, and i1 or vectors of
// it.
struct Emission::LaneCheck {
  llvm::Value *base, *offset, *size;
  llvm::Value* within;  // null: all
  uint64_t bytes, alignment;
  AccessKind kind;
  rt::AccessedMemory memory;
};

namespace {

llvm::Value* asNumber(Emission& e, llvm::Value* v) {
  return v->getType()->isPtrOrPtrVectorTy()
             ? e.ir.CreatePtrToInt(v, shapedLike(v, e.ir.getInt64Ty()))
             : v;
}

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

std::string objectOf(const Emission& e, Id id) {
  if (id == 0) return {};
  const Module& module = e.module;
  const Type* type = e.typeOf(id);
  auto name = module.names.find(id);
  std::string called = name == module.names.end() ? std::string() : name->second;
  if (called.empty() && type != nullptr) {
    // A block without a name of its own.
    const Type* block = type->element;
    while (block != nullptr &&
           (block->kind == TypeKind::Array || block->kind == TypeKind::RuntimeArray))
      block = block->element;
    if (block != nullptr)
      if (auto of = module.names.find(block->id); of != module.names.end()) called = of->second;
  }
  if (called.empty()) called = "%" + std::to_string(id);
  const char* kind = "variable";
  if (type != nullptr && type->storage == spv::StorageClass::Workgroup) kind = "shared variable";
  if (type != nullptr && type->storage == spv::StorageClass::PushConstant) kind = "push constants";
  const Decorations& decorations = module.decorated(id);
  if (!decorations.binding) return std::string(kind) + " '" + called + "'";
  return "'" + called + "' (set " + std::to_string(decorations.set.value_or(0)) + ", binding " +
         std::to_string(*decorations.binding) + ")";
}

}  // namespace

// Where the current instruction stands, for the runtime.
llvm::Constant* Emission::checkSite(Id variable) {
  rt::CheckSite site;
  site.shader = request.name;
  site.instruction = spell(instruction_->op);
  site.word = instruction_->word;
  site.object = objectOf(*this, variable);
  site.workgroup_size = module.workgroup_size;
  site.subgroup_size = subgroup_size;
  std::string entry = module.functionName(module.entry.id);
  if (entry.empty()) entry = module.entry_name;
  for (Location at = instruction_->location; at.line != 0;) {
    auto file = module.strings.find(at.file);
    const InlinedCall* call = at.call != 0 ? &module.inlined_calls[at.call - 1] : nullptr;
    if (call != nullptr && call->is_written) {  // it stands for one instruction
      at = call->at;
      continue;
    }
    site.frames.push_back({.file = file == module.strings.end() ? "" : file->second,
                           .line = at.line,
                           .column = at.column,
                           .function = call != nullptr ? call->function : entry});
    if (call == nullptr) break;
    at = call->at;
  }
  auto* text = llvm::ConstantDataArray::getString(context, rt::describeSite(site));
  auto* global = new llvm::GlobalVariable(output(), text->getType(), true,
                                          llvm::GlobalValue::PrivateLinkage, text, "site");
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return global;
}

llvm::Value* Emission::checkSlot(llvm::Type* type, unsigned number) {
  constexpr unsigned kFirst = 1000;  // after those of the instruction itself
  return laneSlot(type, kFirst + number);
}

// An rt::CheckedAccess in memory.
llvm::Value* Emission::writeLaneCheck(const LaneCheck& check) {
  using Access = rt::CheckedAccess;
  llvm::Value* access = checkSlot(llvm::ArrayType::get(ir.getInt8Ty(), sizeof(Access)), 0);
  auto put = [&](size_t offset, llvm::Value* value) {
    ir.CreateAlignedStore(value, ir.CreateConstGEP1_64(ir.getInt8Ty(), access, offset),
                          llvm::Align(1));
  };
  auto bytesOfLanes = [&](llvm::Value* lanes, unsigned number) {
    llvm::Value* bytes = ir.CreateZExt(simt.broadcast(lanes), simt.vectorOf(ir.getInt8Ty()));
    llvm::Value* slot = checkSlot(bytes->getType(), number);
    ir.CreateAlignedStore(bytes, slot, llvm::Align(1));
    return slot;
  };
  auto putNumbers = [&](size_t offset, llvm::Value* number, unsigned slot_number) {
    number = asNumber(*this, number);
    llvm::Value* slot = checkSlot(number->getType(), slot_number);
    ir.CreateAlignedStore(number, slot, llvm::Align(8));
    put(offset + offsetof(rt::LaneNumbers, values), slot);
    put(offset + offsetof(rt::LaneNumbers, step), ir.getInt64(simt.isVarying(number) ? 1 : 0));
  };
  llvm::Value* workgroup =
      checkSlot(llvm::ArrayType::get(ir.getInt32Ty(), sizeof(rt::CheckedWorkgroup) / 4), 0);
  for (unsigned c = 0; c < 3; ++c)
    ir.CreateAlignedStore(workgroup_id[c], ir.CreateConstGEP1_32(ir.getInt32Ty(), workgroup, c),
                          llvm::Align(4));
  ir.CreateAlignedStore(ir.getInt32(rt::kNoSubgroup),
                        ir.CreateConstGEP1_32(ir.getInt32Ty(), workgroup, 3), llvm::Align(4));
  llvm::Value* invocations = simt.broadcast(localInvocationIndex());
  llvm::Value* invocation_slot = checkSlot(invocations->getType(), 0);
  ir.CreateAlignedStore(invocations, invocation_slot, llvm::Align(4));
  put(offsetof(Access, workgroup), workgroup);
  put(offsetof(Access, live), bytesOfLanes(simt.fullMask(), 0));
  put(offsetof(Access, invocations), invocation_slot);
  put(offsetof(Access, within), check.within == nullptr
                                    ? llvm::ConstantPointerNull::get(ir.getPtrTy())
                                    : bytesOfLanes(check.within, 1));
  putNumbers(offsetof(Access, base), check.base, 0);
  putNumbers(offsetof(Access, offset), check.offset, 1);
  putNumbers(offsetof(Access, size), check.size, 2);
  put(offsetof(Access, bytes), ir.getInt64(check.bytes));
  put(offsetof(Access, alignment), ir.getInt64(check.alignment));
  put(offsetof(Access, lanes), ir.getInt32(width()));
  put(offsetof(Access, kind), ir.getInt8(static_cast<uint8_t>(check.kind)));
  put(offsetof(Access, memory), ir.getInt8(static_cast<uint8_t>(check.memory)));
  return access;
}

// `good`: i1. What `body` emits runs where it does not hold. Returns the block before it.
static llvm::BasicBlock* unlessGood(Emission& e, llvm::Value* good,
                                    llvm::function_ref<void()> body) {
  auto& ir = e.ir;
  llvm::BasicBlock* before = ir.GetInsertBlock();
  auto* bad = llvm::BasicBlock::Create(e.context, "check", before->getParent());
  auto* done = llvm::BasicBlock::Create(e.context, "checked", before->getParent());
  ir.CreateCondBr(ir.CreateFreeze(good), done, bad,
                  llvm::MDBuilder(e.context).createLikelyBranchWeights());
  ir.SetInsertPoint(bad);
  body();
  ir.CreateBr(done);
  ir.SetInsertPoint(done);
  return before;
}

// That all live invocations have `inside`, i1 or vector of it.
static llvm::Value* allLive(simt::SimtBuilder& simt, llvm::Value* inside) {
  if (!simt.isVarying(inside)) return inside;
  return simt.ir.CreateNot(simt.any(simt.ir.CreateAnd(simt.fullMask(), simt.ir.CreateNot(inside))));
}

void Emission::callCheck(const char* function, const Pointer& p, const LaneCheck& check) {
  ir.CreateCall(runtimeFunction(output(), function, ir.getVoidTy(),
                                {ir.getPtrTy(), ir.getPtrTy(), ir.getPtrTy()},
                                llvm::MemoryEffects::inaccessibleOrArgMemOnly()),
                {dispatch_args, checkSite(p.variable), writeLaneCheck(check)});
}

// An index past the end of an array that lies inside of a larger object leads to what else is
// there: bounds of objects do not tell.
void Emission::checkIndex(Pointer& p, llvm::Value* index) {
  if (!checks(rt::Check::Memory) || p.builtin_variable != 0 || p.binding != nullptr) return;
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

Pointer Emission::checkedBounds(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves,
                                AccessKind kind) {
  if (kind != AccessKind::Load && p.is_read_only) {
    callCheck("tessera.check_read_only", p,
              {.base = p.base,
               .offset = p.offset,
               .size = ir.getInt64(0),
               .within = nullptr,
               .bytes = 0,
               .alignment = 1,
               .kind = kind,
               .memory = rt::AccessedMemory::Buffer});
  }
  // Of a buffer the size may be what is accessible, the range is what the descriptor says.
  Pointer object = p;
  object.size = p.range != nullptr ? p.range : p.size;
  if (object.size == nullptr) return p;
  uint64_t first = ~uint64_t{0}, end = 0;
  for (const LeafLayout& leaf : leaves) {
    first = std::min(first, leaf.offset);
    end = std::max(end, leaf.offset + leafBytes(leaf.type));
  }
  if (p.may_leave && p.within == nullptr) return p;
  llvm::Value* inside = accessMask(object, first, end - first);
  if (inside == nullptr && p.within == nullptr) return p;
  llvm::Value* good = ir.getTrue();
  if (inside != nullptr) {
    const LaneForm* form =
        simt.isVarying(inside) && !simt.isVarying(object.size) ? laneForm(object.offset) : nullptr;
    llvm::Value* together = form != nullptr ? insideTogether(object, leaves, *form) : nullptr;
    good = together != nullptr ? together : allLive(simt, inside);
  }
  if (p.within != nullptr) good = ir.CreateAnd(good, allLive(simt, p.within));
  unlessGood(*this, good, [&] {
    const bool is_buffer = p.range != nullptr && p.storage != spv::StorageClass::PushConstant;
    callCheck("tessera.check_bounds", p,
              {.base = object.base,
               .offset = ir.CreateAdd(object.offset, integerLike(object.offset, first)),
               .size = object.size,
               .within = p.within,
               .bytes = end - first,
               .alignment = 1,
               .kind = kind,
               .memory = !is_buffer      ? rt::AccessedMemory::Variable
                         : p.may_leave   ? rt::AccessedMemory::RobustBuffer
                         : p.may_be_null ? rt::AccessedMemory::NullableBuffer
                                         : rt::AccessedMemory::Buffer});
  });
  return p;
}

// Which buffer an address leads into is known only where it is used. The last one is remembered for
// each place, as the next access there is likely to be in it too.
Pointer Emission::checkedAddress(const Pointer& p, uint64_t first, uint64_t bytes,
                                 AccessKind kind) {
  auto& module_output = output();
  auto variable = [&](const char* name) {
    llvm::AllocaInst* slot = allocate(ir.getInt64Ty(), name);
    llvm::IRBuilder<>(entry_block_->getTerminator()).CreateStore(ir.getInt64(0), slot);
    return slot;
  };
  llvm::AllocaInst *begin = variable("known.begin"), *end = variable("known.end");
  llvm::Value* at = asNumber(*this, leafAddress(p, first, 1));
  llvm::Value* from = ir.CreateLoad(ir.getInt64Ty(), begin);
  llvm::Value* room = ir.CreateBinaryIntrinsic(
      llvm::Intrinsic::usub_sat, ir.CreateSub(ir.CreateLoad(ir.getInt64Ty(), end), from),
      ir.getInt64(bytes - 1));
  const uint64_t alignment = alignmentOf(*instruction_, bytes, kind);
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
  llvm::BasicBlock* before = unlessGood(*this, allLive(simt, inside), [&] {
    llvm::Value* access = writeLaneCheck({.base = ir.getInt64(0),
                                          .offset = at,
                                          .size = ir.getInt64(0),
                                          .within = p.within,
                                          .bytes = bytes,
                                          .alignment = alignment,
                                          .kind = kind,
                                          .memory = rt::AccessedMemory::Buffer});
    llvm::Value* lanes = checkSlot(simt.vectorOf(ir.getInt8Ty()), 2);
    llvm::Value* known = checkSlot(llvm::ArrayType::get(ir.getInt64Ty(), 2), 0);
    llvm::Value* known_end = ir.CreateConstGEP1_64(ir.getInt64Ty(), known, 1);
    ir.CreateStore(from, known);
    ir.CreateStore(ir.CreateLoad(ir.getInt64Ty(), end), known_end);
    auto* ptr = ir.getPtrTy();
    ir.CreateCall(
        runtimeFunction(module_output, "tessera.check_addresses", ir.getVoidTy(),
                        {ptr, ptr, ptr, ptr, ptr}, llvm::MemoryEffects::inaccessibleOrArgMemOnly()),
        {dispatch_args, checkSite(p.variable), access, lanes, known});
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

Pointer Emission::checkedAccess(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves,
                                AccessKind kind) {
  if (!checks(rt::Check::Memory) || instruction_->op == spv::Op::OpLifetimeStart) return p;
  if (leaves.empty() || p.builtin_variable != 0 || p.base == nullptr) return p;
  if (p.storage != spv::StorageClass::PhysicalStorageBuffer) return checkedBounds(p, leaves, kind);
  uint64_t first = ~uint64_t{0}, end = 0;
  for (const LeafLayout& leaf : leaves) {
    first = std::min(first, leaf.offset);
    end = std::max(end, leaf.offset + leafBytes(leaf.type));
  }
  return checkedAddress(p, first, end - first, kind);
}

Pointer Emission::checkedAccess(const Pointer& p, uint64_t bytes, AccessKind kind) {
  Type word{};
  word.kind = TypeKind::Int;
  word.width = static_cast<uint32_t>(8 * bytes);
  return checkedAccess(p, {{&word, 0}}, kind);
}

void Emission::checkMatrixAccess(const Pointer& p, llvm::Value* stride_bytes,
                                 const rt::MatrixForm& form) {
  if (!checks(rt::Check::Memory)) return;
  rt::MatrixForm lies = form;
  lies.by_address = p.storage == spv::StorageClass::PhysicalStorageBuffer;
  llvm::Value* size = p.range != nullptr ? p.range : p.size;
  if (size == nullptr && !lies.by_address) return;
  if (size == nullptr) size = ir.getInt64(0);
  const bool is_wide = plan_.subgroup_uniformity != nullptr;
  llvm::Type *ptr = ir.getPtrTy(), *i32 = ir.getInt32Ty(), *i64 = ir.getInt64Ty();
  // Neither the matrix's memory nor anything else that the kernel can see.
  ir.CreateCall(
      runtimeFunction(output(), "tessera.check_matrix", ir.getVoidTy(),
                      {ptr, ptr, i32, i32, i32, i32, ptr, i64, i64, i64, i64},
                      llvm::MemoryEffects::inaccessibleMemOnly()),
      {dispatch_args, checkSite(p.variable), workgroup_id[0], workgroup_id[1], workgroup_id[2],
       is_wide ? ir.getInt32(rt::kNoSubgroup) : stream_.number, simt.uniform(p.base),
       simt.uniform(p.offset), simt.uniform(size), stride_bytes, ir.getInt64(lies.pack())});
}

void Emission::checkTensorAccess(const Pointer& p, llvm::Value* form, llvm::Value* state,
                                 bool is_store) {
  using Tensor = rt::CheckedTensor;
  const bool by_address = p.storage == spv::StorageClass::PhysicalStorageBuffer;
  llvm::Value* size = p.range != nullptr ? p.range : p.size;
  if (p.may_leave || (size == nullptr && !by_address)) return;
  llvm::Value* tensor = checkSlot(llvm::ArrayType::get(ir.getInt8Ty(), sizeof(Tensor)), 1);
  auto put = [&](size_t offset, llvm::Value* value) {
    ir.CreateAlignedStore(value, ir.CreateConstGEP1_64(ir.getInt8Ty(), tensor, offset),
                          llvm::Align(4));
  };
  put(offsetof(Tensor, base), ir.CreatePtrToInt(simt.uniform(p.base), ir.getInt64Ty()));
  put(offsetof(Tensor, offset), simt.uniform(p.offset));
  put(offsetof(Tensor, size), size == nullptr ? ir.getInt64(0) : simt.uniform(size));
  for (unsigned c = 0; c < 3; ++c) put(offsetof(Tensor, workgroup) + 4 * c, workgroup_id[c]);
  const bool is_wide = plan_.subgroup_uniformity != nullptr;
  put(offsetof(Tensor, subgroup), is_wide ? ir.getInt32(rt::kNoSubgroup) : stream_.number);
  put(offsetof(Tensor, is_store), ir.getInt32(is_store ? 1 : 0));
  put(offsetof(Tensor, by_address), ir.getInt32(by_address ? 1 : 0));
  llvm::Type* ptr = ir.getPtrTy();
  ir.CreateCall(
      runtimeFunction(output(), "tessera.check_tensor", ir.getVoidTy(), {ptr, ptr, ptr, ptr, ptr},
                      llvm::MemoryEffects::inaccessibleOrArgMemOnly()),
      {dispatch_args, checkSite(p.variable), tensor, form, state});
}

void Emission::checkBlockAccess(const Pointer& p, llvm::Value* index, uint64_t bytes,
                                llvm::Value* lanes) {
  if (!checks(rt::Check::Memory) || p.range == nullptr || p.may_leave) return;
  llvm::Value* offset = ir.CreateZExt(index, shapedLike(index, ir.getInt64Ty()));
  offset = ir.CreateMul(offset, integerLike(offset, bytes));
  Pointer block = p;
  block.size = p.range;
  simt.unify(block.offset, offset);
  block.offset = ir.CreateAdd(block.offset, offset);
  llvm::Value* inside = accessMask(block, 0, bytes);
  if (inside == nullptr) return;
  llvm::Value* outside = ir.CreateNot(simt.broadcast(inside));
  outside = ir.CreateAnd(ir.CreateAnd(outside, simt.broadcast(lanes)), simt.fullMask());
  unlessGood(*this, ir.CreateNot(simt.any(outside)), [&] {
    llvm::Value* mask = std::exchange(simt.mask, outside);
    callCheck("tessera.check_bounds", p,
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

llvm::Value* Emission::accessibleRange(const Pointer& buffer) {
  if (!request.checks.has(rt::Check::Memory) || !request.memory_check.carries_out ||
      buffer.may_leave || simt.isVarying(buffer.base) || simt.isVarying(buffer.range))
    return buffer.range;
  return ir.CreateCall(
      runtimeFunction(output(), "tessera.accessible_bytes", ir.getInt64Ty(),
                      {ir.getPtrTy(), ir.getPtrTy(), ir.getInt64Ty()}, llvm::MemoryEffects::none()),
      {dispatch_args, buffer.base, buffer.range});
}

llvm::Value* Emission::addressedBytes(const Pointer& p) {
  if (!checks(rt::Check::Memory) || p.storage != spv::StorageClass::PhysicalStorageBuffer)
    return ir.getInt64(~uint64_t{0});
  llvm::CallInst* bytes =
      ir.CreateCall(runtimeFunction(output(), "tessera.addressed_bytes", ir.getInt64Ty(),
                                    {ir.getPtrTy(), ir.getPtrTy()}, llvm::MemoryEffects::none()),
                    {dispatch_args, simt.uniform(p.base)});
  bytes->getCalledFunction()->addFnAttr(llvm::Attribute::Speculatable);
  return ir.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, bytes, simt.uniform(p.offset));
}

}  // namespace jit::spirv
