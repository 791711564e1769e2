// SPDX-License-Identifier: Apache-2.0

// Debug information of variables: names, types, and where they are.
#include <llvm/BinaryFormat/Dwarf.h>

#include "jit/emit/debug_frame.h"
#include "jit/emit/debug_values.h"
#include "jit/emit/emission.h"
#include "jit/spirv/types.h"
#include "runtime/kernel_abi.h"

namespace jit::spirv {

namespace {

namespace dwarf = llvm::dwarf;
using Kind = DebugLayout::Kind;

// What code of the kernel sees in all functions is declared in each of up to so many calls.
constexpr size_t kMostFunctions = 64;

bool isBlock(const Type& type) { return type.kind == TypeKind::Struct && type.block; }

}  // namespace

void DebugValues::declare(const std::string& name, const Location& at, llvm::DIType* type,
                          llvm::ArrayRef<uint64_t> operations, uint32_t parameter,
                          llvm::AllocaInst* base) {
  llvm::DIBuilder& builder = *state_.locations.builder();
  llvm::DIScope* scope = state_.locations.scopeOf(at);
  llvm::DIFile* file = state_.locations.file(at.file);
  llvm::DILocalVariable* variable =
      parameter != 0
          ? builder.createParameterVariable(llvm::cast<llvm::DILocalScope>(scope)->getSubprogram(),
                                            name, parameter, file, at.line, type, true)
          : builder.createAutoVariable(scope, name, file, at.line, type, true);
  if (base == nullptr) base = state_.frame;
  builder.insertDeclare(base, variable, builder.createExpression(operations),
                        state_.locations.placeOf(at), base->getParent());
}

// The frame's header, and what there is of other streams.
void DebugValues::declareOwn() {
  DebugTypes& types = *state_.types;
  llvm::DIBuilder& builder = *state_.locations.builder();
  auto* word = types.number("uint", 32, dwarf::DW_ATE_unsigned);
  auto* line = types.number("int", 32, dwarf::DW_ATE_signed);
  auto* bits = types.number("uint64_t", 64, dwarf::DW_ATE_unsigned);
  auto* address = builder.createPointerType(nullptr, 64);
  auto* three = types.array(word, 3, 4);
  auto* header =
      types.structure("tessera_frame",
                      {{"dispatch", address, offsetof(DebugFrame, dispatch)},
                       {"shared", address, offsetof(DebugFrame, shared)},
                       {"lane", word, offsetof(DebugFrame, lane)},
                       {"first", word, offsetof(DebugFrame, first)},
                       {"width", word, offsetof(DebugFrame, width)},
                       {"subgroup_size", word, offsetof(DebugFrame, subgroup_size)},
                       {"workgroup", three, offsetof(DebugFrame, workgroup)},
                       {"workgroup_size", three, offsetof(DebugFrame, workgroup_size)},
                       {"stream", word, offsetof(DebugFrame, stream)},
                       {"lanes", word, offsetof(DebugFrame, lanes)},
                       {"line", word, offsetof(DebugFrame, line)},
                       {"live", types.array(bits, std::tuple_size_v<decltype(DebugFrame::live)>, 8),
                        offsetof(DebugFrame, live)}},
                      sizeof(DebugFrame));
  auto* pointer = builder.createPointerType(header, 64);
  auto* stream = types.structure(
      "tessera_stream",
      {{"frame", pointer, offsetof(DebugStream, frame)}, {"at", line, offsetof(DebugStream, at)}},
      sizeof(DebugStream));
  declare("tessera", {}, pointer, {});
  declare("tessera_streams", {}, types.array(stream, e_.stream().count, sizeof(DebugStream)), {}, 0,
          state_.streams);
}

void DebugValues::declareSaid(uint32_t number, const Location& at) {
  const DebugVariable& variable = e_.module.debug.variables[number];
  const uint64_t slot = state_.slots.lookup(number);
  Operations operations{dwarf::DW_OP_deref};
  auto lane = [&] {
    operations.append({dwarf::DW_OP_dup, dwarf::DW_OP_plus_uconst, offsetof(DebugFrame, lane),
                       dwarf::DW_OP_deref_size, 4});
  };
  DebugLayout layout;
  if (holdsMatrix(variable.type)) {
    const Type* matrix = variable.type;
    while (matrix->kind == TypeKind::Array) matrix = matrix->element;
    if (matrix->scope == spv::Scope::Subgroup && state_.lanes != e_.subgroup_size) {
      // Each subgroup's, one behind the other: of an array all first elements, then all second
      // ones.
      if (variable.type->kind == TypeKind::Array) return;
      lane();
      operations.append({dwarf::DW_OP_constu, e_.subgroup_size, dwarf::DW_OP_div,
                         dwarf::DW_OP_constu, matrix->naturalSize(), dwarf::DW_OP_mul,
                         dwarf::DW_OP_plus});
    }
  } else {
    const uint64_t pitch = debugPitch(variable.type);
    layout = {.kind = Kind::Lanes, .step = pitch * state_.lanes};
    lane();
    operations.append({dwarf::DW_OP_constu, pitch, dwarf::DW_OP_mul, dwarf::DW_OP_plus});
  }
  operations.append({dwarf::DW_OP_plus_uconst, slot});
  declare(variable.name, at, state_.types->typeOf(variable.type, layout), operations,
          variable.parameter);
}

void DebugValues::declareInMemory(const DebugVariable& variable, const Location& at) {
  auto memory = state_.memory.find(variable.variable);
  if (memory == state_.memory.end()) return;
  Operations operations{dwarf::DW_OP_deref};
  DebugLayout layout;
  if (memory->second.lanes > 1) {
    const uint64_t pitch = debugPitch(variable.type);
    layout = {.kind = Kind::Lanes, .step = pitch * memory->second.lanes};
    operations.append({dwarf::DW_OP_dup, dwarf::DW_OP_plus_uconst, offsetof(DebugFrame, lane),
                       dwarf::DW_OP_deref_size, 4, dwarf::DW_OP_constu, pitch, dwarf::DW_OP_mul,
                       dwarf::DW_OP_plus});
  }
  operations.append({dwarf::DW_OP_plus_uconst, memory->second.offset});
  declare(variable.name, at, state_.types->typeOf(variable.type, layout), operations,
          variable.parameter);
}

// From the frame's address to where the descriptor of a binding leads.
DebugValues::Operations DebugValues::resource(const BindingLayout& layout) const {
  Operations operations{dwarf::DW_OP_deref, dwarf::DW_OP_plus_uconst,
                        offsetof(DebugFrame, dispatch), dwarf::DW_OP_deref};
  const uint64_t set = offsetof(rt::DispatchArgs, sets) + layout.set * sizeof(void*);
  if (layout.dynamic_index < 0 || layout.kind == DescriptorKind::InlineUniformBlock) {
    operations.append({dwarf::DW_OP_plus_uconst, set, dwarf::DW_OP_deref, dwarf::DW_OP_plus_uconst,
                       layout.offset});
    if (layout.kind != DescriptorKind::InlineUniformBlock) operations.push_back(dwarf::DW_OP_deref);
    return operations;
  }
  const uint64_t dynamic =
      offsetof(rt::DispatchArgs, dynamic_offsets) + 4 * static_cast<uint64_t>(layout.dynamic_index);
  operations.append({dwarf::DW_OP_dup, dwarf::DW_OP_plus_uconst, dynamic, dwarf::DW_OP_deref_size,
                     4, dwarf::DW_OP_swap, dwarf::DW_OP_plus_uconst, set, dwarf::DW_OP_deref,
                     dwarf::DW_OP_plus_uconst, layout.offset, dwarf::DW_OP_deref,
                     dwarf::DW_OP_plus});
  return operations;
}

// A block without a name of its own has its members' names in the shader.
void DebugValues::declareBlock(const Variable& v, const Location& at, Operations operations) {
  const Type* type = v.type->element;
  auto name = e_.module.names.find(v.id);
  const bool is_named = name != e_.module.names.end() && !name->second.empty();
  const bool is_explicit = isBlock(*type) || v.storage != spv::StorageClass::Workgroup;
  const DebugLayout layout{.kind = is_explicit ? Kind::Explicit : Kind::Natural};
  if (is_named || type->kind != TypeKind::Struct) {
    declare(is_named ? name->second : "block" + std::to_string(v.id), at,
            state_.types->typeOf(type, layout), operations);
    return;
  }
  for (uint32_t k = 0; k < type->members.size(); ++k) {
    const std::string member = state_.types->memberName(type, k);
    if (member.empty()) continue;
    Operations there = operations;
    there.append({dwarf::DW_OP_plus_uconst, DebugTypes::offsetOf(type, k, layout)});
    declare(member, at,
            state_.types->typeOf(type->members[k].type, DebugTypes::memberLayout(type, k, layout)),
            there);
  }
}

void DebugValues::declareGlobals(const Location& at) {
  for (const Variable& v : e_.module.variables) {
    if (v.is_shadow) continue;
    Operations operations{dwarf::DW_OP_deref};
    switch (v.storage) {
      case spv::StorageClass::Workgroup:
        operations.append({dwarf::DW_OP_plus_uconst, offsetof(DebugFrame, shared),
                           dwarf::DW_OP_deref, dwarf::DW_OP_plus_uconst,
                           state_.memory.at(v.id).offset});
        break;
      case spv::StorageClass::PushConstant:
        operations.append({dwarf::DW_OP_plus_uconst, offsetof(DebugFrame, dispatch),
                           dwarf::DW_OP_deref, dwarf::DW_OP_plus_uconst,
                           offsetof(rt::DispatchArgs, push_constants)});
        break;
      case spv::StorageClass::Uniform:
      case spv::StorageClass::StorageBuffer: {
        const auto& decorations = e_.module.decorated(v.id);
        const BindingLayout* layout = nullptr;
        for (const BindingLayout& b : e_.request.bindings)
          if (b.set == decorations.set && b.binding == decorations.binding) layout = &b;
        // Of an array of descriptors each element is somewhere else.
        if (layout == nullptr || layout->set >= rt::kMaxDescriptorSets ||
            v.type->element->kind != TypeKind::Struct)
          continue;
        operations = resource(*layout);
        break;
      }
      default:
        continue;
    }
    declareBlock(v, at, operations);
  }
}

void DebugValues::end() {
  if (!isOn()) return;
  e_.ir.CreateStore(e_.ir.getInt32(static_cast<uint32_t>(DebugStream::kHasEnded)),
                    streamField(offsetof(DebugStream, at)), /*isVolatile=*/true);
  declareOwn();
  const std::vector<Location> functions = state_.locations.functions();
  auto everywhere = [&](llvm::function_ref<void(const Location&)> body) {
    for (size_t k = 0; k < functions.size() && k < kMostFunctions; ++k) body(functions[k]);
  };
  const auto& variables = e_.module.debug.variables;
  for (uint32_t n = 0; n < variables.size(); ++n) {
    auto declareAt = [&](const Location& at) {
      if (state_.slots.contains(n))
        declareSaid(n, at);
      else
        declareInMemory(variables[n], at);
    };
    const bool is_global = llvm::any_of(
        e_.module.variables, [&](const Variable& v) { return v.id == variables[n].variable; });
    if (is_global)
      everywhere(declareAt);
    else
      declareAt(variables[n].at);
  }
  everywhere([&](const Location& at) { declareGlobals(at); });
}

}  // namespace jit::spirv
