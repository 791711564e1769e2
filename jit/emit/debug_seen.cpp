// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/debug_seen.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>

#include <map>
#include <tuple>
#include <vector>

#include "jit/emit/debug_locations.h"
#include "jit/spirv/internal_ops.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

namespace {

// Of blocks around each other; a module may say that they go in circles.
constexpr int kMostScopes = 256;

bool isSaid(const Instruction& i) { return i.op == opcode(InternalOp::DebugValue); }

// Backwards from where debuggers stop, which is where the place changes, or what is done is no
// plain operation: it may wait.
class SeenValues {
 public:
  SeenValues(const Module& module, const simt::Linearization& linearization)
      : module_(module), nodes_(linearization.nodes()) {
    const auto count = static_cast<unsigned>(module.debug.variables.size());
    seen_.resize(nodes_.size(), llvm::BitVector(count));
    for (const Block& block : module.entry.blocks)
      for (const Instruction& i : block.instructions)
        if (i.result != 0) types_[i.result] = i.type;
  }

  llvm::DenseSet<const Instruction*> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t n = static_cast<uint32_t>(nodes_.size()); n-- > 0;) {
        llvm::BitVector seen = behind(n);
        walk(n, seen, nullptr);
        changed |= seen != seen_[n];
        seen_[n] = std::move(seen);
      }
    }
    llvm::DenseSet<const Instruction*> unseen;
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      llvm::BitVector seen = behind(n);
      walk(n, seen, &unseen);
    }
    return unseen;
  }

 private:
  // Nodes run one after the other where invocations go different ways, and those who wait are
  // looked at, too.
  llvm::BitVector behind(uint32_t n) const {
    const simt::Node& node = nodes_[n];
    llvm::BitVector seen(static_cast<unsigned>(module_.debug.variables.size()));
    for (uint32_t next : node.successors) seen |= seen_[next];
    for (uint32_t next : {node.next, node.skip, node.latch ? node.loop : simt::kNoNode, n + 1})
      if (next < nodes_.size()) seen |= seen_[next];
    return seen;
  }

  void walk(uint32_t n, llvm::BitVector& seen, llvm::DenseSet<const Instruction*>* unseen) {
    if (nodes_[n].latch) return;
    const Block& block = module_.entry.blocks[nodes_[n].block];
    const auto& code = block.instructions;
    arrive(block.terminator, code.empty() ? nullptr : &code.back(), seen);
    for (size_t k = code.size(); k-- > 0;) {
      if (isSaid(code[k])) say(code[k], seen, unseen);
      arrive(code[k], k == 0 ? nullptr : &code[k - 1], seen);
    }
  }

  void say(const Instruction& i, llvm::BitVector& seen,
           llvm::DenseSet<const Instruction*>* unseen) const {
    const uint32_t variable = i.operands[0];
    if (!seen.test(variable)) {
      if (unseen != nullptr) unseen->insert(&i);
      return;
    }
    const Constant* constant = module_.constant(i.operands[1]);
    const Type* type = constant != nullptr ? constant->type : types_.lookup(i.operands[1]);
    if (type != nullptr && type->leaves() == module_.debug.variables[variable].type->leaves())
      seen.reset(variable);
  }

  void arrive(const Instruction& i, const Instruction* before, llvm::BitVector& seen) {
    auto place = [&](const Instruction& at) {
      const Location& l = ofClient(module_, at.location);
      return std::tuple(l.line, l.file, l.scope, l.call);
    };
    const bool is_plain = traitsOf(i.op).effect != Effect::Any || i.op == spv::Op::OpStore ||
                          internalOp(i.op).has_value();
    if (is_plain && before != nullptr && place(*before) == place(i)) return;
    const Location& at = ofClient(module_, i.location);
    auto [known, is_new] = declared_.try_emplace({at.call, at.scope});
    if (is_new) {
      const auto& variables = module_.debug.variables;
      known->second.resize(static_cast<unsigned>(variables.size()));
      for (unsigned v = 0; v < variables.size(); ++v)
        if (isDeclaredAt(module_, variables[v], at)) known->second.set(v);
    }
    seen |= known->second;
  }

  const Module& module_;
  const std::vector<simt::Node>& nodes_;
  std::vector<llvm::BitVector> seen_;  // by node: variables that are seen before they are set
  llvm::DenseMap<Id, const Type*> types_;
  std::map<std::pair<uint32_t, Id>, llvm::BitVector> declared_;  // by call and scope
};

}  // namespace

bool isDeclaredAt(const Module& module, const DebugVariable& variable, const Location& place) {
  const Location* at = &place;
  while (at->call != variable.at.call) {
    if (at->call == 0) return false;
    at = &ofClient(module, module.inlined_calls[at->call - 1].at);
  }
  auto scopeOf = [&](Id id) -> const DebugScope* {
    auto scope = module.debug.scopes.find(id);
    return scope == module.debug.scopes.end() ? nullptr : &scope->second;
  };
  const DebugScope* own = scopeOf(variable.at.scope);
  if (own == nullptr || own->is_function || variable.parameter != 0) return true;
  Id id = at->scope;
  for (int depth = 0; depth < kMostScopes; ++depth) {
    if (id == variable.at.scope) return true;
    const DebugScope* scope = scopeOf(id);
    if (scope == nullptr) return true;
    if (scope->is_function) return false;
    id = scope->parent;
  }
  return true;
}

llvm::DenseSet<const Instruction*> unseenValues(const Module& module,
                                                const simt::Linearization& linearization) {
  return SeenValues(module, linearization).run();
}

}  // namespace jit::spirv
