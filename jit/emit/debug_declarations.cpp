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
// A variable with more scalars has no type as in the source, but one with steps in it.
constexpr uint64_t kMostPieces = 256;

}  // namespace

llvm::DILocalVariable* DebugValues::variable(const std::string& name, const Location& at,
                                             llvm::DIType* type, uint32_t parameter) {
  llvm::DIBuilder& builder = *state_.locations.builder();
  llvm::DIScope* scope = state_.locations.scopeOf(at);
  llvm::DIFile* file = state_.locations.file(at.file);
  if (parameter != 0)
    return builder.createParameterVariable(llvm::cast<llvm::DILocalScope>(scope)->getSubprogram(),
                                           name, parameter, file, at.line, type, true);
  const bool is_own = llvm::StringRef(name).starts_with("tessera");
  const auto flags = is_own ? llvm::DINode::FlagArtificial : llvm::DINode::FlagZero;
  return builder.createAutoVariable(scope, name, file, at.line, type, true, flags);
}

void DebugValues::place(llvm::DILocalVariable* variable, const Location& at,
                        llvm::ArrayRef<uint64_t> operations, llvm::AllocaInst* base) {
  llvm::DIBuilder& builder = *state_.locations.builder();
  if (base == nullptr) base = state_.frame;
  builder.insertDeclare(base, variable, builder.createExpression(operations),
                        state_.locations.placeOf(at), base->getParent());
}

// The frame's header, and what there is of other streams.
void DebugValues::declareOwn() {
  DebugTypes& types = *state_.types;
  llvm::DIBuilder& builder = *state_.locations.builder();
  auto* word = types.number("uint", 32, dwarf::DW_ATE_unsigned);
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
                       {"quads", word, offsetof(DebugFrame, quads)},
                       {"workgroup_count", three, offsetof(DebugFrame, workgroup_count)},
                       {"live", types.array(bits, std::tuple_size_v<decltype(DebugFrame::live)>, 8),
                        offsetof(DebugFrame, live)}},
                      sizeof(DebugFrame));
  auto* pointer = builder.createPointerType(header, 64);
  place(variable("tessera", {}, pointer), {}, {});
  if (state_.streams == nullptr) return;
  auto* line = types.number("int", 32, dwarf::DW_ATE_signed);
  auto* stream = types.structure(
      "tessera_stream",
      {{"frame", pointer, offsetof(DebugStream, frame)}, {"at", line, offsetof(DebugStream, at)}},
      sizeof(DebugStream));
  auto* streams = types.array(stream, e_.stream().count, sizeof(DebugStream));
  place(variable("tessera_streams", {}, streams), {}, {}, state_.streams);
}

// A scalar of the lane that is looked at, from the frame's address and lane 0's scalar in it.
// Nothing else is left on the stack: lldb would take it for the value.
static void appendMoved(llvm::SmallVectorImpl<uint64_t>& list, uint64_t offset, uint64_t bytes,
                        const LaneWeights& weights) {
  list.append({dwarf::DW_OP_dup, dwarf::DW_OP_plus_uconst, offsetof(DebugFrame, lane),
               dwarf::DW_OP_deref_size, 4, dwarf::DW_OP_swap, dwarf::DW_OP_plus_uconst, offset,
               dwarf::DW_OP_deref_size, bytes});
  auto nextFrom = [&](unsigned b) {
    while (b < simt::kMaxLaneBits && weights[b] == 0) ++b;
    return b;
  };
  for (unsigned b = nextFrom(0); b < simt::kMaxLaneBits;) {
    // Bits that count together.
    unsigned end = b + 1;
    while (end < simt::kMaxLaneBits && weights[end] == weights[b] << (end - b)) ++end;
    const unsigned next = nextFrom(end);
    const bool is_last = next == simt::kMaxLaneBits;
    list.append({is_last ? dwarf::DW_OP_swap : dwarf::DW_OP_over, dwarf::DW_OP_constu, b,
                 dwarf::DW_OP_shr, dwarf::DW_OP_constu, (uint64_t{1} << (end - b)) - 1,
                 dwarf::DW_OP_and, dwarf::DW_OP_constu, weights[b], dwarf::DW_OP_mul,
                 dwarf::DW_OP_plus});
    b = next;
  }
  list.push_back(dwarf::DW_OP_stack_value);
}

// In pieces, so that its type is as if it were one invocation's alone.
void DebugValues::declareLanes(const DebugVariable& v, const Location& at, uint64_t offset,
                               uint32_t lanes, llvm::ArrayRef<LaneWeights> weights) {
  auto operations = [&](uint64_t bytes, uint64_t place, const LaneWeights& moves = {}) {
    Operations list{dwarf::DW_OP_deref};
    if (moves != LaneWeights{}) {
      appendMoved(list, offset + place, bytes, moves);
      return list;
    }
    if (lanes > 1)
      list.append({dwarf::DW_OP_dup, dwarf::DW_OP_plus_uconst, offsetof(DebugFrame, lane),
                   dwarf::DW_OP_deref_size, 4, dwarf::DW_OP_constu, bytes, dwarf::DW_OP_mul,
                   dwarf::DW_OP_plus});
    list.append({dwarf::DW_OP_plus_uconst, offset + place * lanes});
    return list;
  };
  const auto leaves = debugLeaves(v.type);
  if (leaves.size() > kMostPieces && lanes > 1) {
    const uint64_t bytes = leafBytes(leaves[0].type);
    // Scalars of several sizes lie in no even steps: of so many of them nothing is shown.
    for (auto [k, leaf] : llvm::enumerate(leaves))
      if (leafBytes(leaf.type) != bytes || leaf.offset != k * bytes) return;
    place(variable(v.name, at,
                   state_.types->typeOf(v.type, {.kind = Kind::Lanes, .step = bytes * lanes}),
                   v.parameter),
          at, operations(bytes, 0));
    return;
  }
  auto* shown = variable(v.name, at, state_.types->typeOf(v.type, {}), v.parameter);
  const bool moves =
      llvm::any_of(weights, [](const LaneWeights& of_leaf) { return of_leaf != LaneWeights{}; });
  if ((lanes == 1 && !moves) || leaves.size() == 1)
    return place(shown, at,
                 operations(leafBytes(leaves[0].type), 0, moves ? weights[0] : LaneWeights{}));
  for (const auto& [k, leaf] : llvm::enumerate(leaves)) {
    const uint64_t bytes = leafBytes(leaf.type);
    Operations list = operations(bytes, leaf.offset, moves ? weights[k] : LaneWeights{});
    list.append({dwarf::DW_OP_LLVM_fragment, leaf.offset * 8, bytes * 8});
    place(shown, at, list);
  }
}

void DebugValues::declareSaid(uint32_t number, const Location& at) {
  const DebugVariable& v = e_.module.debug.variables[number];
  const uint64_t slot = state_.slots.lookup(number);
  if (!holdsMatrix(v.type)) {
    const auto shared = state_.shared.find(number);
    if (shared == state_.shared.end()) return declareLanes(v, at, slot, state_.lanes);
    return declareLanes(v, at, slot, 1, shared->second);
  }
  Operations operations{dwarf::DW_OP_deref};
  const Type* matrix = v.type;
  while (matrix->kind == TypeKind::Array) matrix = matrix->element;
  if (matrix->scope == spv::Scope::Subgroup && state_.lanes != e_.subgroup_size) {
    // Each subgroup's, one behind the other: of an array all first elements, then all second ones.
    if (v.type->kind == TypeKind::Array) return;
    operations.append({dwarf::DW_OP_dup, dwarf::DW_OP_plus_uconst, offsetof(DebugFrame, lane),
                       dwarf::DW_OP_deref_size, 4, dwarf::DW_OP_constu, e_.subgroup_size,
                       dwarf::DW_OP_div, dwarf::DW_OP_constu, matrix->naturalSize(),
                       dwarf::DW_OP_mul, dwarf::DW_OP_plus});
  }
  operations.append({dwarf::DW_OP_plus_uconst, slot});
  place(variable(v.name, at, state_.types->typeOf(v.type, {}), v.parameter), at, operations);
}

void DebugValues::declareInMemory(const DebugVariable& v, const Location& at) {
  auto memory = state_.memory.find(v.variable);
  if (memory != state_.memory.end())
    declareLanes(v, at, memory->second.offset, memory->second.lanes);
}

// From the frame's address to a binding's descriptor, or to what is in its set instead of one.
DebugValues::Operations DebugValues::descriptor(const BindingLayout& layout) const {
  const uint64_t set = offsetof(rt::DispatchArgs, sets) + layout.set * sizeof(void*);
  return {dwarf::DW_OP_deref, dwarf::DW_OP_plus_uconst, offsetof(DebugFrame, dispatch),
          dwarf::DW_OP_deref, dwarf::DW_OP_plus_uconst, set,
          dwarf::DW_OP_deref, dwarf::DW_OP_plus_uconst, layout.offset};
}

// And on to the memory.
DebugValues::Operations DebugValues::resource(const BindingLayout& layout) const {
  Operations operations = descriptor(layout);
  if (layout.kind == DescriptorKind::InlineUniformBlock) return operations;
  operations.push_back(dwarf::DW_OP_deref);
  if (layout.dynamic_index < 0) return operations;
  const uint64_t dynamic =
      offsetof(rt::DispatchArgs, dynamic_offsets) + 4 * static_cast<uint64_t>(layout.dynamic_index);
  Operations all{dwarf::DW_OP_dup,
                 dwarf::DW_OP_deref,
                 dwarf::DW_OP_plus_uconst,
                 offsetof(DebugFrame, dispatch),
                 dwarf::DW_OP_deref,
                 dwarf::DW_OP_plus_uconst,
                 dynamic,
                 dwarf::DW_OP_deref_size,
                 4,
                 dwarf::DW_OP_swap};
  all.append(operations);
  all.push_back(dwarf::DW_OP_plus);
  return all;
}

// How many elements the runtime array at a block's end has, a variable of the driver's; null: there
// is none. Only of the entry point: types refer to it, and in calls it would be another one.
llvm::DILocalVariable* DebugValues::declareLength(const Variable& v, const BindingLayout& layout) {
  const Type* block = v.type->element;
  if (block->members.empty() || layout.kind == DescriptorKind::InlineUniformBlock) return nullptr;
  const auto last = static_cast<uint32_t>(block->members.size() - 1);
  const Type* array = block->members[last].type;
  if (array->kind != TypeKind::RuntimeArray) return nullptr;
  Operations operations = descriptor(layout);
  operations.append({dwarf::DW_OP_plus_uconst, offsetof(rt::BufferDescriptor, size),
                     dwarf::DW_OP_deref, dwarf::DW_OP_constu, memberOffset(block, last, true),
                     dwarf::DW_OP_minus, dwarf::DW_OP_constu, elementStride(array, true),
                     dwarf::DW_OP_div,
                     // or 0, if that is negative
                     dwarf::DW_OP_dup, dwarf::DW_OP_lit0, dwarf::DW_OP_gt, dwarf::DW_OP_mul,
                     dwarf::DW_OP_stack_value});
  llvm::DILocalVariable* length =
      variable("tessera_length_" + std::to_string(v.id), {},
               state_.types->number("uint64_t", 64, dwarf::DW_ATE_unsigned));
  place(length, {}, operations);
  return length;
}

// A block without a name of its own has its members' names in the shader.
void DebugValues::declareBlock(const Variable& v, const Location& at, const Operations& operations,
                               llvm::DIVariable* elements) {
  const Type* type = v.type->element;
  auto name = e_.module.names.find(v.id);
  const bool is_named = name != e_.module.names.end() && !name->second.empty();
  const bool is_explicit = type->block || v.storage != spv::StorageClass::Workgroup;
  const DebugLayout layout{.kind = is_explicit ? Kind::Explicit : Kind::Natural,
                           .elements = elements};
  if (is_named || type->kind != TypeKind::Struct) {
    const std::string text = is_named ? name->second : "block" + std::to_string(v.id);
    place(variable(text, at, state_.types->typeOf(type, layout)), at, operations);
    return;
  }
  for (uint32_t k = 0; k < type->members.size(); ++k) {
    const std::string member = state_.types->memberName(type, k);
    if (member.empty()) continue;
    Operations there = operations;
    there.append({dwarf::DW_OP_plus_uconst, DebugTypes::offsetOf(type, k, layout)});
    auto* shown =
        state_.types->typeOf(type->members[k].type, DebugTypes::memberLayout(type, k, layout));
    place(variable(member, at, shown), at, there);
  }
}

void DebugValues::declareGlobals(const Location& at) {
  for (const Variable& v : e_.module.variables) {
    if (v.is_shadow) continue;
    Operations operations{dwarf::DW_OP_deref};
    llvm::DIVariable* elements = nullptr;
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
        if (at.call == 0) elements = declareLength(v, *layout);
        break;
      }
      default:
        continue;
    }
    declareBlock(v, at, operations, elements);
  }
}

void DebugValues::end() {
  if (!isOn()) return;
  if (state_.streams != nullptr)
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
