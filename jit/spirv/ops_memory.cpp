// Source: SPIR-V Specification, 3.52.8 "Memory Instructions".
#include "jit/spirv/leafwise.h"

namespace jit::spirv {

namespace {

using llvm::Error;

constexpr uint32_t kVolatile = static_cast<uint32_t>(spv::MemoryAccessMask::Volatile);

bool isVolatile(const Instruction& i, size_t operand) {
  return i.operands.size() > operand && (i.operands[operand] & kVolatile) != 0;
}

Error emitLoad(Emission& e, const Instruction& i) {
  llvm::Expected<Pointer> pointer = e.pointer(i.operands[0]);
  if (!pointer) return pointer.takeError();
  pointer->is_volatile |= isVolatile(i, 1);
  llvm::Expected<Value> loaded = e.load(*pointer);
  if (!loaded) return loaded.takeError();
  e.setValue(i, Value{i.type, loaded->leaves});
  return Error::success();
}

Error emitStore(Emission& e, const Instruction& i) {
  llvm::Expected<Pointer> pointer = e.pointer(i.operands[0]);
  if (!pointer) return pointer.takeError();
  pointer->is_volatile |= isVolatile(i, 2);
  llvm::Expected<Value> stored = e.value(i.operands[1]);
  if (!stored) return stored.takeError();
  return e.store(*pointer, *stored);
}

Error emitCopyMemory(Emission& e, const Instruction& i) {
  llvm::Expected<Pointer> target = e.pointer(i.operands[0]);
  if (!target) return target.takeError();
  llvm::Expected<Pointer> source = e.pointer(i.operands[1]);
  if (!source) return source.takeError();
  llvm::Expected<Value> loaded = e.load(*source);
  if (!loaded) return loaded.takeError();
  return e.store(*target, *loaded);
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

Error emitAccessChain(Emission& e, const Instruction& i) {
  llvm::Expected<Pointer> pointer = e.pointer(i.operands[0]);
  if (!pointer) return pointer.takeError();
  if (Error error = walk(e, i, *pointer, 1)) return error;
  e.setPointer(i, *pointer);
  return Error::success();
}

Error emitPtrAccessChain(Emission& e, const Instruction& i) {
  llvm::Expected<Pointer> pointer = e.pointer(i.operands[0]);
  if (!pointer) return pointer.takeError();
  llvm::Expected<Value> element = e.value(i.operands[1]);
  if (!element) return element.takeError();
  const Type* base = e.typeOf(i.operands[0]);
  uint64_t stride = base != nullptr && base->array_stride != 0 ? base->array_stride
                                                               : pointer->pointee->naturalSize();
  e.advance(*pointer, element->leaves[0], element->type->is_signed, stride);
  if (Error error = walk(e, i, *pointer, 2)) return error;
  e.setPointer(i, *pointer);
  return Error::success();
}

Error emitArrayLength(Emission& e, const Instruction& i) {
  llvm::Expected<Pointer> pointer = e.pointer(i.operands[0]);
  if (!pointer) return pointer.takeError();
  const Type* block = pointer->pointee;
  const uint32_t m = i.operands[1];
  if (block->kind != TypeKind::Struct || m >= block->members.size() || pointer->range == nullptr)
    return e.unsupportedAt(i, "the length of an array that is not in a storage buffer");
  const Member& member = block->members[m];
  auto& ir = e.ir;
  llvm::Value* range = pointer->range;
  llvm::Value* offset = integerLike(range, member.offset);
  // A buffer smaller than what lies before the array has no elements.
  llvm::Value* bytes = e.simt.isVarying(range)
                           ? ir.CreateSelect(ir.CreateICmpUGT(range, offset),
                                             ir.CreateSub(range, offset), integerLike(range, 0))
                           : ir.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, range, offset);
  uint32_t stride = member.type->array_stride != 0
                        ? member.type->array_stride
                        : static_cast<uint32_t>(member.type->element->naturalSize());
  llvm::Value* length = ir.CreateUDiv(bytes, integerLike(bytes, stride));
  e.setValue(i,
             Value{i.type, {ir.CreateZExtOrTrunc(length, shapedLike(length, e.leafType(i.type)))}});
  return Error::success();
}

template <llvm::CmpInst::Predicate P>
Error emitPtrCompare(Emission& e, const Instruction& i) {
  return mapBinary(e, i, [&](auto* a, auto* b) { return e.ir.CreateICmp(P, a, b); });
}

Error emitPtrDiff(Emission& e, const Instruction& i) {
  const Type* pointer = e.typeOf(i.operands[0]);
  if (pointer == nullptr || pointer->kind != TypeKind::Pointer)
    return malformed(e.module.describe(i) + ": not a pointer");
  const uint64_t stride =
      pointer->array_stride != 0 ? pointer->array_stride : pointer->element->naturalSize();
  return mapBinary(e, i, [&](auto* a, auto* b) {
    llvm::Value* bytes = e.ir.CreateSub(a, b);
    llvm::Value* elements = e.ir.CreateSDiv(bytes, integerLike(bytes, stride));
    return e.ir.CreateSExtOrTrunc(elements, shapedLike(elements, e.leafType(i.type)));
  });
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpLoad, emitLoad},
    {spv::Op::OpStore, emitStore},
    {spv::Op::OpCopyMemory, emitCopyMemory},
    {spv::Op::OpAccessChain, emitAccessChain},
    {spv::Op::OpInBoundsAccessChain, emitAccessChain},
    {spv::Op::OpPtrAccessChain, emitPtrAccessChain},
    {spv::Op::OpInBoundsPtrAccessChain, emitPtrAccessChain},
    {spv::Op::OpArrayLength, emitArrayLength},
    {spv::Op::OpPtrEqual, emitPtrCompare<llvm::CmpInst::ICMP_EQ>},
    {spv::Op::OpPtrNotEqual, emitPtrCompare<llvm::CmpInst::ICMP_NE>},
    {spv::Op::OpPtrDiff, emitPtrDiff},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> memoryOps() { return kRows; }

}  // namespace jit::spirv
