// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/race_check.h"

#include <algorithm>

#include "jit/emit/check_site.h"
#include "jit/emit/leafwise.h"
#include "jit/ir/symbols.h"
#include "runtime/check/race_detector.h"

namespace jit::spirv {

namespace {

using Semantics = spv::MemorySemanticsMask;

bool has(uint64_t bits, Semantics mask) { return (bits & static_cast<uint64_t>(mask)) != 0; }

// Of the Vulkan memory model, which has availability and visibility; in GLSL450's all is coherent.
bool hasAvailability(const Emission& e) {
  return e.module.memory_model == spv::MemoryModel::Vulkan;
}

bool releases(uint64_t bits) {
  const bool orders = has(bits, Semantics::Release) || has(bits, Semantics::AcquireRelease) ||
                      has(bits, Semantics::SequentiallyConsistent);
  return orders;
}

bool acquires(uint64_t bits) {
  const bool orders = has(bits, Semantics::Acquire) || has(bits, Semantics::AcquireRelease) ||
                      has(bits, Semantics::SequentiallyConsistent);
  return orders;
}

// Which memory an atomic operation or a fence with these semantics releases and acquires.
uint32_t orderFlags(uint64_t bits) {
  uint32_t flags = 0;
  if (has(bits, Semantics::UniformMemory)) {
    if (releases(bits)) flags |= rt::kRaceReleases;
    if (acquires(bits)) flags |= rt::kRaceAcquires;
  }
  if (has(bits, Semantics::WorkgroupMemory)) {
    if (releases(bits)) flags |= rt::kRaceReleasesShared;
    if (acquires(bits)) flags |= rt::kRaceAcquiresShared;
  }
  return flags;
}

// That it orders, but makes nothing available or visible.
bool isWeak(const Emission& e, uint64_t bits) {
  return hasAvailability(e) && ((releases(bits) && !has(bits, Semantics::MakeAvailable)) ||
                                (acquires(bits) && !has(bits, Semantics::MakeVisible)));
}

// Seen by other invocations, and written by any.
bool isShared(const Pointer& p) {
  if (p.shadow_distance != 0) return false;
  switch (p.storage) {
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::PhysicalStorageBuffer:
    case spv::StorageClass::Workgroup:
      return true;
    case spv::StorageClass::Uniform:
      return p.base != nullptr && p.is_storage;
    default:
      return false;
  }
}

uint32_t scopeFlags(const Emission& e, Id scope) {
  using Scope = rt::RaceAccess::Scope;
  const Constant* constant = e.module.constant(scope);
  Scope kept = Scope::Device;
  if (constant != nullptr && !constant->leaves.empty()) {
    const auto value = static_cast<spv::Scope>(constant->leaves[0]);
    if (value == spv::Scope::Workgroup) kept = Scope::Workgroup;
    if (value == spv::Scope::Subgroup || value == spv::Scope::Invocation) kept = Scope::Subgroup;
  }
  return static_cast<uint32_t>(kept) << rt::kRaceScopeShift;
}

constexpr uint32_t kForAll = static_cast<uint32_t>(rt::RaceAccess::Scope::Device)
                             << rt::kRaceScopeShift;

// What memory operands from `mask` on say of a plain access in the Vulkan memory model.
uint32_t memoryFlags(const Emission& e, const Instruction& i, size_t mask, bool is_store) {
  using Access = spv::MemoryAccessMask;
  const uint32_t bits = mask < i.operands.size() ? i.operands[mask] : 0;
  auto is = [&](Access bit) { return (bits & static_cast<uint32_t>(bit)) != 0; };
  if (!is(Access::NonPrivatePointer)) return rt::kRacePrivate;
  // Behind the mask stand the operands of its bits, in their order.
  size_t next = mask + 1 + (is(Access::Aligned) ? 1 : 0);
  if (is(Access::MakePointerAvailable)) {
    if (is_store && next < i.operands.size()) return scopeFlags(e, i.operands[next]);
    ++next;
  }
  if (!is_store && is(Access::MakePointerVisible) && next < i.operands.size())
    return scopeFlags(e, i.operands[next]);
  return 0;
}

// i32; a region of a wide stream is of the stream that it is in.
llvm::Value* streamNumber(Emission& e) {
  return e.isWide() ? static_cast<llvm::Value*>(e.ir.getInt32(0)) : e.stream().number;
}

// The values of lanes as numbers, i64 or vectors of it.
llvm::Value* asNumbers(Emission& e, llvm::Value* value) {
  auto& ir = e.ir;
  if (!value->getType()->getScalarType()->isIntegerTy())
    value = ir.CreateBitCast(value, integerTypeLike(value));
  return ir.CreateZExt(value, shapedLike(value, ir.getInt64Ty()));
}

// Whether all lanes are live, and their accesses lie side by side in the order of their
// invocations, i1; null: they cannot.
llvm::Value* areSideBySide(Emission& e, const Pointer& p, llvm::Value* offset, uint64_t bytes) {
  auto& ir = e.ir;
  if (e.simt.isVarying(p.base) || !e.simt.isVarying(offset)) return nullptr;
  auto asCounted = [&](llvm::Value* lanes, uint64_t step) {
    llvm::Type* type = lanes->getType()->getScalarType();
    llvm::Value* first = e.simt.broadcast(ir.CreateExtractElement(lanes, uint64_t{0}));
    llvm::Value* moved = ir.CreateMul(e.simt.laneIndices(type),
                                      e.simt.broadcast(llvm::ConstantInt::get(type, step)));
    return ir.CreateICmpEQ(lanes, ir.CreateAdd(first, moved));
  };
  llvm::Value* are = ir.CreateAnd(asCounted(offset, bytes),
                                  asCounted(e.simt.broadcast(e.localInvocationIndex()), 1));
  // What is not live may hold anything.
  return ir.CreateNot(e.simt.any(ir.CreateNot(ir.CreateLogicalAnd(e.simt.fullMask(), are))));
}

}  // namespace

bool RaceCheck::isOn() const {
  return e_.instruction() != nullptr && e_.request.checks.has(rt::Check::Race);
}

void RaceCheck::begin() const {
  if (!e_.request.checks.has(rt::Check::Race)) return;
  auto& ir = e_.ir;
  llvm::Type *ptr = ir.getPtrTy(), *i32 = ir.getInt32Ty();
  ir.CreateCall(
      runtimeFunction(e_.output(), "tessera.race_begin", ir.getVoidTy(),
                      {ptr, i32, i32, i32, i32, i32}, llvm::MemoryEffects::inaccessibleMemOnly()),
      {e_.dispatch_args, e_.workgroup_id[0], e_.workgroup_id[1], e_.workgroup_id[2],
       streamNumber(e_), ir.getInt32(e_.subgroup_size)});
}

// Of a plain access.
uint32_t RaceCheck::flagsOf(const Pointer& p, bool is_store) const {
  uint32_t flags = is_store ? rt::kRaceStores : rt::kRaceLoads;
  if (p.storage == spv::StorageClass::Workgroup) flags |= rt::kRaceShared;
  if (!hasAvailability(e_)) return flags | kForAll;
  const Instruction& i = *e_.instruction();
  switch (i.op) {
    case spv::Op::OpLoad:
      return flags | memoryFlags(e_, i, 1, is_store);
    case spv::Op::OpStore:
    case spv::Op::OpCopyMemory:
      return flags | memoryFlags(e_, i, 2, is_store);
    case spv::Op::OpCooperativeMatrixLoadKHR:
      return flags | memoryFlags(e_, i, 3, is_store);
    case spv::Op::OpCooperativeMatrixStoreKHR:
      return flags | memoryFlags(e_, i, 4, is_store);
    default:
      return flags | kForAll;
  }
}

void RaceCheck::access(const Pointer& p, uint64_t first, uint64_t bytes, uint32_t flags,
                       llvm::Value* value) const {
  auto& ir = e_.ir;
  llvm::Value* offset = ir.CreateAdd(p.offset, integerLike(p.offset, first));
  // What is outside is left out.
  llvm::Value* mask = e_.simt.mask;
  if (llvm::Value* inside = e_.accessMask(p, first, bytes))
    e_.simt.mask = ir.CreateAnd(e_.simt.fullMask(), e_.simt.broadcast(inside));
  llvm::Type *ptr = ir.getPtrTy(), *i32 = ir.getInt32Ty(), *i64 = ir.getInt64Ty();
  llvm::Value* values = llvm::ConstantPointerNull::get(ir.getPtrTy());
  llvm::Value* value_step = ir.getInt64(0);
  if (value != nullptr) {
    llvm::Value* numbers = asNumbers(e_, value);
    values = checkSlot(e_, numbers->getType(), 3);
    value_step = ir.getInt64(e_.simt.isVarying(numbers) ? 1 : 0);
    ir.CreateAlignedStore(numbers, values, llvm::Align(8));
  }
  auto byLane = [&] {
    llvm::Value* access = writeLaneCheck(e_, {.base = p.base,
                                              .offset = offset,
                                              .size = ir.getInt64(0),
                                              .within = nullptr,
                                              .bytes = bytes,
                                              .alignment = 1,
                                              .kind = rt::AccessKind::Load,
                                              .memory = rt::AccessedMemory::Buffer});
    ir.CreateCall(
        runtimeFunction(e_.output(), "tessera.race_access", ir.getVoidTy(),
                        {ptr, ptr, ptr, i32, i32, ptr, i64}, llvm::MemoryEffects::unknown()),
        {e_.dispatch_args, checkSite(e_, p.variable), access, streamNumber(e_), ir.getInt32(flags),
         values, value_step});
  };
  llvm::Value* side_by_side =
      (flags & rt::kRaceAtomic) == 0 ? areSideBySide(e_, p, offset, bytes) : nullptr;
  auto asOne = [&] {
    auto inFirstLane = [&](llvm::Value* lanes) {
      return ir.CreateExtractElement(e_.simt.broadcast(lanes), uint64_t{0});
    };
    llvm::Value* base = p.base->getType()->isPointerTy() ? ir.CreatePtrToInt(p.base, i64) : p.base;
    ir.CreateCall(runtimeFunction(e_.output(), "tessera.race_lanes", ir.getVoidTy(),
                                  {ptr, ptr, i32, i32, i64, i32, i32, i32, ptr, i64},
                                  llvm::MemoryEffects::unknown()),
                  {e_.dispatch_args, checkSite(e_, p.variable), streamNumber(e_),
                   ir.getInt32(flags), ir.CreateAdd(base, ir.CreateSExt(inFirstLane(offset), i64)),
                   ir.getInt32(static_cast<uint32_t>(bytes)), ir.getInt32(e_.width()),
                   inFirstLane(e_.localInvocationIndex()), values, value_step});
  };
  if (side_by_side != nullptr)
    unlessGood(e_, side_by_side, byLane, asOne);
  else
    byLane();
  e_.simt.mask = mask;
}

void RaceCheck::accessLeaves(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves, uint32_t flags,
                             llvm::ArrayRef<llvm::Value*> stored) const {
  if (!isOn() || leaves.empty() || p.base == nullptr || p.builtin_variable != 0 || !isShared(p))
    return;
  uint64_t first = ~uint64_t{0}, end = 0, sum = 0;
  for (const LeafLayout& leaf : leaves) {
    first = std::min(first, leaf.offset);
    end = std::max(end, leaf.offset + leafBytes(leaf.type));
    sum += leafBytes(leaf.type);
  }
  // Values that are stored again are compared one by one.
  constexpr size_t kMostValues = 16;
  const bool has_values = !stored.empty() && stored.size() == leaves.size();
  if (sum == end - first && (!has_values || stored.size() > kMostValues))
    return access(p, first, sum, flags, nullptr);
  for (size_t k = 0; k < leaves.size(); ++k)
    access(p, leaves[k].offset, leafBytes(leaves[k].type), flags, has_values ? stored[k] : nullptr);
}

void RaceCheck::load(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves) const {
  if (isOn()) accessLeaves(p, leaves, flagsOf(p, false), {});
}

void RaceCheck::store(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves,
                      llvm::ArrayRef<llvm::Value*> stored) const {
  if (isOn()) accessLeaves(p, leaves, flagsOf(p, true), stored);
}

void RaceCheck::atomic(const Pointer& p, uint64_t bytes) const {
  if (!isOn() || !isShared(p)) return;
  const Instruction& i = *e_.instruction();
  const bool only_loads = i.op == spv::Op::OpAtomicLoad,
             only_stores = i.op == spv::Op::OpAtomicStore;
  const Constant* semantics = e_.module.constant(i.operands[2]);
  const uint64_t bits = semantics != nullptr ? semantics->leaves[0] : 0;
  uint32_t flags = rt::kRaceAtomic | scopeFlags(e_, i.operands[1]);
  if (!only_loads) flags |= rt::kRaceStores;
  if (!only_stores) flags |= rt::kRaceLoads;
  if (p.storage == spv::StorageClass::Workgroup) flags |= rt::kRaceShared;
  flags |= orderFlags(bits);
  if (isWeak(e_, bits)) flags |= rt::kRaceWeak;
  access(p, 0, bytes, flags, nullptr);
}

void RaceCheck::matrix(const Pointer& p, llvm::Value* stride_bytes,
                       const rt::MatrixForm& form) const {
  if (!isOn() || !isShared(p)) return;
  auto& ir = e_.ir;
  llvm::Value* at = ir.CreatePtrToInt(e_.simt.uniform(e_.leafAddress(p, 0, 0)), ir.getInt64Ty());
  llvm::Type *ptr = ir.getPtrTy(), *i32 = ir.getInt32Ty(), *i64 = ir.getInt64Ty();
  ir.CreateCall(
      runtimeFunction(e_.output(), "tessera.race_matrix", ir.getVoidTy(),
                      {ptr, ptr, i32, i32, i64, i64, i64, i32},
                      llvm::MemoryEffects::inaccessibleMemOnly()),
      {e_.dispatch_args, checkSite(e_, p.variable), streamNumber(e_), checkedSubgroup(e_), at,
       stride_bytes, ir.getInt64(form.pack()), ir.getInt32(flagsOf(p, form.is_store))});
}

void RaceCheck::tensor(const Pointer& p, llvm::Value* form, llvm::Value* state,
                       bool is_store) const {
  if (!isOn() || !isShared(p)) return;
  auto& ir = e_.ir;
  llvm::Value* at = ir.CreatePtrToInt(e_.simt.uniform(e_.leafAddress(p, 0, 0)), ir.getInt64Ty());
  llvm::Type *ptr = ir.getPtrTy(), *i32 = ir.getInt32Ty();
  ir.CreateCall(runtimeFunction(e_.output(), "tessera.race_tensor", ir.getVoidTy(),
                                {ptr, ptr, i32, i32, ir.getInt64Ty(), ptr, ptr, i32},
                                llvm::MemoryEffects::inaccessibleOrArgMemOnly()),
                {e_.dispatch_args, checkSite(e_, p.variable), streamNumber(e_), checkedSubgroup(e_),
                 at, form, state, ir.getInt32(flagsOf(p, is_store))});
}

void RaceCheck::barrier(rt::RaceBarrier barrier, uint64_t semantics) const {
  if (!isOn()) return;
  auto& ir = e_.ir;
  uint32_t flags = 0;
  if (releases(semantics) || acquires(semantics)) {
    if (has(semantics, Semantics::WorkgroupMemory)) flags |= rt::kRaceOrdersShared;
    if (has(semantics, Semantics::UniformMemory)) flags |= rt::kRaceOrdersBuffers;
    if (isWeak(e_, semantics)) flags |= rt::kRaceWeak;
  }
  llvm::Type *ptr = ir.getPtrTy(), *i32 = ir.getInt32Ty();
  ir.CreateCall(runtimeFunction(e_.output(), "tessera.race_barrier", ir.getVoidTy(),
                                {ptr, i32, i32, i32}, llvm::MemoryEffects::inaccessibleMemOnly()),
                {e_.dispatch_args, streamNumber(e_), ir.getInt32(static_cast<uint32_t>(barrier)),
                 ir.getInt32(flags)});
}

void RaceCheck::fence(uint64_t semantics) const {
  if (!isOn()) return;
  auto& ir = e_.ir;
  uint32_t flags = orderFlags(semantics);
  if (flags == 0) return;
  if (isWeak(e_, semantics)) flags |= rt::kRaceWeak;
  llvm::Value* access = writeLiveLanes(e_);
  llvm::Type *ptr = ir.getPtrTy(), *i32 = ir.getInt32Ty();
  ir.CreateCall(
      runtimeFunction(e_.output(), "tessera.race_fence", ir.getVoidTy(), {ptr, ptr, i32, i32},
                      llvm::MemoryEffects::inaccessibleOrArgMemOnly()),
      {e_.dispatch_args, access, streamNumber(e_), ir.getInt32(flags)});
}

}  // namespace jit::spirv
