// Memory: where a pointer leads, and loads and stores of whole values, leaf by leaf.
//
// An address that all live invocations share is one scalar access; addresses of their own are a
// gather or scatter, which simt/contiguous_access narrows once variables have become registers.
#include <llvm/IR/Intrinsics.h>
#include <llvm/Support/MathExtras.h>

#include "jit/coopmat/layout.h"
#include "jit/spirv/coopmat_types.h"
#include "jit/spirv/emission.h"
#include "jit/spirv/memory_layout.h"

namespace jit::spirv {

namespace {

bool hasExplicitLayout(spv::StorageClass storage) {
  switch (storage) {
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::PushConstant:
    case spv::StorageClass::PhysicalStorageBuffer:
      return true;
    default:
      return false;
  }
}

}  // namespace

llvm::Value* Emission::leafAddress(const Pointer& p, uint64_t extra, uint64_t leaf_bytes) {
  llvm::Value* offset = p.offset;
  if (extra != 0) offset = ir.CreateAdd(offset, llvm::ConstantInt::get(offset->getType(), extra));
  if (p.interleaved) {
    offset = ir.CreateMul(offset, llvm::ConstantInt::get(offset->getType(), width));
    if (simt.isVarying(offset)) {
      llvm::Value* lanes = simt.laneIndices(ir.getInt64Ty());
      offset = ir.CreateAdd(
          offset, ir.CreateMul(lanes, llvm::ConstantInt::get(lanes->getType(), leaf_bytes)));
    }
  }
  return ir.CreateGEP(ir.getInt8Ty(), p.base, offset);
}

llvm::Value* Emission::accessMask(const Pointer& p, uint64_t extra, uint64_t bytes) {
  if (p.size == nullptr) return nullptr;
  // offset + extra + bytes <= size, without wrapping: offsets of access chains into a buffer of
  // at most 4 GiB stay far below 2^63.
  llvm::Value* end =
      ir.CreateAdd(p.offset, llvm::ConstantInt::get(p.offset->getType(), extra + bytes));
  llvm::Value* size = p.size;
  simt.unify(end, size);
  return ir.CreateICmpULE(end, size);
}

llvm::Expected<Value> Emission::load(const Pointer& p) {
  if (p.builtin_variable != 0) {
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
  llvm::SmallVector<LeafPlace, 8> leaves;
  leafPlaces(p.pointee, 0, p.explicit_layout, p.matrix, p.component_stride, leaves);
  Value value{p.pointee, {}};
  for (const LeafPlace& leaf : leaves) {
    llvm::Type* type = leafType(leaf.type);
    const uint64_t bytes = leaf.type->naturalSize();
    const bool is_bool = leaf.type->kind == TypeKind::Bool;
    llvm::Type* stored = is_bool ? ir.getInt32Ty() : type;
    llvm::Value* at = leafAddress(p, leaf.offset, bytes);
    llvm::Value* loaded = nullptr;
    if (leaf.type->kind == TypeKind::CooperativeMatrix) {
      loaded = ir.CreateAlignedLoad(type, simt.uniform(at),
                                    llvm::Align(leaf.type->element->naturalSize()));
    } else if (p.interleaved && !simt.isVarying(at)) {
      loaded = ir.CreateAlignedLoad(simt.vectorOf(stored), at, llvm::Align(bytes));
    } else if (!simt.isVarying(at)) {
      if (llvm::Value* inside = accessMask(p, leaf.offset, bytes)) {
        // A read outside gives 0: take it from a place that holds one.
        llvm::AllocaInst* zero = zeroPlace();
        at = ir.CreateSelect(simt.uniform(inside), at, zero);
      }
      auto* load = ir.CreateAlignedLoad(stored, at, llvm::Align(bytes));
      load->setVolatile(p.is_volatile);
      loaded = load;
    } else {
      llvm::Value* lanes = simt.fullMask();
      if (llvm::Value* inside = accessMask(p, leaf.offset, bytes))
        lanes = ir.CreateAnd(lanes, simt.broadcast(inside));
      loaded = ir.CreateMaskedGather(simt.vectorOf(stored), at, llvm::Align(bytes), lanes,
                                     llvm::Constant::getNullValue(simt.vectorOf(stored)));
    }
    if (is_bool) loaded = ir.CreateICmpNE(loaded, llvm::Constant::getNullValue(loaded->getType()));
    value.leaves.push_back(loaded);
  }
  return value;
}

llvm::Error Emission::store(const Pointer& p, const Value& value) {
  if (p.builtin_variable != 0) return malformed("a store to an input");
  llvm::SmallVector<LeafPlace, 8> leaves;
  leafPlaces(p.pointee, 0, p.explicit_layout, p.matrix, p.component_stride, leaves);
  if (leaves.size() != value.leaves.size())
    return malformed("a store of a value of another type than the pointer's");
  for (size_t i = 0; i < leaves.size(); ++i) {
    const LeafPlace& leaf = leaves[i];
    const uint64_t bytes = leaf.type->naturalSize();
    llvm::Value* at = leafAddress(p, leaf.offset, bytes);
    llvm::Value* stored = value.leaves[i];
    if (leaf.type->kind == TypeKind::CooperativeMatrix) {
      ir.CreateAlignedStore(stored, simt.uniform(at),
                            llvm::Align(leaf.type->element->naturalSize()));
      continue;
    }
    if (leaf.type->kind == TypeKind::Bool)
      stored =
          ir.CreateZExt(stored, simt.isVarying(stored) ? simt.vectorOf(ir.getInt32Ty())
                                                       : static_cast<llvm::Type*>(ir.getInt32Ty()));
    if (p.interleaved && !simt.isVarying(at)) {
      stored = simt.broadcast(stored);
      if (simt.mask != nullptr)
        stored = ir.CreateSelect(simt.mask, stored,
                                 ir.CreateAlignedLoad(stored->getType(), at, llvm::Align(bytes)));
      ir.CreateAlignedStore(stored, at, llvm::Align(bytes));
    } else if (!simt.isVarying(at)) {
      // All write to one place: one of the live invocations wins.
      stored = simt.uniform(stored);
      if (llvm::Value* inside = accessMask(p, leaf.offset, bytes))
        at = ir.CreateSelect(simt.uniform(inside), at, dropPlace());
      ir.CreateAlignedStore(stored, at, llvm::Align(bytes))->setVolatile(p.is_volatile);
    } else {
      llvm::Value* lanes = simt.fullMask();
      if (llvm::Value* inside = accessMask(p, leaf.offset, bytes))
        lanes = ir.CreateAnd(lanes, simt.broadcast(inside));
      ir.CreateMaskedScatter(simt.broadcast(stored), at, llvm::Align(bytes), lanes);
    }
  }
  return llvm::Error::success();
}

void Emission::advance(Pointer& p, llvm::Value* index, bool is_signed, uint64_t stride) {
  llvm::Type* wide = simt.isVarying(index)
                         ? static_cast<llvm::Type*>(simt.vectorOf(ir.getInt64Ty()))
                         : static_cast<llvm::Type*>(ir.getInt64Ty());
  llvm::Value* distance =
      is_signed ? ir.CreateSExtOrTrunc(index, wide) : ir.CreateZExtOrTrunc(index, wide);
  distance = ir.CreateMul(distance, llvm::ConstantInt::get(wide, stride));
  llvm::Value* offset = p.offset;
  simt.unify(offset, distance);
  p.offset = ir.CreateAdd(offset, distance);
}

llvm::Error Emission::step(Pointer& p, llvm::Value* index, bool is_signed,
                           const Constant* constant_index, const Instruction& instruction) {
  const Type* type = p.pointee;
  if (p.builtin_variable != 0) {
    if (constant_index == nullptr) {
      // A component chosen at run time: out of a copy in memory.
      llvm::Expected<Value> whole = load(p);
      if (!whole) return whole.takeError();
      Pointer copy;
      copy.pointee = type;
      copy.base =
          allocate(llvm::ArrayType::get(ir.getInt8Ty(), type->naturalSize() * width), "copy");
      copy.offset = ir.getInt64(0);
      copy.interleaved = true;
      llvm::Value* mask = simt.mask;
      simt.mask = nullptr;
      llvm::Error error = store(copy, *whole);
      simt.mask = mask;
      if (error) return error;
      p = copy;
    } else {
      if (type->element == nullptr || constant_index->leaves[0] >= type->count)
        return malformed(module.describe(instruction) + ": index past the end");
      p.first_leaf += static_cast<uint32_t>(constant_index->leaves[0] * type->element->leaves());
      p.pointee = type->element;
      return llvm::Error::success();
    }
  }
  if (p.binding != nullptr) {
    selectDescriptor(p, index);
    p.pointee = type->element;
    return llvm::Error::success();
  }
  switch (type->kind) {
    case TypeKind::Array:
    case TypeKind::RuntimeArray:
      advance(p, index, is_signed, elementStride(type, p.explicit_layout));
      p.pointee = type->element;
      return llvm::Error::success();
    case TypeKind::Struct: {
      if (constant_index == nullptr || constant_index->leaves[0] >= type->members.size())
        return malformed(module.describe(instruction) + ": not a member of the structure");
      const auto m = static_cast<uint32_t>(constant_index->leaves[0]);
      const Member& member = type->members[m];
      p.offset = ir.CreateAdd(
          p.offset,
          llvm::ConstantInt::get(p.offset->getType(), memberOffset(type, m, p.explicit_layout)));
      p.matrix = {};
      if (p.explicit_layout) p.matrix = {member.matrix_stride, member.row_major};
      p.is_volatile |= member.is_volatile;
      p.pointee = member.type;
      return llvm::Error::success();
    }
    case TypeKind::Vector: {
      uint64_t stride = p.component_stride != 0 ? p.component_stride : type->element->naturalSize();
      advance(p, index, is_signed, stride);
      p.component_stride = 0;
      p.pointee = type->element;
      return llvm::Error::success();
    }
    case TypeKind::Matrix: {
      uint64_t stride = p.matrix.stride == 0 ? type->element->naturalSize()
                        : p.matrix.row_major ? type->element->element->naturalSize()
                                             : p.matrix.stride;
      advance(p, index, is_signed, stride);
      p.component_stride = p.matrix.row_major ? p.matrix.stride : 0;
      p.matrix = {};
      p.pointee = type->element;
      return llvm::Error::success();
    }
    case TypeKind::CooperativeMatrix: {
      // Component `index` of each invocation.
      const uint64_t bytes = type->element->naturalSize();
      Pointer component;
      component.pointee = type->element;
      component.storage = p.storage;
      component.base = simt.uniform(leafAddress(p, 0, 0));
      component.offset = ir.getInt64(0);
      component.size = nullptr;
      advance(component, componentElements(*this, *type, index), false, bytes);
      if (type->rows * type->columns % width != 0)
        component.size = ir.getInt64(type->naturalSize());
      p = component;
      return llvm::Error::success();
    }
    default:
      return malformed(module.describe(instruction) + ": an index into what has no components");
  }
}

llvm::Value* Emission::address(const Pointer& p) {
  llvm::Value* at = leafAddress(p, 0, 0);
  return ir.CreatePtrToInt(at, simt.isVarying(at)
                                   ? static_cast<llvm::Type*>(simt.vectorOf(ir.getInt64Ty()))
                                   : static_cast<llvm::Type*>(ir.getInt64Ty()));
}

Pointer Emission::fromAddress(const Type* pointer_type, llvm::Value* address) {
  Pointer p;
  p.pointee = pointer_type->element;
  p.storage = pointer_type->storage;
  p.explicit_layout = hasExplicitLayout(pointer_type->storage);
  llvm::Type* ptr = llvm::PointerType::get(context, 0);
  p.base = ir.CreateIntToPtr(
      address, simt.isVarying(address) ? static_cast<llvm::Type*>(simt.vectorOf(ptr)) : ptr);
  p.offset = ir.getInt64(0);
  return p;
}

}  // namespace jit::spirv
