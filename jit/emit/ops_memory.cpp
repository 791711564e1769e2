// SPDX-License-Identifier: Apache-2.0

// Source: SPIR-V Specification, 3.52.8 "Memory Instructions"; SPV_KHR_untyped_pointers;
// SPV_NV_raw_access_chains.
#include <llvm/IR/Intrinsics.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <array>
#include <utility>

#include "jit/emit/leafwise.h"
#include "jit/emit/neighbour_access.h"
#include "jit/emit/opcode_rows.h"
#include "jit/spirv/memory_layout.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

namespace {

using llvm::Error;

// What an access of `type` reads or writes at a pointer that may have none of its own.
// A matrix (or its column) that an access chain led to keeps the layout found there.
Pointer seenAs(Pointer pointer, const Type* type) {
  if (type->kind != pointer.pointee->kind) {
    pointer.matrix = {};
    pointer.component_stride = 0;
  }
  pointer.pointee = type;
  return pointer;
}

bool isUntyped(const Emission& e, Id pointer) {
  const Type* type = e.typeOf(pointer);
  return type != nullptr && type->untyped;
}

Error emitLoad(Emission& e, const Instruction& i) {
  llvm::Expected<Pointer> pointer = e.pointer(i.operands[0]);
  if (!pointer) return pointer.takeError();
  pointer->is_volatile |= isVolatile(i, 1);
  if (e.neighbours != nullptr) {
    llvm::Expected<Value> together = e.neighbours->load(i, *pointer);
    if (!together) return together.takeError();
    if (!together->leaves.empty()) {
      e.setValue(i, std::move(*together));
      return Error::success();
    }
  }
  llvm::Expected<Value> loaded =
      e.load(isUntyped(e, i.operands[0]) ? seenAs(*pointer, i.type) : *pointer);
  if (!loaded) return loaded.takeError();
  Value value{i.type, loaded->leaves};
  if (pointer->builtin_variable != 0)
    e.followBuiltin(i, *pointer, value);
  else
    e.keepRuns(i, value);
  e.setValue(i, std::move(value));
  return Error::success();
}

Error emitStore(Emission& e, const Instruction& i) {
  llvm::Expected<Pointer> pointer = e.pointer(i.operands[0]);
  if (!pointer) return pointer.takeError();
  pointer->is_volatile |= isVolatile(i, 2);
  llvm::Expected<Value> stored = e.value(i.operands[1]);
  if (!stored) return stored.takeError();
  return e.store(isUntyped(e, i.operands[0]) ? seenAs(*pointer, stored->type) : *pointer, *stored);
}

// Of a variable of an inlined function: for all invocations, also those that do not take part.
// Arrays, which rarely become registers, keep what they have.
Error emitLifetimeStart(Emission& e, const Instruction& i) {
  constexpr uint64_t kMostScalars = 64;
  llvm::Expected<Pointer> variable = e.pointer(i.operands[0]);
  if (!variable) return variable.takeError();
  if (holdsMatrix(variable->pointee)) return Error::success();
  if (i.operands[1] == 0) {
    e.forget(*variable);
    return Error::success();
  }
  if (variable->pointee->leaves() > kMostScalars) return Error::success();
  llvm::Value* mask = std::exchange(e.simt.mask, nullptr);
  Error error = e.store(*variable, e.zeroValue(variable->pointee));
  e.simt.mask = mask;
  return error;
}

// The memory operands of a copy: of the target, and of the source where it has its own.
struct CopyAccess {
  bool volatile_target = false, volatile_source = false;
};

CopyAccess copyAccess(const Instruction& i, size_t first) {
  CopyAccess access;
  if (i.operands.size() <= first) return access;
  access.volatile_target = access.volatile_source = isVolatile(i, first);
  // Behind the mask stand the operands of its bits, in their order.
  size_t next = first + 1;
  for (spv::MemoryAccessMask bit :
       {spv::MemoryAccessMask::Aligned, spv::MemoryAccessMask::MakePointerAvailable,
        spv::MemoryAccessMask::MakePointerVisible})
    next += (i.operands[first] & static_cast<uint32_t>(bit)) != 0;
  if (next < i.operands.size()) access.volatile_source = isVolatile(i, next);
  return access;
}

Error emitCopyMemory(Emission& e, const Instruction& i) {
  llvm::Expected<Pointer> target = e.pointer(i.operands[0]);
  if (!target) return target.takeError();
  llvm::Expected<Pointer> source = e.pointer(i.operands[1]);
  if (!source) return source.takeError();
  const CopyAccess access = copyAccess(i, 2);
  target->is_volatile |= access.volatile_target;
  source->is_volatile |= access.volatile_source;
  // One of the two has a type (SPV_KHR_untyped_pointers).
  if (isUntyped(e, i.operands[1])) source = seenAs(*source, target->pointee);
  if (isUntyped(e, i.operands[0])) target = seenAs(*target, source->pointee);
  // The copy is one value while it is under way.
  if (const uint64_t scalars = source->pointee->leaves(); scalars > kMaxValueScalars)
    return e.unsupportedAt(i, "a copy of " + std::to_string(scalars) + " scalars; at most " +
                                  std::to_string(kMaxValueScalars) + " are supported");
  llvm::Expected<Value> loaded = e.load(*source);
  if (!loaded) return loaded.takeError();
  return e.store(*target, *loaded);
}

// An unsigned integer type of the driver's own, for memory without a type.
const Type& integerType(uint32_t bytes) {
  static const std::array<Type, 3> kTypes = [] {
    std::array<Type, 3> types{};
    for (uint32_t k = 0; k < 3; ++k) {
      types[k].kind = TypeKind::Int;
      types[k].width = 8 << k;
    }
    return types;
  }();
  return kTypes[llvm::Log2_32(bytes)];
}

// As an array of the widest words of which the size is a multiple: 16-bit and 8-bit words are as
// far as the alignment can be relied on (Vulkan Specification, VUID-RuntimeSpirv-Size-11165).
Error emitCopyMemorySized(Emission& e, const Instruction& i) {
  const Constant* size = e.module.constant(i.operands[2]);
  if (size == nullptr || size->leaves.size() != 1)
    return e.unsupportedAt(i, "a size that is not a constant");
  const uint64_t bytes = size->leaves[0];
  const uint32_t word = bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
  if (bytes / word > kMaxValueScalars)
    return e.unsupportedAt(i, "a copy of " + std::to_string(bytes) + " bytes; at most " +
                                  std::to_string(kMaxValueScalars * word) + " are supported");
  if (bytes == 0) return Error::success();
  llvm::Expected<Pointer> target = e.pointer(i.operands[0]);
  if (!target) return target.takeError();
  llvm::Expected<Pointer> source = e.pointer(i.operands[1]);
  if (!source) return source.takeError();
  if (target->interleaved || source->interleaved)
    return e.unsupportedAt(i, "bytes of a Function or Private variable");
  const CopyAccess access = copyAccess(i, 3);
  Type words{};
  words.kind = TypeKind::Array;
  words.element = &integerType(word);
  words.count = static_cast<uint32_t>(bytes / word);
  target->is_volatile |= access.volatile_target;
  source->is_volatile |= access.volatile_source;
  llvm::Expected<Value> loaded = e.load(seenAs(*source, &words));
  if (!loaded) return loaded.takeError();
  return e.store(seenAs(*target, &words), *loaded);
}

Error walk(Emission& e, const Instruction& i, Pointer& pointer, size_t first) {
  for (size_t k = first; k < i.operands.size(); ++k) {
    llvm::Expected<Value> index = e.value(i.operands[k]);
    if (!index) return index.takeError();
    if (index->type == nullptr || index->type->kind != TypeKind::Int)
      return malformed(e.module.describe(i) + ": an index that is no integer");
    if (Error error = e.step(pointer, index->leaves[0], index->type->is_signed,
                             e.module.constant(i.operands[k]), i))
      return error;
  }
  return Error::success();
}

// Bytes from one element to the next of the array into which a pointer to `pointee` leads. Where
// memory has no explicit layout, an ArrayStride says nothing of it.
uint64_t pointerStride(const Type* pointer, const Type& pointee, bool explicit_layout) {
  return explicit_layout && pointer != nullptr && pointer->array_stride != 0
             ? pointer->array_stride
             : pointee.naturalSize();
}

Error movePointer(Emission& e, Pointer& pointer, Id base, Id element) {
  llvm::Expected<Value> distance = e.value(element);
  if (!distance) return distance.takeError();
  e.advance(pointer, distance->leaves[0], distance->type->is_signed,
            pointerStride(e.typeOf(base), *pointer.pointee, pointer.explicit_layout));
  return Error::success();
}

// OpAccessChain: Base, indexes; OpPtrAccessChain: Base, Element, indexes.
template <bool kHasElement>
Error emitAccessChain(Emission& e, const Instruction& i) {
  llvm::Expected<Pointer> pointer = e.pointer(i.operands[0]);
  if (!pointer) return pointer.takeError();
  if constexpr (kHasElement) {
    if (Error error = movePointer(e, *pointer, i.operands[0], i.operands[1])) return error;
  }
  if (Error error = walk(e, i, *pointer, kHasElement ? 2 : 1)) return error;
  e.setPointer(i, *pointer);
  return Error::success();
}

llvm::Expected<const Type*> typeNamed(Emission& e, const Instruction& i, Id id) {
  auto type = e.module.types.find(id);
  if (type == e.module.types.end()) return malformed(e.module.describe(i) + ": not a type");
  return type->second.get();
}

// The same behind a Base Type, as which the base's memory is seen (SPV_KHR_untyped_pointers).
template <bool kHasElement>
Error emitUntypedAccessChain(Emission& e, const Instruction& i) {
  llvm::Expected<const Type*> type = typeNamed(e, i, i.operands[0]);
  if (!type) return type.takeError();
  llvm::Expected<Pointer> pointer = e.pointer(i.operands[1]);
  if (!pointer) return pointer.takeError();
  pointer = seenAs(*pointer, *type);
  if constexpr (kHasElement) {
    if (Error error = movePointer(e, *pointer, i.operands[1], i.operands[2])) return error;
  }
  if (Error error = walk(e, i, *pointer, kHasElement ? 3 : 2)) return error;
  e.setPointer(i, *pointer);
  return Error::success();
}

// Into a buffer by bytes, as Direct3D addresses its structured and raw buffers. The address is
// computed in 64 bits, in which nothing overflows. Without robustness operands the pipeline's rules
// hold, as for any pointer; with them bounds are tested whatever the pipeline asks for. That an
// element is out of bounds "by Stride times Index" is left to the test of the access as a whole:
// it is stricter only for an element that the end of the buffer cuts in two, where the
// specification lets all of the element count as inside or outside.
Error emitRawAccessChain(Emission& e, const Instruction& i) {
  llvm::Expected<Pointer> pointer = e.pointer(i.operands[0]);
  if (!pointer) return pointer.takeError();
  if (pointer->storage != i.type->storage)
    return malformed(e.module.describe(i) + ": a base in another storage class than the result");
  // Of an array of blocks: into the first.
  if (pointer->binding != nullptr) e.selectDescriptor(*pointer, nullptr);
  const Constant* stride = e.module.constant(i.operands[1]);
  if (stride == nullptr || stride->leaves.size() != 1)
    return malformed(e.module.describe(i) + ": a stride that is not a constant");
  const uint64_t strides[] = {stride->leaves[0], 1};
  for (size_t k = 0; k < 2; ++k) {
    llvm::Expected<Value> count = e.value(i.operands[2 + k]);
    if (!count) return count.takeError();
    e.advance(*pointer, count->leaves[0], false, strides[k]);
  }
  *pointer = seenAs(*pointer, i.type->element);
  const auto robustness =
      static_cast<spv::RawAccessChainOperandsMask>(i.operands.size() > 4 ? i.operands[4] : 0);
  if (robustness != spv::RawAccessChainOperandsMask::MaskNone) {
    pointer->size = pointer->range;
    pointer->may_leave = pointer->may_be_null = true;
  }
  pointer->check_leaves = robustness == spv::RawAccessChainOperandsMask::RobustnessPerComponentNV;
  pointer->is_volatile |= e.module.decorated(i.result).is_volatile;
  e.setPointer(i, *pointer);
  return Error::success();
}

Error emitLengthOf(Emission& e, const Instruction& i, const Type& block, Id pointer_id,
                   uint32_t m) {
  llvm::Expected<Pointer> pointer = e.pointer(pointer_id);
  if (!pointer) return pointer.takeError();
  if (block.kind != TypeKind::Struct || m >= block.members.size() || pointer->range == nullptr)
    return e.unsupportedAt(i, "the length of an array that is not in a storage buffer");
  const Member& member = block.members[m];
  auto& ir = e.ir;
  llvm::Value* range = pointer->range;
  // A buffer smaller than what lies before the array has no elements.
  llvm::Value* bytes =
      ir.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, range, integerLike(range, member.offset));
  const uint64_t stride = std::max<uint64_t>(elementStride(member.type, true), 1);
  llvm::Value* length = ir.CreateUDiv(bytes, integerLike(bytes, stride));
  e.setValue(i,
             Value{i.type, {ir.CreateZExtOrTrunc(length, shapedLike(length, e.leafType(i.type)))}});
  return Error::success();
}

Error emitArrayLength(Emission& e, const Instruction& i) {
  const Type* pointer = e.typeOf(i.operands[0]);
  if (pointer == nullptr || pointer->kind != TypeKind::Pointer)
    return malformed(e.module.describe(i) + ": not a pointer");
  return emitLengthOf(e, i, *pointer->element, i.operands[0], i.operands[1]);
}

Error emitUntypedArrayLength(Emission& e, const Instruction& i) {
  llvm::Expected<const Type*> block = typeNamed(e, i, i.operands[0]);
  if (!block) return block.takeError();
  return emitLengthOf(e, i, **block, i.operands[1], i.operands[2]);
}

llvm::Expected<llvm::Value*> addressOf(Emission& e, Id id) {
  llvm::Expected<Pointer> pointer = e.pointer(id);
  if (!pointer) return pointer.takeError();
  return e.address(*pointer);
}

// Both operands' addresses, uniform or varying alike.
llvm::Expected<std::pair<llvm::Value*, llvm::Value*>> addresses(Emission& e, const Instruction& i) {
  llvm::Expected<llvm::Value*> a = addressOf(e, i.operands[0]);
  if (!a) return a.takeError();
  llvm::Expected<llvm::Value*> b = addressOf(e, i.operands[1]);
  if (!b) return b.takeError();
  e.simt.unify(*a, *b);
  return std::pair{*a, *b};
}

template <llvm::CmpInst::Predicate P>
Error emitPtrCompare(Emission& e, const Instruction& i) {
  auto operands = addresses(e, i);
  if (!operands) return operands.takeError();
  e.setValue(i, Value{i.type, {e.ir.CreateICmp(P, operands->first, operands->second)}});
  return Error::success();
}

Error emitPtrDiff(Emission& e, const Instruction& i) {
  const Type* pointer = e.typeOf(i.operands[0]);
  if (pointer == nullptr || pointer->kind != TypeKind::Pointer)
    return malformed(e.module.describe(i) + ": not a pointer");
  const bool explicit_layout = e.hasExplicitLayout(pointer->storage);
  const uint64_t stride =
      std::max<uint64_t>(pointerStride(pointer, *pointer->element, explicit_layout), 1);
  auto operands = addresses(e, i);
  if (!operands) return operands.takeError();
  llvm::Value* bytes = e.ir.CreateSub(operands->first, operands->second);
  // Pointers into different arrays need not be a whole number of elements apart.
  llvm::Value* elements = e.ir.CreateSDiv(bytes, integerLike(bytes, stride));
  llvm::Type* type = shapedLike(elements, e.leafType(i.type));
  e.setValue(i, Value{i.type, {e.ir.CreateSExtOrTrunc(elements, type)}});
  return Error::success();
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpLoad, emitLoad},
    {spv::Op::OpStore, emitStore},
    {spv::Op::OpLifetimeStart, emitLifetimeStart},
    {spv::Op::OpCopyMemory, emitCopyMemory},
    {spv::Op::OpCopyMemorySized, emitCopyMemorySized},
    {spv::Op::OpAccessChain, emitAccessChain<false>},
    {spv::Op::OpInBoundsAccessChain, emitAccessChain<false>},
    {spv::Op::OpPtrAccessChain, emitAccessChain<true>},
    {spv::Op::OpInBoundsPtrAccessChain, emitAccessChain<true>},
    {spv::Op::OpUntypedAccessChainKHR, emitUntypedAccessChain<false>},
    {spv::Op::OpUntypedInBoundsAccessChainKHR, emitUntypedAccessChain<false>},
    {spv::Op::OpUntypedPtrAccessChainKHR, emitUntypedAccessChain<true>},
    {spv::Op::OpUntypedInBoundsPtrAccessChainKHR, emitUntypedAccessChain<true>},
    {spv::Op::OpRawAccessChainNV, emitRawAccessChain},
    {spv::Op::OpArrayLength, emitArrayLength},
    {spv::Op::OpUntypedArrayLengthKHR, emitUntypedArrayLength},
    {spv::Op::OpPtrEqual, emitPtrCompare<llvm::CmpInst::ICMP_EQ>},
    {spv::Op::OpPtrNotEqual, emitPtrCompare<llvm::CmpInst::ICMP_NE>},
    {spv::Op::OpPtrDiff, emitPtrDiff},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> memoryOps() { return kRows; }

}  // namespace jit::spirv
