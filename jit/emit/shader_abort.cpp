// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/shader_abort.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include <cstring>

#include "jit/emit/check_site.h"
#include "jit/emit/leafwise.h"
#include "jit/ir/symbols.h"
#include "jit/spirv/memory_layout.h"
#include "runtime/kernel_library/shader_abort.h"

namespace jit::spirv {

namespace {

using llvm::Error;

// A scalar's bits as i64, or vector of it.
llvm::Value* bitsOf(Emission& e, llvm::Value* leaf) {
  if (leaf->getType()->isPtrOrPtrVectorTy())
    return e.ir.CreatePtrToInt(leaf, shapedLike(leaf, e.ir.getInt64Ty()));
  if (!leaf->getType()->getScalarType()->isIntegerTy())
    leaf = e.ir.CreateBitCast(leaf, integerTypeLike(leaf));
  return e.ir.CreateZExt(leaf, shapedLike(leaf, e.ir.getInt64Ty()));
}

struct MessagePart {
  uint64_t offset, bytes;
  llvm::Value* value;  // i64, or vector of it
};

llvm::Value* writeParts(Emission& e, llvm::ArrayRef<MessagePart> parts) {
  auto& ir = e.ir;
  using Part = rt::AbortPart;
  auto* type =
      llvm::ArrayType::get(ir.getInt64Ty(), sizeof(Part) / 8 * std::max<size_t>(parts.size(), 1));
  llvm::Value* all = e.allocate(type, "abort.parts");
  for (size_t k = 0; k < parts.size(); ++k) {
    llvm::Value* slot = e.allocate(parts[k].value->getType(), "abort.value");
    ir.CreateAlignedStore(parts[k].value, slot, llvm::Align(8));
    auto put = [&](size_t offset, llvm::Value* value) {
      ir.CreateAlignedStore(value,
                            ir.CreateConstGEP1_64(ir.getInt8Ty(), all, k * sizeof(Part) + offset),
                            llvm::Align(8));
    };
    put(offsetof(Part, offset), ir.getInt64(parts[k].offset));
    put(offsetof(Part, bytes), ir.getInt64(parts[k].bytes));
    put(offsetof(Part, value) + offsetof(rt::LaneNumbers, values), slot);
    put(offsetof(Part, value) + offsetof(rt::LaneNumbers, step),
        ir.getInt64(e.simt.isVarying(parts[k].value) ? 1 : 0));
  }
  return all;
}

}  // namespace

Error emitAbort(Emission& e, const Instruction& i) {
  auto& ir = e.ir;
  auto type = e.module.types.find(i.operands[0]);
  llvm::Expected<Value> message = e.value(i.operands[1]);
  if (!message) return message.takeError();
  if (type == e.module.types.end())
    return malformed(e.module.describe(i) + ": the message has no type");
  llvm::SmallVector<LeafLayout, 16> leaves;
  leafLayouts(type->second.get(), 0, true, {}, 0, leaves);
  if (leaves.size() != message->leaves.size())
    return malformed(e.module.describe(i) + ": the message is not of its type");
  const uint64_t size = explicitSize(type->second.get());
  if (size > rt::kMaxAbortMessageBytes)
    return e.unsupportedAt(i, "a message of " + std::to_string(size) + " bytes; at most " +
                                  std::to_string(rt::kMaxAbortMessageBytes) + " are supported");
  std::vector<uint8_t> constants(size, 0);
  llvm::SmallVector<MessagePart, 16> parts;
  for (size_t k = 0; k < leaves.size(); ++k) {
    const uint64_t bytes = leafBytes(leaves[k].type);
    llvm::Value* leaf = message->leaves[k];
    if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(leaf);
        number != nullptr && leaves[k].offset + bytes <= size) {
      const uint64_t value = number->getZExtValue();
      std::memcpy(constants.data() + leaves[k].offset, &value, std::min<uint64_t>(bytes, 8));
      continue;
    }
    parts.push_back({leaves[k].offset, std::min<uint64_t>(bytes, 8), bitsOf(e, leaf)});
  }
  DebugValues(e).stop();
  auto* data = llvm::ConstantDataArray::get(e.context, constants);
  auto* global = new llvm::GlobalVariable(e.output(), data->getType(), true,
                                          llvm::GlobalValue::PrivateLinkage, data, "abort.message");
  llvm::Type *ptr = ir.getPtrTy(), *i64 = ir.getInt64Ty();
  ir.CreateCall(
      runtimeFunction(e.output(), "tessera.shader_abort", ir.getVoidTy(),
                      {ptr, ptr, ptr, ptr, i64, ptr, i64}, llvm::MemoryEffects::unknown()),
      {e.dispatch_args, checkSite(e, 0), writeLiveLanes(e), global, ir.getInt64(size),
       writeParts(e, parts), ir.getInt64(parts.size())});
  return Error::success();
}

Error emitDebugBreak(Emission& e, const Instruction& i) {
  constexpr uint32_t kDebugBreak = 1;  // the only instruction of the set
  if (i.operands[1] != kDebugBreak)
    return e.unsupportedAt(
        i, "instruction " + std::to_string(i.operands[1]) + " of NonSemantic.DebugBreak");
  DebugValues(e).stop();
  if (!e.request.checks.has(rt::Check::Assert)) return Error::success();
  auto& ir = e.ir;
  llvm::Type* ptr = ir.getPtrTy();
  ir.CreateCall(runtimeFunction(e.output(), "tessera.debug_break", ir.getVoidTy(), {ptr, ptr, ptr},
                                llvm::MemoryEffects::unknown()),
                {e.dispatch_args, checkSite(e, 0), writeLiveLanes(e)});
  return Error::success();
}

}  // namespace jit::spirv
