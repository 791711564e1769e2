// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/check_site.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/MDBuilder.h>

#include <array>
#include <cstddef>

#include "jit/emit/leafwise.h"
#include "jit/ir/helper_function.h"
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

namespace {

// Where in one piece of memory an rt::CheckedAccess lies, and what it points to.
class LaneRecord {
 public:
  // `check`: null where there is no memory that is accessed.
  LaneRecord(Emission& e, const LaneCheck* check, bool has_within)
      : e_(e), has_numbers_(check != nullptr), has_within_(has_within) {
    if (check != nullptr)
      constants_ = {check->bytes, check->alignment, static_cast<uint64_t>(check->kind),
                    static_cast<uint64_t>(check->memory)};
    workgroup = allocate(sizeof(rt::CheckedWorkgroup));
    live = allocate(e.width());
    within = has_within ? allocate(e.width()) : 0;
    invocations = allocate(uint64_t{4} * e.width());
    if (!has_numbers_) return;
    const llvm::Value* of[] = {check->base, check->offset, check->size};
    for (size_t k = 0; k < 3; ++k) {
      varies_[k] = e.simt.isVarying(of[k]);
      numbers[k] = allocate(uint64_t{8} * (varies_[k] ? e.width() : 1));
    }
  }

  uint64_t workgroup, live, within, invocations, numbers[3] = {};

  llvm::Value* memory() const {
    return checkSlot(e_, llvm::ArrayType::get(e_.ir.getInt64Ty(), size_ / 8), 0);
  }

  // Writes what is the same for all accesses like this one of a workgroup: parameters are the
  // memory, and the workgroup's number in x, y and z.
  llvm::Function* writer() const {
    llvm::Type *ptr = e_.ir.getPtrTy(), *i32 = e_.ir.getInt32Ty();
    FunctionKey key(FunctionKind::LaneRecord);
    key.add(e_.width()).add(has_within_ ? 1 : 0).add(has_numbers_ ? 1 : 0);
    for (const bool varies : varies_) key.add(varies ? 1 : 0);
    for (const uint64_t constant : constants_) key.add(constant);
    return ukernel::helperFunction(
        {e_.output(), *e_.ir.GetInsertBlock()->getParent()}, key, {ptr, i32, i32, i32},
        [&](llvm::IRBuilder<>& ir, llvm::Function& function) { write(ir, function); },
        llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Mod));
  }

 private:
  uint64_t allocate(uint64_t bytes) {
    const uint64_t at = size_;
    size_ += llvm::alignTo(bytes, 8);
    return at;
  }

  void write(llvm::IRBuilder<>& ir, llvm::Function& function) const {
    using Access = rt::CheckedAccess;
    llvm::Value* nowhere = llvm::ConstantPointerNull::get(ir.getPtrTy());
    auto at = [&](uint64_t offset) { return ukernel::offsetBy(ir, function.getArg(0), offset); };
    auto put = [&](uint64_t offset, llvm::Value* value) {
      ir.CreateAlignedStore(value, at(offset), llvm::Align(1));
    };
    for (unsigned c = 0; c < 3; ++c)
      put(workgroup + offsetof(rt::CheckedWorkgroup, id) + uint64_t{4} * c, function.getArg(1 + c));
    put(workgroup + offsetof(rt::CheckedWorkgroup, subgroup), ir.getInt32(rt::kNoSubgroup));
    put(offsetof(Access, workgroup), at(workgroup));
    put(offsetof(Access, live), at(live));
    put(offsetof(Access, invocations), at(invocations));
    put(offsetof(Access, within), has_within_ ? at(within) : nowhere);
    constexpr uint64_t kNumbers[] = {offsetof(Access, base), offsetof(Access, offset),
                                     offsetof(Access, size)};
    for (size_t k = 0; k < 3; ++k) {
      put(kNumbers[k] + offsetof(rt::LaneNumbers, values), has_numbers_ ? at(numbers[k]) : nowhere);
      put(kNumbers[k] + offsetof(rt::LaneNumbers, step), ir.getInt64(varies_[k] ? 1 : 0));
    }
    put(offsetof(Access, bytes), ir.getInt64(constants_[0]));
    put(offsetof(Access, alignment), ir.getInt64(constants_[1]));
    put(offsetof(Access, lanes), ir.getInt32(e_.width()));
    put(offsetof(Access, kind), ir.getInt8(static_cast<uint8_t>(constants_[2])));
    put(offsetof(Access, memory), ir.getInt8(static_cast<uint8_t>(constants_[3])));
  }

  Emission& e_;
  const bool has_numbers_, has_within_;
  std::array<uint64_t, 4> constants_ = {};  // bytes, alignment, kind and memory
  bool varies_[3] = {};
  uint64_t size_ = llvm::alignTo(sizeof(rt::CheckedAccess), 8);
};

// Most of it is the same each time, and there may be hundreds of checks in a kernel: that is a
// call.
llvm::Value* writeRecord(Emission& e, const LaneCheck* check, llvm::Value* within_lanes) {
  auto& ir = e.ir;
  auto& simt = e.simt;
  const LaneRecord record(e, check, within_lanes != nullptr);
  llvm::Value* memory = record.memory();
  auto put = [&](uint64_t offset, llvm::Value* value) {
    ir.CreateAlignedStore(value, ukernel::offsetBy(ir, memory, offset), llvm::Align(1));
  };
  auto putLanes = [&](uint64_t offset, llvm::Value* lanes) {
    put(offset, ir.CreateZExt(simt.broadcast(lanes), simt.vectorOf(ir.getInt8Ty())));
  };
  putLanes(record.live, simt.fullMask());
  if (within_lanes != nullptr) putLanes(record.within, within_lanes);
  put(record.invocations, simt.broadcast(e.localInvocationIndex()));
  if (check != nullptr) {
    put(record.numbers[0], asNumber(e, check->base));
    put(record.numbers[1], asNumber(e, check->offset));
    put(record.numbers[2], asNumber(e, check->size));
  }
  ir.CreateCall(record.writer(), {memory, e.workgroup_id[0], e.workgroup_id[1], e.workgroup_id[2]});
  return memory;
}

}  // namespace

llvm::Value* writeLaneCheck(Emission& e, const LaneCheck& check) {
  return writeRecord(e, &check, check.within);
}

llvm::Value* writeLiveLanes(Emission& e, llvm::Value* within) {
  return writeRecord(e, nullptr, within);
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
