// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/host_check.h"

#include <algorithm>

#include "jit/emit/check_site.h"
#include "jit/emit/leafwise.h"
#include "jit/ir/symbols.h"

namespace jit::spirv {

namespace {

// In memory that the host can write.
bool isMappable(const Pointer& p) {
  return p.builtin_variable == 0 && p.base != nullptr &&
         (p.storage == spv::StorageClass::StorageBuffer ||
          p.storage == spv::StorageClass::PhysicalStorageBuffer ||
          p.storage == spv::StorageClass::Uniform);
}

}  // namespace

bool HostCheck::isOn() const {
  return e_.instruction() != nullptr && e_.request.checks.has(rt::Check::Api);
}

llvm::Value* HostCheck::isNothingWritten() const {
  auto& ir = e_.ir;
  llvm::Value* field =
      ir.CreateConstGEP1_64(ir.getInt8Ty(), e_.dispatch_args, offsetof(rt::DispatchArgs, checker));
  llvm::Value* checker = ir.CreateAlignedLoad(ir.getPtrTy(), field, llvm::Align(8));
  // Where there is no checker, whatever stands at the start of the arguments; the call looks again.
  llvm::Value* is_none = ir.CreateIsNull(checker);
  llvm::Value* count =
      ir.CreateAlignedLoad(ir.getInt64Ty(), ir.CreateSelect(is_none, e_.dispatch_args, checker),
                           llvm::Align(8), /*isVolatile=*/true);
  return ir.CreateOr(is_none, ir.CreateIsNull(count));
}

void HostCheck::access(const Pointer& p, uint64_t first, uint64_t bytes,
                       rt::AccessKind kind) const {
  if (!isOn() || !isMappable(p)) return;
  auto& ir = e_.ir;
  llvm::Value* offset = ir.CreateAdd(p.offset, integerLike(p.offset, first));
  // What is outside is left out.
  llvm::Value* mask = e_.simt.mask;
  if (llvm::Value* inside = e_.accessMask(p, first, bytes))
    e_.simt.mask = ir.CreateAnd(e_.simt.fullMask(), e_.simt.broadcast(inside));
  unlessGood(e_, isNothingWritten(), [&] {
    callCheck(e_, "tessera.host_access", p,
              {.base = p.base,
               .offset = offset,
               .size = ir.getInt64(0),
               .within = nullptr,
               .bytes = bytes,
               .alignment = 1,
               .kind = kind,
               .memory = rt::AccessedMemory::Buffer});
  });
  e_.simt.mask = mask;
}

void HostCheck::access(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves,
                       rt::AccessKind kind) const {
  if (!isOn() || leaves.empty() || !isMappable(p)) return;
  uint64_t first = ~uint64_t{0}, end = 0, sum = 0;
  for (const LeafLayout& leaf : leaves) {
    first = std::min(first, leaf.offset);
    end = std::max(end, leaf.offset + leafBytes(leaf.type));
    sum += leafBytes(leaf.type);
  }
  if (sum == end - first) return access(p, first, sum, kind);
  for (const LeafLayout& leaf : leaves) access(p, leaf.offset, leafBytes(leaf.type), kind);
}

void HostCheck::matrix(const Pointer& p, llvm::Value* stride_bytes,
                       const rt::MatrixForm& form) const {
  if (!isOn() || !isMappable(p)) return;
  auto& ir = e_.ir;
  llvm::Value* at = ir.CreatePtrToInt(e_.simt.uniform(e_.leafAddress(p, 0, 0)), ir.getInt64Ty());
  llvm::Type *ptr = ir.getPtrTy(), *i32 = ir.getInt32Ty(), *i64 = ir.getInt64Ty();
  ir.CreateCall(
      runtimeFunction(e_.output(), "tessera.host_matrix", ir.getVoidTy(),
                      {ptr, ptr, i32, i32, i32, i32, i64, i64, i64},
                      llvm::MemoryEffects::inaccessibleMemOnly()),
      {e_.dispatch_args, checkSite(e_, p.variable), e_.workgroup_id[0], e_.workgroup_id[1],
       e_.workgroup_id[2], checkedSubgroup(e_), at, stride_bytes, ir.getInt64(form.pack())});
}

void HostCheck::tensor(const Pointer& p, llvm::Value* form, llvm::Value* state,
                       bool is_store) const {
  if (!isOn() || !isMappable(p)) return;
  auto& ir = e_.ir;
  llvm::Value* at = ir.CreatePtrToInt(e_.simt.uniform(e_.leafAddress(p, 0, 0)), ir.getInt64Ty());
  llvm::Type *ptr = ir.getPtrTy(), *i32 = ir.getInt32Ty();
  ir.CreateCall(
      runtimeFunction(e_.output(), "tessera.host_tensor", ir.getVoidTy(),
                      {ptr, ptr, i32, i32, i32, i32, ir.getInt64Ty(), ptr, ptr, i32},
                      llvm::MemoryEffects::inaccessibleOrArgMemOnly()),
      {e_.dispatch_args, checkSite(e_, p.variable), e_.workgroup_id[0], e_.workgroup_id[1],
       e_.workgroup_id[2], checkedSubgroup(e_), at, form, state, ir.getInt32(is_store)});
}

}  // namespace jit::spirv
