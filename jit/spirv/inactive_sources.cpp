// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/inactive_sources.h"

#include <llvm/ADT/STLExtras.h>

#include <unordered_map>
#include <unordered_set>

#include "jit/spirv/carried_values.h"
#include "jit/spirv/group_instruction.h"
#include "jit/spirv/internal_ops.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/types.h"
#include "jit/spirv/word_arena.h"

namespace jit::spirv {

namespace {

constexpr size_t kMostSources = 32;

class Following {
 public:
  explicit Following(Module& module) : module_(module), blocks_(module.entry.blocks) {
    for (const auto* variables : {&module.variables, &module.entry.variables})
      for (const Variable& v : *variables) storages_[v.id] = v.storage;
    for (const Block& block : blocks_)
      for (const Instruction& i : block.instructions) {
        if (i.result != 0) definitions_[i.result] = i;
        if (readsInvocations(i.op) && sources_.size() < kMostSources)
          sources_.emplace(i.result, static_cast<uint32_t>(sources_.size()));
      }
  }

  void run() {
    if (sources_.empty()) return;
    boolean_ = &typeOf(TypeKind::Bool, 0);
    bits_ = &typeOf(TypeKind::Int, 32);
    none_ = constant(0, *bits_);
    findFollowed();
    for (Block& block : blocks_) rewrite(block);
    words_.moveTo(module_.words);
  }

 private:
  const Type& typeOf(TypeKind kind, uint32_t width) {
    for (const auto& [id, type] : module_.types)
      if (type->kind == kind && type->width == width && !type->is_signed) return *type;
    auto type = std::make_unique<Type>();
    type->kind = kind;
    type->id = module_.bound++;
    type->width = width;
    return *module_.types.emplace(type->id, std::move(type)).first->second;
  }
  Id constant(uint32_t value, const Type& type) {
    const Id id = module_.bound++;
    module_.constants.emplace(id, Constant{&type, {value}});
    return id;
  }

  // --- what follows from what

  void findFollowed() {
    std::unordered_map<Id, std::vector<Id>> users;
    for (const Block& block : blocks_)
      for (const Instruction& i : block.instructions)
        if (carriesOperands(module_, i))
          for (Id id : carriedOperands(i)) users[id].push_back(i.result);
    std::vector<Id> left;
    for (const auto& [id, number] : sources_) left.push_back(id);
    while (!left.empty()) {
      const Id id = left.back();
      left.pop_back();
      if (!followed_.insert(id).second) continue;
      if (const auto found = users.find(id); found != users.end())
        left.insert(left.end(), found->second.begin(), found->second.end());
    }
    // A phi is known before what it is made of.
    for (const Block& block : blocks_)
      for (const Instruction& i : block.instructions)
        if (i.op == spv::Op::OpPhi && followed_.count(i.result) != 0)
          shadows_[i.result] = module_.bound++;
  }

  bool isFollowed(Id id) const { return followed_.count(id) != 0; }

  // --- writing

  Id write(std::vector<Instruction>& code, const Instruction& at, spv::Op op, const Type* type,
           std::initializer_list<uint32_t> operands) {
    Instruction i{};
    i.op = op;
    i.type = type;
    i.result = type == nullptr ? 0 : module_.bound++;
    i.operands = words_.copy(operands);
    i.word = at.word;
    i.location = at.location;
    code.push_back(i);
    return i.result;
  }
  Id joined(std::vector<Instruction>& code, const Instruction& at, Id a, Id b) {
    if (a == none_ || a == b) return b;
    if (b == none_) return a;
    return write(code, at, spv::Op::OpBitwiseOr, bits_, {a, b});
  }
  Id chosen(std::vector<Instruction>& code, const Instruction& at, Id condition, Id a, Id b) {
    if (a == b) return a;
    return write(code, at, spv::Op::OpSelect, bits_, {condition, a, b});
  }

  // Blocks stand in an order in which definitions come first, but for phis'.
  Id shadowOf(Id id) const {
    const auto found = shadows_.find(id);
    return found == shadows_.end() ? none_ : found->second;
  }

  // Of an element: what it is made of is looked at, as far as that is known.
  Id shadowOfElement(const Instruction& extract) const {
    const Id whole = extract.operands[0];
    const auto found = definitions_.find(whole);
    if (extract.operands.size() != 2 || found == definitions_.end()) return shadowOf(whole);
    const Instruction& made = found->second;
    const uint32_t index = extract.operands[1];
    if (made.op == spv::Op::OpCompositeConstruct && made.type != nullptr &&
        made.operands.size() ==
            (made.type->kind == TypeKind::Struct ? made.type->members.size() : made.type->count) &&
        index < made.operands.size())
      return shadowOf(made.operands[index]);
    if (made.op == spv::Op::OpCompositeInsert && made.operands.size() == 3)
      return shadowOf(made.operands[made.operands[2] == index ? 0 : 1]);
    return shadowOf(whole);
  }

  Id shadowOfChoice(std::vector<Instruction>& code, const Instruction& i) {
    const Id condition = i.operands[0];
    const Id a = shadowOf(i.operands[1]), b = shadowOf(i.operands[2]);
    // Of vectors of conditions each component has its own.
    const bool is_scalar = module_.constant(condition) == nullptr && isBoolean(condition);
    const Id choice = is_scalar ? chosen(code, i, condition, a, b) : joined(code, i, a, b);
    return joined(code, i, shadowOf(condition), choice);
  }

  bool isBoolean(Id id) const {
    const auto found = definitions_.find(id);
    return found != definitions_.end() && found->second.type != nullptr &&
           found->second.type->kind == TypeKind::Bool;
  }

  // Nothing of a value is left where it is multiplied by 0, or masked out.
  Id shadowOfProduct(std::vector<Instruction>& code, const Instruction& i) {
    const Id shadows[] = {shadowOf(i.operands[0]), shadowOf(i.operands[1])};
    if (i.type->kind == TypeKind::Int)
      for (size_t k = 0; k < 2; ++k)
        if (shadows[k] == none_ && module_.constant(i.operands[k]) == nullptr) {
          const Id is_zero =
              write(code, i, spv::Op::OpIEqual, boolean_, {i.operands[k], constant(0, *i.type)});
          return chosen(code, i, is_zero, none_, shadows[1 - k]);
        }
    return joined(code, i, shadows[0], shadows[1]);
  }

  // What one operand decides alone, whatever the other one is.
  Id shadowOfLogical(std::vector<Instruction>& code, const Instruction& i) {
    const Id operands[] = {i.operands[0], i.operands[1]};
    const Id shadows[] = {shadowOf(operands[0]), shadowOf(operands[1])};
    for (size_t k = 0; k < 2; ++k)
      if (shadows[1 - k] == none_ && isBoolean(operands[1 - k])) {
        const bool is_and = i.op == spv::Op::OpLogicalAnd;
        return chosen(code, i, operands[1 - k], is_and ? shadows[k] : none_,
                      is_and ? none_ : shadows[k]);
      }
    return joined(code, i, shadows[0], shadows[1]);
  }

  Id shadowOfResult(std::vector<Instruction>& code, const Instruction& i) {
    switch (i.op) {
      case spv::Op::OpSelect:
        return shadowOfChoice(code, i);
      case spv::Op::OpLogicalAnd:
      case spv::Op::OpLogicalOr:
        return shadowOfLogical(code, i);
      case spv::Op::OpIMul:
      case spv::Op::OpBitwiseAnd:
        return shadowOfProduct(code, i);
      case spv::Op::OpCompositeExtract:
        return shadowOfElement(i);
      default:
        break;
    }
    Id shadow = none_;
    for (Id id : valueOperands(i)) shadow = joined(code, i, shadow, shadowOf(id));
    return shadow;
  }

  // The bits move as the value does, and its own comes to them.
  Id shadowOfMoved(std::vector<Instruction>& code, const Instruction& i) {
    Id shadow = none_;
    const auto group = groupInstruction(i);
    if (const Id moved = shadowOf(group->value); moved != none_) {
      Instruction move = i;
      std::span<uint32_t> operands = words_.copy(i.operands);
      for (uint32_t& operand : operands)
        if (operand == group->value) {
          operand = moved;
          break;
        }
      move.operands = operands;
      move.type = bits_;
      move.result = shadow = module_.bound++;
      code.push_back(move);
    }
    const auto number = sources_.find(i.result);
    if (number == sources_.end()) return shadow;
    const Id inactive = group->selector == 0 ? write(code, i, opcode(InternalOp::InactiveSource),
                                                     boolean_, {i.result})
                                             : write(code, i, opcode(InternalOp::InactiveSource),
                                                     boolean_, {i.result, group->selector});
    const Id own = chosen(code, i, inactive, constant(1u << number->second, *bits_), none_);
    return joined(code, i, shadow, own);
  }

  bool isOwnMemory(Id pointer) const {
    while (true) {
      const auto definition = definitions_.find(pointer);
      if (definition == definitions_.end()) break;
      if (definition->second.type != nullptr &&
          definition->second.type->kind == TypeKind::Pointer &&
          definition->second.type->storage != spv::StorageClass::Function &&
          definition->second.type->storage != spv::StorageClass::Private)
        return false;
      const Id base = baseOf(definition->second);
      if (base == 0) return true;
      pointer = base;
    }
    const auto storage = storages_.find(pointer);
    return storage != storages_.end() && (storage->second == spv::StorageClass::Function ||
                                          storage->second == spv::StorageClass::Private);
  }

  void use(std::vector<Instruction>& code, const Instruction& i, llvm::ArrayRef<Id> operands) {
    Id shadow = none_;
    for (Id id : operands)
      if (id != 0) shadow = joined(code, i, shadow, shadowOf(id));
    if (shadow != none_) write(code, i, opcode(InternalOp::InactiveUse), nullptr, {shadow});
  }

  void rewrite(Block& block) {
    std::vector<Instruction> code;
    for (const Instruction& i : block.instructions) {
      if (i.op != spv::Op::OpPhi) break;
      code.push_back(i);
    }
    const size_t phis = code.size();
    for (size_t k = 0; k < phis; ++k) {
      const Instruction phi = code[k];
      if (!isFollowed(phi.result)) continue;
      Instruction shadow = phi;
      std::span<uint32_t> operands = words_.copy(phi.operands);
      shadow.result = shadows_.at(phi.result);
      shadow.type = bits_;
      shadow.operands = operands;
      code.push_back(shadow);
    }
    for (size_t k = phis; k < block.instructions.size(); ++k) {
      const Instruction& i = block.instructions[k];
      const bool carried = carriesOperands(module_, i);
      // What an invocation stores for itself is forgotten.
      const bool forgets = i.op == spv::Op::OpStore && isOwnMemory(i.operands[0]);
      if (forgets)
        use(code, i, {i.operands[0]});
      else if (!carried || readsInvocations(i.op))
        use(code, i, decisiveOperands(i));
      code.push_back(i);
      if (!carried || !isFollowed(i.result)) continue;
      shadows_[i.result] =
          readsInvocations(i.op) ? shadowOfMoved(code, i) : shadowOfResult(code, i);
    }
    use(code, block.terminator, valueOperands(block.terminator));
    block.instructions = std::move(code);
  }

 public:
  // Once all shadows are known: what phis' are made of.
  void completePhis() {
    if (sources_.empty()) return;
    std::unordered_set<Id> made;
    for (const auto& [id, shadow] : shadows_) made.insert(shadow);
    for (Block& block : blocks_)
      for (Instruction& phi : block.instructions) {
        if (phi.op != spv::Op::OpPhi) break;
        if (made.count(phi.result) == 0 || definitions_.count(phi.result) != 0) continue;
        std::span<uint32_t> operands = words_.copy(phi.operands);
        for (size_t k = 0; k + 1 < operands.size(); k += 2) operands[k] = shadowOf(operands[k]);
        phi.operands = operands;
      }
    words_.moveTo(module_.words);
  }

 private:
  Module& module_;
  std::vector<Block>& blocks_;
  WordArena words_;
  std::unordered_map<Id, spv::StorageClass> storages_;
  std::unordered_map<Id, Instruction> definitions_;
  std::unordered_map<Id, uint32_t> sources_;  // their bits' numbers, by result
  std::unordered_set<Id> followed_;
  std::unordered_map<Id, Id> shadows_;
  const Type *boolean_ = nullptr, *bits_ = nullptr;
  Id none_ = 0;
};

}  // namespace

std::vector<const Instruction*> inactiveSources(const Module& module) {
  std::unordered_map<Id, const Instruction*> definitions;
  std::vector<Id> sources;
  for (const Block& block : module.entry.blocks)
    for (const Instruction& i : block.instructions) {
      if (i.op == opcode(InternalOp::InactiveSource)) sources.push_back(i.operands[0]);
      if (readsInvocations(i.op)) definitions[i.result] = &i;
    }
  std::vector<const Instruction*> result;
  for (Id id : sources) result.push_back(definitions.at(id));
  return result;
}

void followInactiveSources(Module& module) {
  Following following(module);
  following.run();
  following.completePhis();
}

}  // namespace jit::spirv
