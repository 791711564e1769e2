// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/check_site.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/MDBuilder.h>

#include <cstddef>

#include "jit/emit/leafwise.h"
#include "jit/ir/symbols.h"
#include "jit/spirv/spelling.h"
#include "runtime/check/finding.h"

namespace jit::spirv {

namespace {

llvm::Value* asNumber(Emission& e, llvm::Value* v) {
  return v->getType()->isPtrOrPtrVectorTy()
             ? e.ir.CreatePtrToInt(v, shapedLike(v, e.ir.getInt64Ty()))
             : v;
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

llvm::Constant* checkSite(Emission& e, Id variable, llvm::StringRef called) {
  return checkSite(e, *e.instruction(), variable, called);
}

llvm::Constant* checkSite(Emission& e, const Instruction& instruction, Id variable,
                          llvm::StringRef called) {
  const Module& module = e.module;
  rt::CheckSite site;
  site.shader = e.request.name;
  site.instruction = called.empty() ? spell(instruction.op) : called.str();
  site.word = instruction.word;
  site.object = objectOf(e, variable);
  site.workgroup_size = module.workgroup_size;
  site.subgroup_size = e.subgroup_size;
  std::string entry = module.functionName(module.entry.id);
  if (entry.empty()) entry = module.entry_name;
  for (Location at = instruction.location; at.line != 0;) {
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
  auto* text = llvm::ConstantDataArray::getString(e.context, rt::describeSite(site));
  auto* global = new llvm::GlobalVariable(e.output(), text->getType(), true,
                                          llvm::GlobalValue::PrivateLinkage, text, "site");
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return global;
}

llvm::Value* checkSlot(Emission& e, llvm::Type* type, unsigned number) {
  constexpr unsigned kFirst = 1000;  // after those of the instruction itself
  return e.laneSlot(type, kFirst + number);
}

llvm::Value* writeLaneCheck(Emission& e, const LaneCheck& check) {
  auto& ir = e.ir;
  auto& simt = e.simt;
  using Access = rt::CheckedAccess;
  llvm::Value* access = checkSlot(e, llvm::ArrayType::get(ir.getInt8Ty(), sizeof(Access)), 0);
  auto put = [&](size_t offset, llvm::Value* value) {
    ir.CreateAlignedStore(value, ir.CreateConstGEP1_64(ir.getInt8Ty(), access, offset),
                          llvm::Align(1));
  };
  auto bytesOfLanes = [&](llvm::Value* lanes, unsigned number) {
    llvm::Value* bytes = ir.CreateZExt(simt.broadcast(lanes), simt.vectorOf(ir.getInt8Ty()));
    llvm::Value* slot = checkSlot(e, bytes->getType(), number);
    ir.CreateAlignedStore(bytes, slot, llvm::Align(1));
    return slot;
  };
  auto putNumbers = [&](size_t offset, llvm::Value* number, unsigned slot_number) {
    number = asNumber(e, number);
    llvm::Value* slot = checkSlot(e, number->getType(), slot_number);
    ir.CreateAlignedStore(number, slot, llvm::Align(8));
    put(offset + offsetof(rt::LaneNumbers, values), slot);
    put(offset + offsetof(rt::LaneNumbers, step), ir.getInt64(simt.isVarying(number) ? 1 : 0));
  };
  llvm::Value* workgroup =
      checkSlot(e, llvm::ArrayType::get(ir.getInt32Ty(), sizeof(rt::CheckedWorkgroup) / 4), 0);
  for (unsigned c = 0; c < 3; ++c)
    ir.CreateAlignedStore(e.workgroup_id[c], ir.CreateConstGEP1_32(ir.getInt32Ty(), workgroup, c),
                          llvm::Align(4));
  ir.CreateAlignedStore(ir.getInt32(rt::kNoSubgroup),
                        ir.CreateConstGEP1_32(ir.getInt32Ty(), workgroup, 3), llvm::Align(4));
  llvm::Value* invocations = simt.broadcast(e.localInvocationIndex());
  llvm::Value* invocation_slot = checkSlot(e, invocations->getType(), 0);
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
  put(offsetof(Access, lanes), ir.getInt32(e.width()));
  put(offsetof(Access, kind), ir.getInt8(static_cast<uint8_t>(check.kind)));
  put(offsetof(Access, memory), ir.getInt8(static_cast<uint8_t>(check.memory)));
  return access;
}

llvm::Value* writeLiveLanes(Emission& e, llvm::Value* within) {
  llvm::Value* zero = e.ir.getInt64(0);
  return writeLaneCheck(e, {.base = zero,
                            .offset = zero,
                            .size = zero,
                            .within = within,
                            .bytes = 0,
                            .alignment = 1,
                            .kind = rt::AccessKind::Load,
                            .memory = rt::AccessedMemory::Buffer});
}

void callCheck(Emission& e, const char* function, const Pointer& p, const LaneCheck& check) {
  auto& ir = e.ir;
  ir.CreateCall(runtimeFunction(e.output(), function, ir.getVoidTy(),
                                {ir.getPtrTy(), ir.getPtrTy(), ir.getPtrTy()},
                                llvm::MemoryEffects::inaccessibleOrArgMemOnly()),
                {e.dispatch_args, checkSite(e, p.variable), writeLaneCheck(e, check)});
}

llvm::BasicBlock* unlessGood(Emission& e, llvm::Value* good, llvm::function_ref<void()> body,
                             llvm::function_ref<void()> if_good) {
  auto& ir = e.ir;
  llvm::BasicBlock* before = ir.GetInsertBlock();
  auto* bad = llvm::BasicBlock::Create(e.context, "check", before->getParent());
  auto* done = llvm::BasicBlock::Create(e.context, "checked", before->getParent());
  auto* fine = if_good ? llvm::BasicBlock::Create(e.context, "good", before->getParent()) : done;
  ir.CreateCondBr(ir.CreateFreeze(good), fine, bad,
                  llvm::MDBuilder(e.context).createLikelyBranchWeights());
  ir.SetInsertPoint(bad);
  body();
  ir.CreateBr(done);
  if (if_good) {
    ir.SetInsertPoint(fine);
    if_good();
    ir.CreateBr(done);
  }
  ir.SetInsertPoint(done);
  return before;
}

llvm::Value* allLive(Emission& e, llvm::Value* inside) {
  if (!e.simt.isVarying(inside)) return inside;
  return e.ir.CreateNot(e.simt.any(e.ir.CreateAnd(e.simt.fullMask(), e.ir.CreateNot(inside))));
}

llvm::Value* checkedSubgroup(Emission& e) {
  return e.isWide() ? e.ir.getInt32(rt::kNoSubgroup) : e.stream().number;
}

}  // namespace jit::spirv
