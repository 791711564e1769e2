// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/debug_variables.h"

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "jit/spirv/internal_ops.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/shader_debug_info.h"
#include "jit/spirv/types.h"
#include "jit/spirv/word_arena.h"

namespace jit::spirv {

namespace {

constexpr std::string_view kArgument = "param";  // glslang's name for what a call passes

// Whether an expression leaves what it is about as it is.
bool isPlain(const Reading& reading, Id expression) {
  const auto* raw =
      ShaderDebugInfo(reading).find(expression, NonSemanticShaderDebugInfo100DebugExpression);
  return raw != nullptr && raw->operands.size() == 2;
}

// Of scalars, or of matrices and nothing else.
bool canBeSaid(const Type& type) {
  if (type.leaves() == 0 || type.leaves() > kMostDebugScalars) return false;
  if (type.kind == TypeKind::Pointer) return !type.bounded && !type.untyped;
  if (holdsPointer(type)) return false;
  if (!holdsMatrix(&type)) return true;
  const Type* element = &type;
  while (element->kind == TypeKind::Array) element = element->element;
  return element->kind == TypeKind::CooperativeMatrix;
}

class DebugVariables {
 public:
  explicit DebugVariables(Reading& reading)
      : reading_(reading), module_(reading.module), info_(reading) {}

  void run() {
    module_.debug.is_wanted = true;
    readScopes();
    for (const Variable& v : module_.variables) declareGlobal(v);
    for (const Variable& v : module_.entry.variables) types_[v.id] = v.type->element;
    followPointers();
    for (const auto& [id, type] : types_)
      if (!canBeSaid(*type)) module_.debug.in_memory.insert(id);
    for (Block& block : module_.entry.blocks) {
      for (const Instruction& i : block.instructions)
        if (i.op == opcode(InternalOp::DebugDeclare)) declare(i);
    }
    for (const Variable& v : module_.entry.variables)
      if (v.initializer != 0) said_first_.push_back(v.id);
    for (Block& block : module_.entry.blocks) rewrite(block);
    words_.moveTo(module_.words);
  }

 private:
  void readScopes() {
    for (const RawInstruction& raw : reading_.binary.instructions()) {
      if (!info_.has(raw)) continue;
      const auto operand = [&](size_t k) { return ShaderDebugInfo::operand(raw, k); };
      if (raw.operands[1] == NonSemanticShaderDebugInfo100DebugFunction) {
        module_.debug.scopes[raw.result] = {.is_function = true,
                                            .name = info_.text(operand(2)),
                                            .file = info_.fileOf(operand(4)),
                                            .line = info_.number(operand(5))};
      } else if (raw.operands[1] == NonSemanticShaderDebugInfo100DebugLexicalBlock) {
        module_.debug.scopes[raw.result] = {.file = info_.fileOf(operand(2)),
                                            .line = info_.number(operand(3)),
                                            .column = info_.number(operand(4)),
                                            .parent = operand(5)};
      }
    }
  }

  // Of the module: those whose values change, and what is passed in. What lies in memory that all
  // see is declared where it is emitted.
  void declareGlobal(const Variable& v) {
    types_[v.id] = v.type->element;
    auto name = module_.names.find(v.id);
    const bool is_value =
        v.storage == spv::StorageClass::Private || v.storage == spv::StorageClass::Input;
    if (!is_value || name == module_.names.end() || name->second.empty()) return;
    add({.name = name->second, .at = {}, .type = v.type->element, .variable = v.id});
    if (v.storage == spv::StorageClass::Input || v.initializer != 0) said_first_.push_back(v.id);
  }

  void add(DebugVariable variable) {
    numbers_[variable.variable].push_back(static_cast<uint32_t>(module_.debug.variables.size()));
    module_.debug.variables.push_back(std::move(variable));
  }

  // What a pointer leads to: a variable, or the part of it from a scalar on.
  struct Place {
    Id variable = 0;
    uint64_t first = 0;
    const Type* type = nullptr;
  };

  // All pointers that are made of variables, and which variables are used in other ways than by
  // loads and stores of parts that are known: those stay in memory. Of a chain by indices that are
  // computed, the place is the whole variable.
  void followPointers() {
    for (const auto& [id, type] : types_) places_[id] = {id, 0, type};
    for (const Block& block : module_.entry.blocks) {
      for (const Instruction& i : block.instructions) follow(i);
      for (Id id : valueOperands(block.terminator)) keepInMemory(id);
    }
  }

  void follow(const Instruction& i) {
    if (i.op == opcode(InternalOp::DebugDeclare) || i.op == spv::Op::OpLoad ||
        i.op == spv::Op::OpLifetimeStart)
      return;
    if (i.op == spv::Op::OpStore) return keepInMemory(i.operands[1]);
    const auto base = isAccessChain(i.op) ? places_.find(i.operands[0]) : places_.end();
    if (base == places_.end()) {
      for (Id id : valueOperands(i)) keepInMemory(id);
      return;
    }
    Place place = base->second;
    for (size_t k = 1; k < i.operands.size(); ++k) {
      const Constant* index = module_.constant(i.operands[k]);
      const bool is_known =
          index != nullptr && !index->leaves.empty() && place.type->isComposite() &&
          index->leaves[0] < (place.type->kind == TypeKind::Struct ? place.type->members.size()
                                                                   : place.type->count);
      if (!is_known) {
        keepInMemory(i.operands[0]);
        place = {place.variable, 0, types_.at(place.variable)};
        break;
      }
      const auto number = static_cast<uint32_t>(index->leaves[0]);
      place.first += leavesBefore(*place.type, number);
      place.type = componentType(*place.type, number);
    }
    places_[i.result] = place;
  }

  void keepInMemory(Id pointer) {
    auto place = places_.find(pointer);
    if (place != places_.end()) module_.debug.in_memory.insert(place->second.variable);
  }

  bool isSaid(Id variable) const { return !module_.debug.in_memory.contains(variable); }

  std::optional<DebugVariable> described(const Instruction& i) {
    DebugVariable variable;
    variable.at = i.location;
    const auto* raw = info_.find(i.operands[0], NonSemanticShaderDebugInfo100DebugLocalVariable);
    if (raw == nullptr) return std::nullopt;
    const auto operand = [&](size_t k) { return ShaderDebugInfo::operand(*raw, k); };
    variable.name = info_.text(operand(2));
    variable.at.file = info_.fileOf(operand(4));
    variable.at.line = info_.number(operand(5));
    variable.at.column = info_.number(operand(6));
    variable.at.scope = operand(7);
    variable.parameter = raw->operands.size() > 9 ? info_.number(operand(9)) : 0;
    return variable;
  }

  void declare(const Instruction& i) {
    const Id at = i.operands[1];
    auto type = types_.find(at);
    // A part of a variable that is passed on is the variable's to show; and what a tensor layout or
    // view holds has no type that a debugger knows.
    if (type == types_.end() || type->second->kind == TypeKind::TensorLayout ||
        type->second->kind == TypeKind::TensorView)
      return;
    std::optional<DebugVariable> variable = described(i);
    if (!variable) {
      const std::string name = info_.text(i.operands[0]);
      if (name.empty()) return;
      variable = DebugVariable{.name = name, .at = i.location};
      variable->at.line = 0;
    }
    variable->type = type->second;
    variable->variable = at;
    add(std::move(*variable));
  }

  // The number of a variable that only has values, one for each call that its function stands for.
  uint32_t numberOf(const Instruction& i, const Type* type) {
    auto [known, is_new] = by_value_.try_emplace({i.operands[0], i.location.call}, 0);
    if (is_new) {
      known->second = static_cast<uint32_t>(module_.debug.variables.size());
      DebugVariable variable = described(i).value_or(DebugVariable{});
      variable.type = type;
      module_.debug.variables.push_back(std::move(variable));
    }
    return known->second;
  }

  const Type* typeOf(Id value) {
    if (const Constant* constant = module_.constant(value)) return constant->type;
    if (value_types_.empty())
      for (const Block& block : module_.entry.blocks)
        for (const Instruction& i : block.instructions)
          if (i.result != 0) value_types_[i.result] = i.type;
    auto found = value_types_.find(value);
    return found == value_types_.end() ? nullptr : found->second;
  }

  void rewrite(Block& block) {
    std::vector<Instruction> all;
    all.reserve(block.instructions.size());
    const bool is_first = &block == &module_.entry.blocks.front();
    bool has_begun = false;
    for (const Instruction& i : block.instructions) {
      if (is_first && !has_begun && i.op != spv::Op::OpPhi) {
        has_begun = true;
        Instruction start = i;
        start.location = {};  // before the first line
        for (Id id : said_first_) say(id, start, all);
      }
      if (i.op == opcode(InternalOp::DebugDeclare)) continue;
      if (i.op == opcode(InternalOp::DebugValue)) {
        const Type* type = typeOf(i.operands[1]);
        if (type == nullptr || !canBeSaid(*type)) continue;
        all.push_back(i);
        all.back().operands = words_.copy({numberOf(i, type), i.operands[1], 0});
        continue;
      }
      all.push_back(i);
      if (i.op == spv::Op::OpStore) sayStored(i, all);
    }
    block.instructions = std::move(all);
  }

  void sayStored(const Instruction& store, std::vector<Instruction>& all) {
    const auto place = places_.find(store.operands[0]);
    if (place == places_.end() || !isSaid(place->second.variable)) return;
    const auto& [variable, first, type] = place->second;
    const Type* stored = typeOf(store.operands[1]);
    if (stored != type)  // the store takes it for something else
      say(variable, store, all);
    else
      say(variable, store.operands[1], static_cast<uint32_t>(first), store, all);
  }

  // What a variable holds now, of which `i` is the reason.
  void say(Id variable, const Instruction& i, std::vector<Instruction>& all) {
    if (!isSaid(variable)) return;
    Instruction load;
    load.op = spv::Op::OpLoad;
    load.type = types_.at(variable);
    load.result = module_.bound++;
    load.operands = words_.copy({variable});
    load.word = i.word;
    load.location = i.location;
    all.push_back(load);
    say(variable, load.result, 0, i, all);
  }

  void say(Id variable, Id value, uint32_t first, const Instruction& i,
           std::vector<Instruction>& all) {
    auto numbers = numbers_.find(variable);
    if (numbers == numbers_.end()) return;
    for (uint32_t number : numbers->second) {
      Instruction said;
      said.op = opcode(InternalOp::DebugValue);
      said.operands = words_.copy({number, value, first});
      said.word = i.word;
      said.location = i.location;
      all.push_back(said);
    }
  }

  Reading& reading_;
  Module& module_;
  const ShaderDebugInfo info_;
  std::unordered_map<Id, const Type*> types_;  // of variables
  std::unordered_map<Id, const Type*> value_types_;
  std::unordered_map<Id, Place> places_;                   // of pointers
  std::unordered_map<Id, std::vector<uint32_t>> numbers_;  // of variables in memory
  std::map<std::pair<Id, uint32_t>, uint32_t> by_value_;   // by DebugLocalVariable and call
  std::vector<Id> said_first_;                             // at the entry point's start
  WordArena words_;
};

}  // namespace

bool hasDebugVariables(const Reading& reading) {
  const ShaderDebugInfo info(reading);
  return std::ranges::any_of(reading.binary.instructions(), [&](const RawInstruction& raw) {
    return info.has(raw) && raw.operands[1] == NonSemanticShaderDebugInfo100DebugLocalVariable;
  });
}

void readDebugVariable(const Reading& reading, const RawInstruction& raw, const Location& location,
                       Block& block) {
  if (!ShaderDebugInfo(reading).has(raw) || raw.operands.size() < 5) return;
  const bool declares = raw.operands[1] == NonSemanticShaderDebugInfo100DebugDeclare;
  const bool says = raw.operands[1] == NonSemanticShaderDebugInfo100DebugValue &&
                    raw.operands.size() == 5;  // no indices
  if ((!declares && !says) || !isPlain(reading, raw.operands[4]) ||
      reading.binary.definition(raw.operands[3]) == nullptr)
    return;
  Instruction instruction;
  instruction.op = opcode(declares ? InternalOp::DebugDeclare : InternalOp::DebugValue);
  instruction.operands = raw.operands.subspan(2, 2);
  instruction.word = raw.word;
  instruction.location = location;
  block.instructions.push_back(instruction);
}

void declareByName(Reading& reading, Function& function) {
  WordArena words;
  std::vector<Instruction> all;
  auto declare = [&](Id id) {
    auto name = reading.module.names.find(id);
    if (name == reading.module.names.end() || name->second.empty() || name->second == kArgument)
      return;
    Instruction declaration;
    declaration.op = opcode(InternalOp::DebugDeclare);
    const Id text = reading.module.bound++;
    reading.module.strings[text] = name->second;
    declaration.operands = words.copy({text, id});
    all.push_back(declaration);
  };
  for (Id parameter : function.parameters) declare(parameter);
  for (const Variable& variable : function.variables) declare(variable.id);
  auto& code = function.blocks.front().instructions;
  all.insert(all.end(), code.begin(), code.end());
  code = std::move(all);
  words.moveTo(reading.module.words);
}

void findDebugVariables(Reading& reading) { DebugVariables(reading).run(); }

}  // namespace jit::spirv
