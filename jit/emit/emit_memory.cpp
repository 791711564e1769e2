// SPDX-License-Identifier: Apache-2.0

// Memory: where a pointer leads, and loads and stores of whole values, leaf by leaf.
//
// An address that all live invocations share is one scalar access; addresses of their own are a
// gather or scatter, which passes/access/contiguous_access narrows once variables have become
// registers.
#include <llvm/IR/Intrinsics.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "jit/emit/coopmat_types.h"
#include "jit/emit/host_check.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/memory_check.h"
#include "jit/emit/race_check.h"
#include "jit/matrix/layout.h"
#include "jit/spirv/memory_layout.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

// Larger variables are arrays, which rarely become registers.
constexpr uint64_t kMaxForgottenScalars = 64;

llvm::Value* Emission::leafAddress(const Pointer& p, uint64_t extra, uint64_t leaf_bytes) {
  llvm::Value* offset = p.offset;
  if (extra != 0) offset = ir.CreateAdd(offset, llvm::ConstantInt::get(offset->getType(), extra));
  if (p.interleaved) {
    offset = ir.CreateMul(offset, llvm::ConstantInt::get(offset->getType(), p.lanes));
    // Of a variable of the wide stream's: where the subgroup's begin.
    if (p.lanes != width() && loop_ != nullptr) {
      llvm::Value* own = ir.CreateMul(firstInvocationOfRegion(), ir.getInt64(leaf_bytes));
      simt.unify(offset, own);
      offset = ir.CreateAdd(offset, own);
    }
    if (simt.isVarying(offset)) {
      llvm::Value* lanes = simt.laneIndices(ir.getInt64Ty());
      offset = ir.CreateAdd(
          offset, ir.CreateMul(lanes, llvm::ConstantInt::get(lanes->getType(), leaf_bytes)));
    }
  } else if (p.copies != 1) {
    offset = ir.CreateMul(offset, llvm::ConstantInt::get(offset->getType(), p.copies));
  }
  return ir.CreateGEP(ir.getInt8Ty(), p.base, offset);
}

// What of a value is accessed: first byte, and last byte + 1.
static std::pair<uint64_t, uint64_t> extent(llvm::ArrayRef<LeafLayout> leaves) {
  uint64_t first = ~uint64_t{0}, end = 0;
  for (const LeafLayout& leaf : leaves) {
    first = std::min(first, leaf.offset);
    end = std::max(end, leaf.offset + leafBytes(leaf.type));
  }
  return {first, end};
}

// Where nothing is left to compute, so that constant indices into variables cost nothing.
static std::optional<bool> isKnownInside(const Pointer& p, uint64_t extra, uint64_t bytes) {
  auto* size = llvm::dyn_cast<llvm::ConstantInt>(p.size);
  auto* offset = llvm::dyn_cast<llvm::ConstantInt>(p.offset);
  if (size == nullptr || offset == nullptr) return std::nullopt;
  const uint64_t at = offset->getZExtValue() + extra;
  return bytes <= size->getZExtValue() && at <= size->getZExtValue() - bytes;
}

llvm::Value* Emission::accessMask(const Pointer& p, uint64_t extra, uint64_t bytes) {
  if (p.allowed != nullptr) return p.allowed;
  if (p.size == nullptr || bytes == 0) return nullptr;
  if (const std::optional<bool> inside = isKnownInside(p, extra, bytes))
    return *inside ? nullptr : ir.getFalse();
  // The first offset at which the access is not inside any more; 0 where it never is. Offsets
  // before the start are very large ones.
  llvm::Value* limit =
      ir.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, p.size, integerLike(p.size, bytes - 1));
  llvm::Value* at = ir.CreateAdd(p.offset, integerLike(p.offset, extra));
  simt.unify(at, limit);
  return ir.CreateICmpULT(at, limit);
}

// A load or store is in bounds as a whole or not at all: any part outside makes it so (Vulkan
// Specification, "Shader Out-of-Bounds Memory Access"), and one test is cheaper than many.
llvm::Value* Emission::wholeAccessMask(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves) {
  if (p.allowed != nullptr) return p.allowed;
  if (p.size == nullptr || p.check_leaves || leaves.empty()) return nullptr;
  const auto [first, end] = extent(leaves);
  return accessMask(p, first, end - first);
}

// An address that is always inside of its variable can be seen through: loops over local arrays are
// unrolled, and what is left of the test folds.
Pointer Emission::clamped(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves) {
  auto* size = llvm::dyn_cast_or_null<llvm::ConstantInt>(p.size);
  if (size == nullptr || leaves.empty()) return p;
  // Lanes are masked; but a matrix is where the first of them says.
  if (simt.isVarying(p.offset) && !holdsMatrix(p.pointee)) return p;
  uint64_t alignment = 1;
  for (const LeafLayout& leaf : leaves)
    alignment = std::max(alignment, leaf.type->naturalAlignment());
  const uint64_t end = extent(leaves).second, bytes = size->getZExtValue();
  const uint64_t last = end <= bytes ? llvm::alignDown(bytes - end, alignment) : 0;
  Pointer inside = p;
  if (auto* offset = llvm::dyn_cast<llvm::ConstantInt>(p.offset))
    inside.offset = ir.getInt64(std::min(offset->getZExtValue(), last));
  else
    inside.offset =
        ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, p.offset, integerLike(p.offset, last));
  return inside;
}

// `value` where all of an access is inside (null: it is), else `otherwise`.
static llvm::Value* chosenIf(simt::SimtBuilder& simt, llvm::Value* inside, llvm::Value* value,
                             llvm::Value* otherwise) {
  if (inside == nullptr) return value;
  inside = simt.uniform(inside);
  if (value->getType()->isVectorTy()) inside = simt.broadcast(inside);
  return simt.ir.CreateSelect(inside, value, otherwise);
}

// What only this stream's invocations see, and what SROA may make registers of.
static bool isLocal(const Pointer& p) {
  return p.storage == spv::StorageClass::Function || p.storage == spv::StorageClass::Private;
}

// Gathers and scatters cannot be marked as volatile, but kept from being merged or moved.
void Emission::keepInPlace(bool is_volatile) {
  if (is_volatile)
    ir.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
}

// The type that a leaf has in memory. bfloat16 comes and goes as its bits: where the machine does
// not know it, LLVM's masked accesses take it through binary32, which quiets signalling NaNs.
static llvm::Type* memoryType(llvm::IRBuilderBase& ir, llvm::Type* type) {
  if (type->isIntegerTy(1)) return ir.getInt32Ty();
  return type->isBFloatTy() ? ir.getInt16Ty() : type;
}

llvm::Error Emission::checkMatrixAddress(const Type& matrix, llvm::Value* at) const {
  if (copiesOf(matrix) == 1 || !simt.isVarying(at)) return llvm::Error::success();
  return unsupported(
      "an array of matrices of Subgroup scope with an index that subgroups do not share, in code "
      "that holds matrices of Workgroup scope too; use constant indices, or copy the matrix under "
      "a "
      "condition");
}

llvm::Expected<Value> Emission::load(const Pointer& pointer) {
  if (const Pointer& p = pointer; p.builtin_variable != 0) {
    const auto& decorations = module.decorated(p.builtin_variable);
    if (!decorations.builtin)
      return unsupported(module.describe(p.builtin_variable) + ": an input that is no built-in");
    llvm::Expected<Value> whole =
        builtin(*decorations.builtin, typeOf(p.builtin_variable)->element);
    if (!whole) return whole.takeError();
    Value part{p.pointee, {}};
    for (uint64_t i = 0; i < p.pointee->leaves() && p.first_leaf + i < whole->leaves.size(); ++i)
      part.leaves.push_back(whole->leaves[p.first_leaf + i]);
    return part;
  }
  llvm::SmallVector<LeafLayout, 8> leaves;
  leafLayouts(pointer.pointee, 0, pointer.explicit_layout, pointer.matrix, pointer.component_stride,
              leaves);
  const Pointer p = MemoryCheck(*this).access(pointer, leaves, rt::AccessKind::Load);
  RaceCheck(*this).load(p, leaves);
  HostCheck(*this).access(p, leaves, rt::AccessKind::Load);
  const auto tested = isLocal(p) ? std::nullopt : testedAddress(p, leaves, false);
  if (!tested) return loadLeaves(p, leaves);
  Value loaded;
  auto access = [&](const Pointer& target, Value& result) -> llvm::Error {
    llvm::Expected<Value> value = loadLeaves(target, leaves);
    if (!value) return value.takeError();
    result = std::move(*value);
    return llvm::Error::success();
  };
  if (llvm::Error error = accessAsTested(p, *tested, access, loaded)) return error;
  return loaded;
}

llvm::Expected<Value> Emission::loadLeaves(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves) {
  llvm::Value* whole = wholeAccessMask(p, leaves);
  keepInPlace(p.is_volatile);
  Value value{p.pointee, {}};
  llvm::SmallVector<llvm::Value*, 4> together;
  Pointer target = p;
  if (isLocal(p)) {
    target = clamped(p, leaves);
  } else if (!leaves.empty()) {
    llvm::Type* stored = memoryType(ir, leafType(leaves[0].type));
    together = loadInRuns(p, leaves, stored, whole);
    if (together.empty()) {
      target = countedFromFirst(p, whole);
      together = gatherWords(target, leaves, stored, whole);
    }
  }
  for (const LeafLayout& leaf : leaves) {
    llvm::Type* type = leafType(leaf.type);
    const uint64_t bytes = leafBytes(leaf.type);
    const bool is_bool = leaf.type->kind == TypeKind::Bool;
    llvm::Type* stored = memoryType(ir, type);
    llvm::Value* at = leafAddress(target, leaf.offset, bytes);
    llvm::Value* inside = p.check_leaves ? accessMask(p, leaf.offset, bytes) : whole;
    llvm::Value* loaded = nullptr;
    if (!together.empty()) {
      loaded = together[value.leaves.size()];
    } else if (leaf.type->kind == TypeKind::CooperativeMatrix) {
      if (llvm::Error error = checkMatrixAddress(*leaf.type, at)) return error;
      loaded = ir.CreateAlignedLoad(type, simt.uniform(at),
                                    llvm::Align(leaf.type->element->naturalSize()));
    } else if (p.interleaved && !simt.isVarying(at)) {
      loaded = ir.CreateAlignedLoad(simt.vectorOf(stored), at, llvm::Align(bytes));
      loaded = chosenIf(simt, inside, loaded, llvm::Constant::getNullValue(loaded->getType()));
    } else if (!simt.isVarying(at)) {
      // A read outside gives 0: take it from a slot that holds one.
      if (inside != nullptr && !isLocal(p))
        at = ir.CreateSelect(simt.uniform(inside), at, zeroSlot());
      auto* load = ir.CreateAlignedLoad(stored, at, llvm::Align(bytes));
      load->setVolatile(p.is_volatile);
      // What the dispatch passes does not change while it runs.
      if (p.storage == spv::StorageClass::PushConstant && !p.is_volatile && inside == nullptr)
        for (unsigned fact : {llvm::LLVMContext::MD_invariant_load, llvm::LLVMContext::MD_noundef})
          load->setMetadata(fact, llvm::MDNode::get(context, {}));
      loaded = load;
      if (isLocal(p))
        loaded = chosenIf(simt, inside, loaded, llvm::Constant::getNullValue(loaded->getType()));
    } else {
      llvm::Value* lanes = simt.fullMask();
      if (inside != nullptr) lanes = ir.CreateAnd(lanes, simt.broadcast(inside));
      loaded = ir.CreateMaskedGather(simt.vectorOf(stored), at, llvm::Align(bytes), lanes,
                                     llvm::Constant::getNullValue(simt.vectorOf(stored)));
    }
    if (is_bool) {
      loaded = ir.CreateICmpNE(loaded, llvm::Constant::getNullValue(loaded->getType()));
    } else if (type->isBFloatTy()) {
      loaded = ir.CreateBitCast(loaded, shapedLike(loaded, type));
    }
    value.leaves.push_back(loaded);
  }
  return value;
}

// A leaf as it lies in memory.
llvm::Value* Emission::inMemory(const LeafLayout& leaf, llvm::Value* value) {
  if (leaf.type->kind == TypeKind::Bool)
    return ir.CreateZExt(value, shapedLike(value, ir.getInt32Ty()));
  if (leaf.type->kind != TypeKind::CooperativeMatrix &&
      value->getType()->getScalarType()->isBFloatTy())
    return ir.CreateBitCast(value, shapedLike(value, ir.getInt16Ty()));
  return value;
}

llvm::Error Emission::store(const Pointer& pointer, const Value& value) {
  if (pointer.builtin_variable != 0) return malformed("a store to an input");
  llvm::SmallVector<LeafLayout, 8> leaves;
  leafLayouts(pointer.pointee, 0, pointer.explicit_layout, pointer.matrix, pointer.component_stride,
              leaves);
  if (leaves.size() != value.leaves.size())
    return malformed("a store of a value of another type than the pointer's");
  const Pointer p = MemoryCheck(*this).access(pointer, leaves, rt::AccessKind::Store);
  RaceCheck(*this).store(p, leaves, value.leaves);
  HostCheck(*this).access(p, leaves, rt::AccessKind::Store);
  const auto tested = isLocal(p) ? std::nullopt : testedAddress(p, leaves, true);
  if (!tested) return storeLeaves(p, leaves, value);
  Value nothing;
  return accessAsTested(
      p, *tested, [&](const Pointer& target, Value&) { return storeLeaves(target, leaves, value); },
      nothing);
}

llvm::Error Emission::storeLeaves(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves,
                                  const Value& value) {
  llvm::Value* whole = wholeAccessMask(p, leaves);
  llvm::SmallVector<llvm::Value*, 4> all;
  const bool apart = !isLocal(p) && simt.isVarying(p.offset);
  if (apart) {
    for (size_t i = 0; i < leaves.size(); ++i) all.push_back(inMemory(leaves[i], value.leaves[i]));
    if (storeInRuns(p, leaves, all, whole)) return llvm::Error::success();
  }
  const Pointer target = isLocal(p) ? clamped(p, leaves) : countedFromFirst(p, whole);
  if (apart && scatterWords(target, leaves, all, whole)) return llvm::Error::success();
  for (size_t i = 0; i < leaves.size(); ++i) {
    const LeafLayout& leaf = leaves[i];
    const uint64_t bytes = leafBytes(leaf.type);
    llvm::Value* at = leafAddress(target, leaf.offset, bytes);
    llvm::Value* inside = p.check_leaves ? accessMask(p, leaf.offset, bytes) : whole;
    llvm::Value* stored = value.leaves[i];
    if (leaf.type->kind == TypeKind::CooperativeMatrix) {
      if (llvm::Error error = checkMatrixAddress(*leaf.type, at)) return error;
      at = simt.uniform(at);
      const llvm::Align alignment(leaf.type->element->naturalSize());
      if (copiesOf(*leaf.type) > 1 && simt.mask != nullptr)
        stored = chosenBySubgroup(simt.mask, stored,
                                  ir.CreateAlignedLoad(stored->getType(), at, alignment));
      ir.CreateAlignedStore(stored, at, alignment);
      continue;
    }
    stored = inMemory(leaf, stored);
    if (p.interleaved && !simt.isVarying(at)) {
      stored = simt.broadcast(stored);
      llvm::Value* lanes = simt.mask;
      if (inside != nullptr)
        lanes = ir.CreateAnd(simt.fullMask(), simt.broadcast(simt.uniform(inside)));
      if (lanes != nullptr)
        stored = ir.CreateSelect(lanes, stored,
                                 ir.CreateAlignedLoad(stored->getType(), at, llvm::Align(bytes)));
      ir.CreateAlignedStore(stored, at, llvm::Align(bytes));
    } else if (!simt.isVarying(at)) {
      // All write to one address: one of the live invocations wins.
      stored = simt.uniform(stored);
      if (inside != nullptr && isLocal(p))
        stored = chosenIf(simt, inside, stored,
                          ir.CreateAlignedLoad(stored->getType(), at, llvm::Align(bytes)));
      else if (inside != nullptr)
        at = ir.CreateSelect(simt.uniform(inside), at, dropSlot());
      ir.CreateAlignedStore(stored, at, llvm::Align(bytes))->setVolatile(p.is_volatile);
    } else {
      llvm::Value* lanes = simt.fullMask();
      if (inside != nullptr) lanes = ir.CreateAnd(lanes, simt.broadcast(inside));
      ir.CreateMaskedScatter(simt.broadcast(stored), at, llvm::Align(bytes), lanes);
    }
  }
  keepInPlace(p.is_volatile);
  return llvm::Error::success();
}

void Emission::forget(const Pointer& variable) {
  if (!llvm::isa<llvm::AllocaInst>(variable.base)) return;  // never becomes registers
  if (variable.pointee->leaves() > kMaxForgottenScalars) return;
  llvm::SmallVector<LeafLayout, 8> leaves;
  leafLayouts(variable.pointee, 0, variable.explicit_layout, variable.matrix,
              variable.component_stride, leaves);
  for (const LeafLayout& leaf : leaves) {
    const uint64_t bytes = leafBytes(leaf.type);
    llvm::Type* type = memoryType(ir, leafType(leaf.type));
    if (variable.interleaved) type = simt.vectorOf(type);
    ir.CreateAlignedStore(llvm::UndefValue::get(type), leafAddress(variable, leaf.offset, bytes),
                          llvm::Align(bytes));
  }
}

}  // namespace jit::spirv
