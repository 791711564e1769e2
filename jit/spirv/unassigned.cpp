// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/unassigned.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/SmallVector.h>

#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/types.h"
#include "jit/spirv/word_arena.h"

namespace jit::spirv {

namespace {

// Variables with more scalars than this are one part.
constexpr uint64_t kMaxParts = 64;

// Of the parts of all variables in all blocks, a bit each. Beyond this all variables count as read.
constexpr uint64_t kMaxUnassignedBits = uint64_t{1} << 30;

bool isOwn(spv::StorageClass storage) {
  return storage == spv::StorageClass::Function || storage == spv::StorageClass::Private;
}

// What a pointer points to: parts [first, first + count) of a variable. Not exact: somewhere in
// them.
struct Pointee {
  uint32_t variable;  // index
  uint32_t first, count;
  const Type* type;  // of what is there; null when it does not matter any more
  bool exact;
};

struct Event {
  enum class Kind : uint8_t { Assign, Forget, Read };
  Kind kind;
  uint32_t variable;
  uint32_t first, count;  // bits
};

class Analysis {
 public:
  explicit Analysis(const Module& module) : module_(module) {}

  std::unordered_set<Id> run() {
    for (const Variable& v : module_.variables) declare(v);
    for (const Variable& v : module_.entry.variables) declare(v);
    if (variables_.empty()) return {};
    const std::vector<Block>& blocks = module_.entry.blocks;
    if (blocks.size() * bits_ > kMaxUnassignedBits) {
      for (const Part& v : variables_) found_.insert(v.id);
      return std::move(found_);
    }
    findPointers();
    for (size_t b = 0; b < blocks.size(); ++b) numbers_[blocks[b].label] = b;
    events_.resize(blocks.size());
    for (size_t b = 0; b < blocks.size(); ++b)
      for (const Instruction& i : blocks[b].instructions) record(i, events_[b]);
    solve();
    return std::move(found_);
  }

 private:
  struct Part {
    Id id;
    uint32_t first, count;  // bits
    bool initialized;
  };

  void declare(const Variable& v) {
    if (!isOwn(v.storage)) return;
    const Type* type = v.type->element;
    const uint64_t leaves = type->leaves();
    const auto count = static_cast<uint32_t>(leaves <= kMaxParts ? leaves : 1);
    const auto index = static_cast<uint32_t>(variables_.size());
    const auto first = static_cast<uint32_t>(bits_);
    pointees_[v.id] = {index, first, count, leaves <= kMaxParts ? type : nullptr, !v.type->untyped};
    variables_.push_back({v.id, first, count, v.initializer != 0});
    bits_ += count;
  }

  // Blocks may stand before those that dominate them.
  void findPointers() {
    for (size_t known = 0; known != pointees_.size();) {
      known = pointees_.size();
      for (const Block& block : module_.entry.blocks)
        for (const Instruction& i : block.instructions) follow(i);
    }
  }

  void follow(const Instruction& i) {
    const PointsTo points_to = traitsOf(i.op).points_to;
    if (points_to == PointsTo::None || pointees_.contains(i.result)) return;
    const auto base = pointees_.find(baseOf(i));
    if (base == pointees_.end()) return;
    Pointee pointee = base->second;
    if (points_to == PointsTo::Part) {
      for (size_t k = 1; k < i.operands.size(); ++k) step(pointee, i.operands[k]);
    } else if (points_to != PointsTo::Same) {
      pointee.exact = false;
    }
    if (i.type->untyped) pointee.exact = false;
    pointees_[i.result] = pointee;
  }

  void step(Pointee& pointee, Id index) const {
    const Constant* constant = module_.constant(index);
    const bool inside = pointee.exact && pointee.type != nullptr && constant != nullptr &&
                        constant->leaves.size() == 1 && pointee.type->isComposite();
    const uint64_t parts = !inside                                  ? 0
                           : pointee.type->kind == TypeKind::Struct ? pointee.type->members.size()
                                                                    : pointee.type->count;
    if (!inside || constant->leaves[0] >= parts) {
      pointee.exact = false;
      return;
    }
    const auto at = static_cast<uint32_t>(constant->leaves[0]);
    pointee.first += static_cast<uint32_t>(leavesBefore(*pointee.type, at));
    pointee.type = componentType(*pointee.type, at);
    pointee.count = static_cast<uint32_t>(pointee.type->leaves());
  }

  void record(const Instruction& i, std::vector<Event>& events) const {
    auto add = [&](Event::Kind kind, const Pointee& pointee) {
      events.push_back({kind, pointee.variable, pointee.first, pointee.count});
    };
    auto find = [&](Id pointer) {
      const auto found = pointees_.find(pointer);
      return found == pointees_.end() ? nullptr : &found->second;
    };
    auto assign = [&](Id pointer) {
      const Pointee* pointee = find(pointer);
      if (pointee != nullptr && pointee->exact) add(Event::Kind::Assign, *pointee);
    };
    auto read = [&](Id pointer) {
      if (const Pointee* pointee = find(pointer)) add(Event::Kind::Read, *pointee);
    };
    if (pointees_.contains(i.result)) return;  // another pointer
    if (!accessesObject(i.op)) {
      for (Id id : valueOperands(i)) read(id);
      return;
    }
    const OpcodeTraits& traits = traitsOf(i.op);
    if (traits.loads != OpcodeTraits::kNone) read(i.operands[traits.loads]);
    if (traits.stores != OpcodeTraits::kNone) assign(i.operands[traits.stores]);
    if (traits.undefines != OpcodeTraits::kNone)
      if (const Pointee* pointee = find(i.operands[traits.undefines]))
        add(Event::Kind::Forget, *pointee);
  }

  void solve() {
    const std::vector<Block>& blocks = module_.entry.blocks;
    // What is assigned on every path to a block; at first, all that could be.
    std::vector<llvm::BitVector> at(blocks.size(), llvm::BitVector(bits_, true));
    at[0].reset();
    for (const Part& v : variables_)
      if (v.initialized) at[0].set(v.first, v.first + v.count);
    llvm::BitVector assigned;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t b = 0; b < blocks.size(); ++b) {
        assigned = at[b];
        for (const Event& e : events_[b]) apply(e, assigned);
        for (Id label : blocks[b].successors()) {
          const auto to = numbers_.find(label);
          if (to == numbers_.end() || to->second == 0 || !at[to->second].test(assigned)) continue;
          at[to->second] &= assigned;
          changed = true;
        }
      }
    }
    for (size_t b = 0; b < blocks.size(); ++b) {
      assigned = at[b];
      for (const Event& e : events_[b]) {
        if (e.kind != Event::Kind::Read)
          apply(e, assigned);
        else if (e.count != 0 && assigned.find_first_unset_in(e.first, e.first + e.count) >= 0)
          found_.insert(variables_[e.variable].id);
      }
    }
  }

  static void apply(const Event& e, llvm::BitVector& assigned) {
    if (e.kind == Event::Kind::Assign) assigned.set(e.first, e.first + e.count);
    if (e.kind == Event::Kind::Forget) assigned.reset(e.first, e.first + e.count);
  }

  const Module& module_;
  std::vector<Part> variables_;
  uint64_t bits_ = 0;
  std::unordered_map<Id, Pointee> pointees_;  // by pointer
  std::unordered_map<Id, size_t> numbers_;    // of blocks, by label
  std::vector<std::vector<Event>> events_;    // by block
  std::unordered_set<Id> found_;
};

}  // namespace

std::unordered_set<Id> variablesReadUnassigned(const Module& module) {
  return Analysis(module).run();
}

void markUnassigned(Module& module) {
  const std::unordered_set<Id> found = variablesReadUnassigned(module);
  if (found.empty()) return;
  std::unordered_map<const Type*, Id> nothing;  // undefined constants, whose leaves are all 0
  auto mark = [&](Variable& variable) {
    if (!found.contains(variable.id)) return;
    Id& constant = nothing[variable.type->element];
    if (constant == 0) {
      constant = module.bound++;
      module.constants[constant] = Constant{variable.type->element, {}, /*undef=*/true};
    }
    variable.initializer = constant;
  };
  // One that the client gave an initializer has a value at the start, whatever comes later.
  for (Variable& v : module.variables)
    if (v.initializer == 0) mark(v);
  for (Variable& v : module.entry.variables)
    if (v.initializer == 0) mark(v);
  WordArena words;
  for (Block& block : module.entry.blocks)
    for (Instruction& i : block.instructions)
      if (i.op == spv::Op::OpLifetimeStart && found.contains(i.operands[0]))
        i.operands = words.copy({i.operands[0], 1});
  words.moveTo(module.words);
}

}  // namespace jit::spirv
