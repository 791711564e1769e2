// SPDX-License-Identifier: Apache-2.0

// Variables: where each lives, and what is in it at the start.
#include <llvm/IR/MDBuilder.h>
#include <llvm/Support/MathExtras.h>

#include "jit/emit/leafwise.h"
#include "jit/emit/memory_check.h"
#include "jit/emit/shadow_layout.h"
#include "jit/simt/lane_loop.h"
#include "jit/spirv/constant_tables.h"
#include "jit/spirv/types.h"
#include "runtime/kernel_abi.h"

namespace jit::spirv {

namespace {

// Variables up to this many bytes for a subgroup go on the stack, where they can become
// registers; larger ones into the kernel's frame.
constexpr uint64_t kMaxStackBytes = 16384;
constexpr size_t kMaxZeroStores = 64;  // of a null initialiser; a larger one is one memset

// Of Workgroup variables: a cache line.
constexpr uint64_t kSharedAlignment = rt::kWorkgroupMemoryAlignment;

bool isZero(const Constant& constant) {
  return llvm::all_of(constant.leaves, [](uint64_t leaf) { return leaf == 0; });
}

bool isBlock(const Type& type) { return type.kind == TypeKind::Struct && type.block; }

// Whether descriptors of this kind are what a variable is declared as (Vulkan Specification,
// "Shader Resource and Descriptor Type Correspondence").
bool corresponds(const Variable& variable, DescriptorKind kind) {
  const Type* block = variable.type->element;
  while (block->kind == TypeKind::Array || block->kind == TypeKind::RuntimeArray)
    block = block->element;
  const bool storage = variable.storage == spv::StorageClass::StorageBuffer || block->buffer_block;
  return storage == (kind == DescriptorKind::StorageBuffer);
}

}  // namespace

llvm::AllocaInst* Emission::zeroSlot() {
  if (scratch_.zero_slot == nullptr) {
    scratch_.zero_slot = allocate(ir.getInt64Ty(), "zero");
    llvm::IRBuilder<>(entry_block_->getTerminator())
        .CreateStore(ir.getInt64(0), scratch_.zero_slot);
  }
  return scratch_.zero_slot;
}

llvm::AllocaInst* Emission::dropSlot() {
  if (scratch_.drop_slot == nullptr) scratch_.drop_slot = allocate(ir.getInt64Ty(), "drop");
  return scratch_.drop_slot;
}

llvm::Value* Emission::variableSize(uint64_t bytes) {
  return request.robust_variables ? ir.getInt64(bytes) : nullptr;
}

// The descriptor's address and size, read once at the start: loads of what does not change while
// the dispatch runs.
llvm::Expected<Pointer> Emission::resourcePointer(const Variable& variable) {
  const auto& decorations = module.decorated(variable.id);
  if (!decorations.set || !decorations.binding)
    return malformed(module.describe(variable.id) + ": a resource without set and binding");
  const BindingLayout* layout = nullptr;
  for (const BindingLayout& b : request.bindings)
    if (b.set == *decorations.set && b.binding == *decorations.binding) layout = &b;
  // An error only for code that uses it (Vulkan Specification, "Pipeline Layouts").
  const std::string named = "binding " + std::to_string(*decorations.binding) + " in set " +
                            std::to_string(*decorations.set);
  auto missing = [&](const std::string& reason) {
    missing_[variable.id] = module.describe(variable.id) + ": the pipeline layout has " + reason;
    return Pointer{};
  };
  if (layout == nullptr || layout->set >= rt::kMaxDescriptorSets) return missing("no " + named);
  if (!corresponds(variable, layout->kind)) return missing("another descriptor type for " + named);
  Pointer p;
  p.pointee = variable.type->element;
  const uint32_t elements = layout->kind == DescriptorKind::InlineUniformBlock ? 1 : layout->count;
  if (p.pointee->kind == TypeKind::Array && p.pointee->count > elements)
    return missing(std::to_string(elements) + " descriptors for " + named +
                   ", which is declared with " + std::to_string(p.pointee->count));
  p.storage = variable.storage;
  p.explicit_layout = true;
  p.is_volatile = decorations.is_volatile;
  p.base = nullptr;
  p.offset = ir.getInt64(0);
  p.binding = layout;
  if (layout->kind == DescriptorKind::InlineUniformBlock) return inlineUniformBlock(p);
  if (p.pointee->kind != TypeKind::Array && p.pointee->kind != TypeKind::RuntimeArray)
    selectDescriptor(p, nullptr);
  return p;
}

// An inline uniform block lies in the set itself.
Pointer Emission::inlineUniformBlock(Pointer p) {
  llvm::Value* set = descriptorMemory(p.binding->set);
  p.base = ir.CreateConstGEP1_64(ir.getInt8Ty(), set, p.binding->offset);
  p.range = ir.getInt64(p.binding->count);
  p.size = request.robust_uniform_buffers ? p.range : nullptr;
  p.binding = nullptr;
  return p;
}

// What the dispatch passes does not change while it runs.
llvm::Value* Emission::descriptorMemory(uint32_t set) {
  kernel_.used_sets |= 1u << set;
  auto* load = ir.CreateAlignedLoad(
      llvm::PointerType::get(context, 0),
      ir.CreateConstGEP1_64(ir.getInt8Ty(), dispatch_args,
                            offsetof(rt::DispatchArgs, sets) + set * sizeof(void*)),
      llvm::Align(8));
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
  return load;
}

// Elements past a set's own count (VARIABLE_DESCRIPTOR_COUNT) are null descriptors, for which the
// layout's count leaves room.
llvm::Value* Emission::boundDescriptor(const BindingLayout& layout, llvm::Value*& element) {
  if (!request.robust_variables) return nullptr;
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(element);
      constant != nullptr && constant->getValue().ult(layout.count))
    return nullptr;
  llvm::Value* inside = ir.CreateICmpULT(element, integerLike(element, layout.count));
  element = ir.CreateSelect(inside, element, integerLike(element, 0));
  return inside;
}

// Turns a pointer to a binding into one to the buffer of its `index`-th descriptor (null: 0). Past
// the end of the array there is a null descriptor: an empty range.
void Emission::selectDescriptor(Pointer& p, llvm::Value* index) {
  const BindingLayout& layout = *p.binding;
  auto* ptr = llvm::PointerType::get(context, 0);
  auto* invariant = llvm::MDNode::get(context, {});
  auto read = [&](llvm::Type* type, llvm::Value* at) -> llvm::Value* {
    if (simt.isVarying(at))
      return ir.CreateMaskedGather(simt.vectorOf(type), at, llvm::Align(4), simt.fullMask(),
                                   llvm::Constant::getNullValue(simt.vectorOf(type)));
    auto* load = ir.CreateAlignedLoad(type, at, llvm::Align(type->isIntegerTy(32) ? 4 : 8));
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, invariant);
    return load;
  };
  llvm::Value* set = descriptorMemory(layout.set);
  llvm::Value* element = index == nullptr ? ir.getInt64(0) : index;
  auto* wide = simt.isVarying(element) ? static_cast<llvm::Type*>(simt.vectorOf(ir.getInt64Ty()))
                                       : static_cast<llvm::Type*>(ir.getInt64Ty());
  element = ir.CreateZExtOrTrunc(element, wide);
  llvm::Value* inside = boundDescriptor(layout, element);
  llvm::Value* at = ir.CreateGEP(
      ir.getInt8Ty(), set,
      ir.CreateAdd(
          ir.CreateMul(element, llvm::ConstantInt::get(wide, sizeof(rt::BufferDescriptor))),
          llvm::ConstantInt::get(wide, layout.offset)));
  p.base = read(ptr, at);
  llvm::Value* size_at = ir.CreateGEP(
      ir.getInt8Ty(), at, llvm::ConstantInt::get(wide, offsetof(rt::BufferDescriptor, size)));
  p.range = read(ir.getInt64Ty(), size_at);
  // No buffer has 2^63 bytes, so that tests of bounds do not overflow.
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(p.range))
    load->setMetadata(llvm::LLVMContext::MD_range,
                      llvm::MDBuilder(context).createRange(llvm::APInt(64, 0),
                                                           llvm::APInt::getSignedMinValue(64)));
  if (inside != nullptr) p.range = ir.CreateSelect(inside, p.range, integerLike(p.range, 0));
  if (layout.dynamic_index >= 0) {
    llvm::Value* dynamic = read(
        ir.getInt32Ty(),
        ir.CreateGEP(ir.getInt8Ty(), dispatch_args,
                     ir.CreateAdd(ir.CreateMul(element, llvm::ConstantInt::get(wide, 4)),
                                  llvm::ConstantInt::get(
                                      wide, offsetof(rt::DispatchArgs, dynamic_offsets) +
                                                4 * static_cast<uint32_t>(layout.dynamic_index)))));
    p.base = ir.CreateGEP(ir.getInt8Ty(), p.base, ir.CreateZExt(dynamic, wide));
  }
  const bool is_uniform =
      p.storage == spv::StorageClass::Uniform && layout.kind == DescriptorKind::UniformBuffer;
  const bool robust = is_uniform ? request.robust_uniform_buffers : request.robust_storage_buffers;
  p.may_leave =
      is_uniform ? !request.memory_check.uniform_buffers : !request.memory_check.storage_buffers;
  p.is_storage = !is_uniform;
  p.may_be_null = !request.memory_check.null_descriptors;
  p.size = robust || inside != nullptr ? MemoryCheck(*this).accessibleRange(p) : nullptr;
  p.binding = nullptr;
}

llvm::Error Emission::emitVariable(const Variable& v) {
  types_[v.id] = v.type;
  const Type* type = v.type->element;
  auto keep = [&](Pointer p) {
    p.variable = v.id;
    p.is_read_only = module.decorated(v.id).non_writable;
    pointers_[v.id] = std::move(p);
  };
  switch (v.storage) {
    case spv::StorageClass::Function:
    case spv::StorageClass::Private: {
      Pointer p;
      p.pointee = type;
      p.storage = v.storage;
      p.offset = ir.getInt64(0);
      p.size = variableSize(type->naturalSize());
      if (isConstantTable(module, v)) {
        p.base = constantTable(*module.constant(v.initializer), v.initializer, *kernel_.module);
        keep(p);
        return llvm::Error::success();
      }
      // What only one region accesses is a subgroup's, one for all of them if it is made anew.
      const auto own = own_variables_.find(v.id);
      const bool is_own = own != own_variables_.end();
      const uint32_t subgroups = stream_.width / subgroup_size;
      const auto& uniformity = is_own ? *plan_.subgroup_uniformity : *stream_.uniformity;
      p.interleaved = uniformity.variable(v.id) == simt::Uniformity::Varying;
      if (p.interleaved) p.lanes = is_own ? subgroup_size : stream_.width;
      if (!p.interleaved && holdsMatrix(type, spv::Scope::Subgroup)) p.copies = subgroups;
      const uint64_t bytes = llvm::alignTo(type->naturalSize(), 8) * p.lanes * p.copies *
                             (is_own && !own->second ? subgroups : 1);
      if (bytes > (uint64_t{1} << 24))
        return unsupported(module.describe(v.id) + ": a variable of " + std::to_string(bytes) +
                           " bytes " + (subgroups > 1 ? "a workgroup" : "a subgroup"));
      // Debuggers find it where it is, as its values are not said (spirv/debug_variables.h).
      const bool is_shown = debug.is_on && module.debug.in_memory.contains(v.id);
      const uint64_t most = kMaxStackBytes * (is_own && own->second ? 1 : subgroups);
      if (!is_shown && (bytes <= most || holdsMatrix(type))) {
        p.base = allocate(llvm::ArrayType::get(ir.getInt8Ty(), bytes), "var" + llvm::Twine(v.id));
      } else {
        const uint64_t offset = allocateInFrame(bytes);
        p.base = ir.CreateConstGEP1_64(ir.getInt8Ty(), frame_pointer, offset);
        if (p.copies == 1) debug.memory[v.id] = {.offset = offset, .lanes = p.lanes};
      }
      if (v.is_shadow) ir.CreateMemSet(p.base, ir.getInt8(0xff), bytes, llvm::Align(8));
      const Constant* constant = module.constant(v.initializer);
      if (constant != nullptr && constant->undef) {
        // Memory of its own would hold `undef` to LLVM; the frame holds something.
        if (llvm::isa<llvm::AllocaInst>(p.base))
          ir.CreateMemSet(p.base, ir.getInt8(0), bytes, llvm::Align(8));
      } else if (constant != nullptr && constant->leaves.size() > kMaxZeroStores &&
                 isZero(*constant) && !holdsMatrix(type)) {
        ir.CreateMemSet(p.base, ir.getInt8(0), bytes, llvm::Align(8));
      } else if (v.initializer != 0) {
        if (type->leaves() > kMaxValueScalars)
          return unsupported(module.describe(v.id) + ": an initializer of " +
                             std::to_string(type->leaves()) + " scalars; at most " +
                             std::to_string(kMaxValueScalars) +
                             " are supported, and any number of zeros");
        llvm::Expected<Value> initial = value(v.initializer);
        if (!initial) return initial.takeError();
        simt.mask = nullptr;
        if (llvm::Error error = store(p, *initial)) return error;
      }
      keep(p);
      return llvm::Error::success();
    }
    case spv::StorageClass::Workgroup: {
      Pointer p;
      p.pointee = type;
      p.storage = v.storage;
      p.offset = ir.getInt64(0);
      p.explicit_layout = isBlock(*type);
      const bool aliased = p.explicit_layout && module.decorated(v.id).aliased;
      const uint64_t start = aliased ? 0 : llvm::alignTo(kernel_.shared_bytes, kSharedAlignment);
      const uint64_t bytes = p.explicit_layout ? explicitSize(type) : type->naturalSize();
      const uint64_t end = start + bytes;
      uint32_t& declared = kernel_.declared_shared_bytes;
      const uint64_t all = aliased ? std::max<uint64_t>(declared, bytes)
                                   : llvm::alignTo(declared, type->naturalAlignment()) + bytes;
      if (all > kMaxSharedBytes)
        return unsupported(module.describe(v.id) + ": Workgroup memory of " + std::to_string(all) +
                           " bytes; at most " + std::to_string(kMaxSharedBytes) + " are supported");
      declared = static_cast<uint32_t>(all);
      p.base = ir.CreateConstGEP1_64(ir.getInt8Ty(), shared, start);
      debug.memory[v.id] = {.offset = start, .lanes = 1};
      p.size = variableSize(bytes);
      kernel_.shared_bytes = std::max(kernel_.shared_bytes, static_cast<uint32_t>(end));
      if (v.initializer != 0) {
        if (!isZero(*module.constant(v.initializer)))
          return unsupported(module.describe(v.id) +
                             ": Workgroup memory is initialised with OpConstantNull or not at all");
        zeroed_.push_back({start, end});
      }
      keep(p);
      return llvm::Error::success();
    }
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer: {
      llvm::Expected<Pointer> p = resourcePointer(v);
      if (!p) return p.takeError();
      if (p->pointee != nullptr) keep(*p);
      return llvm::Error::success();
    }
    case spv::StorageClass::PushConstant: {
      Pointer p;
      p.pointee = type;
      p.storage = v.storage;
      p.explicit_layout = true;
      p.base = ir.CreateConstGEP1_64(ir.getInt8Ty(), dispatch_args,
                                     offsetof(rt::DispatchArgs, push_constants));
      p.offset = ir.getInt64(0);
      p.size = variableSize(std::min<uint64_t>(explicitSize(type), rt::kMaxPushConstantBytes));
      keep(p);
      return llvm::Error::success();
    }
    case spv::StorageClass::Input: {
      Pointer p;
      p.pointee = type;
      p.storage = v.storage;
      p.offset = ir.getInt64(0);
      p.builtin_variable = v.id;
      keep(p);
      return llvm::Error::success();
    }
    default:
      return unsupported(module.describe(v.id) + ": a variable in this storage class");
  }
}

uint64_t workgroupShadowDistance(const Module& module) {
  uint64_t bytes = 0;
  for (const Variable& v : module.variables) {
    if (v.storage != spv::StorageClass::Workgroup) continue;
    const Type* type = v.type->element;
    bytes +=
        llvm::alignTo(isBlock(*type) ? explicitSize(type) : type->naturalSize(), kSharedAlignment);
  }
  return bytes;
}

// Null initialisers of Workgroup variables. Stream 0 runs first, up to its first barrier.
void Emission::zeroWorkgroupMemory() {
  // Shadows lie behind all of it (ops_shadow.cpp).
  const uint32_t bytes = kernel_.shared_bytes;
  const bool has_shadow = request.checks.has(rt::Check::Uninit) && bytes != 0;
  const uint64_t distance = has_shadow ? workgroupShadowDistance(module) : 0;
  kernel_.shared_bytes += static_cast<uint32_t>(distance);
  if (zeroed_.empty() && !has_shadow) return;
  auto zero = [&] {
    if (has_shadow)
      ir.CreateMemSet(ir.CreateConstGEP1_64(ir.getInt8Ty(), shared, distance), ir.getInt8(0xff),
                      bytes, llvm::Align(kSharedAlignment));
    llvm::sort(zeroed_);
    for (size_t i = 0; i < zeroed_.size();) {
      // What lies between two variables is no other's.
      auto [begin, end] = zeroed_[i];
      for (++i; i < zeroed_.size() && zeroed_[i].first <= llvm::alignTo(end, kSharedAlignment); ++i)
        end = std::max(end, zeroed_[i].second);
      ir.CreateMemSet(ir.CreateConstGEP1_64(ir.getInt8Ty(), shared, begin), ir.getInt8(0),
                      end - begin, llvm::Align(kSharedAlignment));
      if (has_shadow)
        ir.CreateMemSet(ir.CreateConstGEP1_64(ir.getInt8Ty(), shared, distance + begin),
                        ir.getInt8(0), end - begin, llvm::Align(kSharedAlignment));
    }
  };
  if (stream_.count == 1)
    zero();
  else
    simt::ifHolds(simt, ir.CreateICmpEQ(stream_.number, ir.getInt32(0)), zero);
}

// Aliased blocks (SPV_KHR_workgroup_memory_explicit_layout) are views of one memory, at the start;
// other variables come behind it.
void Emission::shareAliasedWorkgroupMemory() {
  for (const Variable& v : module.variables) {
    if (v.storage != spv::StorageClass::Workgroup || !isBlock(*v.type->element)) continue;
    explicit_workgroup_ = true;
    if (module.decorated(v.id).aliased)
      kernel_.shared_bytes =
          std::max(kernel_.shared_bytes, static_cast<uint32_t>(std::min<uint64_t>(
                                             explicitSize(v.type->element), kMaxSharedBytes)));
  }
}

llvm::Error Emission::emitVariables() {
  shareAliasedWorkgroupMemory();
  for (const simt::SubgroupRegion& region : plan_.regions)
    for (Id id : region.variables) own_variables_[id] = region.fresh.count(id) != 0;
  for (const Variable& v : module.variables)
    if (llvm::Error error = emitVariable(v)) return error;
  for (const Variable& v : module.entry.variables)
    if (llvm::Error error = emitVariable(v)) return error;
  zeroWorkgroupMemory();
  return llvm::Error::success();
}

}  // namespace jit::spirv
