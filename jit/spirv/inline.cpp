// SPDX-License-Identifier: Apache-2.0

// Inlining: module.h says what the result looks like. The copies are made from the module's own
// instructions, top down, with an explicit stack of the calls that are open.
#include <algorithm>

#include "jit/base/error.h"
#include "jit/spirv/reading.h"
#include "jit/spirv/word_arena.h"

namespace jit::spirv {

namespace {

// Trees of calls grow exponentially with the text.
constexpr uint64_t kMaxInstructions = 1 << 20;

using Functions = std::unordered_map<Id, Function>;

// Functions called by `function`, in order, one entry a call.
std::vector<Id> callees(const Function& function) {
  std::vector<Id> ids;
  for (const Block& block : function.blocks)
    for (const Instruction& instruction : block.instructions)
      if (instruction.op == spv::Op::OpFunctionCall) ids.push_back(instruction.operands[0]);
  return ids;
}

// Refuses recursion and code that would become too large.
llvm::Error checkCalls(const Module& module, const Functions& functions, Id entry) {
  struct Visit {
    Id id;
    std::vector<Id> calls;
    size_t next = 0;
    uint64_t size = 0;  // instructions after inlining
  };
  auto visitOf = [&](Id id) {
    const Function& function = functions.at(id);
    Visit visit{id, callees(function)};
    for (const Block& block : function.blocks) visit.size += block.instructions.size() + 2;
    return visit;
  };
  std::unordered_map<Id, uint64_t> sizes;  // of functions that are done
  std::unordered_set<Id> active{entry};
  std::vector<Visit> stack{visitOf(entry)};
  while (!stack.empty()) {
    Visit& visit = stack.back();
    if (visit.next == visit.calls.size()) {
      active.erase(visit.id);
      sizes[visit.id] = visit.size;
      stack.pop_back();
      continue;
    }
    const Id callee = visit.calls[visit.next];
    if (active.contains(callee))
      return malformed("function " + module.describe(callee) +
                       " calls itself; SPIR-V has no recursion");
    auto size = sizes.find(callee);
    if (size == sizes.end()) {
      active.insert(callee);
      stack.push_back(visitOf(callee));
      continue;
    }
    visit.size += size->second + 3;
    ++visit.next;
    if (visit.size > kMaxInstructions)
      return unsupported("function " + module.describe(visit.id) + " has more than " +
                         std::to_string(kMaxInstructions) + " instructions with all its calls");
  }
  return llvm::Error::success();
}

class Inliner {
 public:
  Inliner(Reading& reading, const Functions& functions, Id entry)
      : reading_(reading), module_(reading.module), functions_(functions), entry_(entry) {}

  llvm::Expected<Function> inlineAll() {
    const Function& entry = functions_.at(entry_);
    result_.id = entry.id;
    result_.return_type = entry.return_type;
    result_.variables = entry.variables;
    next_id_ = module_.bound;
    stack_.push_back(Call{&entry});
    while (!stack_.empty()) {
      if (llvm::Error error = step()) return error;
    }
    renamePhiParents();
    module_.bound = next_id_;
    words_.moveTo(module_.words);
    return std::move(result_);
  }

 private:
  // A function whose blocks are being copied.
  struct Call {
    const Function* function;
    std::unordered_map<Id, Id> ids = {};  // callee's own ids, parameters -> ids in the result
    const Instruction* call = nullptr;    // null for the entry function
    Id result = 0;                        // of the call, in the result
    Id continuation = 0;                  // label of the block after the call
    std::vector<std::pair<Id, Id>> returns = {};  // (value or 0, label of the block)
    size_t block = 0, instruction = 0;            // next to copy
    bool in_block = false;                        // result_.blocks.back() continues `block`
    Location at = {};                             // of the call, in the result
    uint32_t inlined = 0;                         // of Location::call; 0: the entry function
    std::unordered_map<uint32_t, uint32_t> inlined_within =
        {};           // the callee's own -> in the result
    Id loop_end = 0;  // see beginBlock
  };

  Id freshId() { return next_id_++; }

  static Id map(const Call& call, Id id) {
    auto found = call.ids.find(id);
    return found == call.ids.end() ? id : found->second;
  }

  // A location of the callee's code where it stands now.
  Location located(Call& call, Location location) {
    if (call.inlined != 0) location.call = inlinedIn(call, location.call);
    return location;
  }

  uint32_t inlinedIn(Call& call, uint32_t inner) {
    if (inner == 0) return call.inlined;
    if (auto found = call.inlined_within.find(inner); found != call.inlined_within.end())
      return found->second;
    InlinedCall copy = module_.inlined_calls[inner - 1];
    copy.at = located(call, copy.at);
    module_.inlined_calls.push_back(std::move(copy));
    return call.inlined_within[inner] = static_cast<uint32_t>(module_.inlined_calls.size());
  }

  Block& current() { return result_.blocks.back(); }

  void startBlock(Id label) {
    result_.blocks.emplace_back();
    current().label = label;
  }

  void endWithBranch(Id target, const Location& location) {
    Instruction branch;
    branch.op = spv::Op::OpBranch;
    branch.operands = words_.copy({target});
    branch.location = location;
    current().terminator = branch;
  }

  Instruction copyOf(Call& call, const Instruction& original) {
    Instruction copy = original;
    if (!call.call) return copy;  // the entry function keeps its ids
    copy.location = located(call, original.location);
    copy.result = map(call, original.result);
    std::span<uint32_t> words = words_.allocate(original.operands.size());
    for (size_t i = 0; i < words.size(); ++i) {
      const uint32_t& word = original.operands[i];
      words[i] = reading_.binary.isId(&word) ? map(call, word) : word;
    }
    copy.operands = words;
    return copy;
  }

  static bool hasCall(const Block& block) {
    return std::any_of(block.instructions.begin(), block.instructions.end(),
                       [](const Instruction& i) { return i.op == spv::Op::OpFunctionCall; });
  }

  // Goes on until the function on top of the stack ends or calls.
  llvm::Error step() {
    Call& call = stack_.back();
    while (call.block < call.function->blocks.size()) {
      const Block& block = call.function->blocks[call.block];
      if (!call.in_block) beginBlock(call, block);
      while (call.instruction < block.instructions.size()) {
        const Instruction& instruction = block.instructions[call.instruction++];
        if (instruction.op == spv::Op::OpFunctionCall) return enter(call, instruction);
        current().instructions.push_back(copyOf(call, instruction));
      }
      endBlock(call, block);
    }
    leave();
    return llvm::Error::success();
  }

  // A loop header keeps its label, phis and merge; what may call goes to a block of its own.
  // Where the loop is a single block, that is its own continue target, the continue construct
  // becomes a last block with the terminator, `loop_end`.
  void beginBlock(Call& call, const Block& block) {
    call.in_block = true;
    startBlock(map(call, block.label));
    if (block.merge_kind != MergeKind::Loop || !hasCall(block)) return;
    while (call.instruction < block.instructions.size() &&
           block.instructions[call.instruction].op == spv::Op::OpPhi)
      current().instructions.push_back(copyOf(call, block.instructions[call.instruction++]));
    setMerge(call, block);
    if (block.continue_block == block.label) current().continue_block = call.loop_end = freshId();
    const Id body = freshId();
    endWithBranch(body, located(call, block.terminator.location));
    startBlock(body);
  }

  void setMerge(const Call& call, const Block& block) {
    current().merge_kind = block.merge_kind;
    current().merge_control = block.merge_control;
    current().merge_block = map(call, block.merge_block);
    current().continue_block = map(call, block.continue_block);
  }

  void endBlock(Call& call, const Block& block) {
    const bool split_header = block.merge_kind == MergeKind::Loop && hasCall(block);
    if (!split_header && block.merge_kind != MergeKind::None) setMerge(call, block);
    if (call.loop_end != 0) {
      endWithBranch(call.loop_end, located(call, block.terminator.location));
      startBlock(call.loop_end);
      call.loop_end = 0;
    }
    const Id label = map(call, block.label);
    if (current().label != label) last_part_[label] = current().label;
    const bool returns =
        block.terminator.op == spv::Op::OpReturn || block.terminator.op == spv::Op::OpReturnValue;
    if (call.call && returns) {
      const bool value = block.terminator.op == spv::Op::OpReturnValue;
      call.returns.emplace_back(value ? map(call, block.terminator.operands[0]) : 0,
                                current().label);
      endWithBranch(call.continuation, located(call, block.terminator.location));
    } else {
      current().terminator = copyOf(call, block.terminator);
    }
    call.in_block = false;
    call.instruction = 0;
    ++call.block;
  }

  // Ends the current block with a branch to a copy of the callee. `caller` dies here.
  llvm::Error enter(Call& caller, const Instruction& instruction) {
    const Function& callee = functions_.at(instruction.operands[0]);
    const auto arguments = instruction.operands.subspan(1);
    if (arguments.size() != callee.parameters.size())
      return malformed(module_.describe(instruction) + " passes " +
                       std::to_string(arguments.size()) + " arguments to a function of " +
                       std::to_string(callee.parameters.size()));
    Call call{&callee};
    call.call = &instruction;
    call.result = map(caller, instruction.result);
    call.continuation = freshId();
    call.at = located(caller, instruction.location);
    module_.inlined_calls.push_back({call.at, module_.functionName(callee.id), callee.is_written});
    call.inlined = static_cast<uint32_t>(module_.inlined_calls.size());
    for (size_t i = 0; i < arguments.size(); ++i)
      call.ids[callee.parameters[i]] = map(caller, arguments[i]);
    renameIds(call);

    current().merge_kind = MergeKind::Selection;
    current().merge_block = call.continuation;
    endWithBranch(map(call, callee.blocks[0].label), call.at);
    beginBlock(call, callee.blocks[0]);
    addVariables(call);
    stack_.push_back(std::move(call));
    return llvm::Error::success();
  }

  void renameIds(Call& call) {
    auto rename = [&](Id id) {
      if (id == 0) return;
      const Id fresh = freshId();
      call.ids[id] = fresh;
      if (auto found = module_.decorations.find(id); found != module_.decorations.end()) {
        const Decorations copy = found->second;
        module_.decorations[fresh] = copy;
      }
      if (auto found = module_.names.find(id); found != module_.names.end()) {
        const std::string copy = found->second;
        module_.names[fresh] = copy;
      }
    };
    for (const Variable& variable : call.function->variables) rename(variable.id);
    for (const Block& block : call.function->blocks) {
      rename(block.label);
      for (const Instruction& instruction : block.instructions) rename(instruction.result);
    }
  }

  // The callee's variables become the entry function's. At each call they are set to their
  // initializers, or have no value: in a loop nothing is carried from one call to the next.
  void addVariables(const Call& call) {
    for (const Variable& original : call.function->variables) {
      Variable variable = original;
      variable.id = map(call, original.id);
      variable.initializer = 0;
      result_.variables.push_back(variable);
      Instruction start;
      start.op = original.initializer != 0 ? spv::Op::OpStore : spv::Op::OpLifetimeStart;
      start.operands = words_.copy({variable.id, original.initializer});
      start.word = call.call->word;
      start.location = call.at;
      current().instructions.push_back(start);
    }
  }

  // The function on top of the stack is copied: goes on after its call, with its value.
  void leave() {
    Call call = std::move(stack_.back());
    stack_.pop_back();
    if (!call.call) return;
    startBlock(call.continuation);
    Instruction value = *call.call;
    value.result = call.result;
    value.location = call.at;
    if (!value.type || value.type->kind == TypeKind::Void) return;
    if (call.returns.empty()) {
      value.op = spv::Op::OpUndef;
      value.operands = {};
    } else if (call.returns.size() == 1) {
      value.op = spv::Op::OpCopyObject;
      value.operands = words_.copy({call.returns[0].first});
    } else {
      value.op = spv::Op::OpPhi;
      std::span<uint32_t> words = words_.allocate(call.returns.size() * 2);
      for (size_t i = 0; i < call.returns.size(); ++i) {
        words[2 * i] = call.returns[i].first;
        words[2 * i + 1] = call.returns[i].second;
      }
      value.operands = words;
    }
    current().instructions.push_back(value);
  }

  // A block that was split ends in its last part: that is what follows it in the control flow.
  void renamePhiParents() {
    for (Block& block : result_.blocks)
      for (Instruction& phi : block.instructions) {
        if (phi.op != spv::Op::OpPhi) break;
        bool changes = false;
        for (size_t i = 1; i < phi.operands.size(); i += 2)
          changes |= last_part_.contains(phi.operands[i]);
        if (!changes) continue;
        std::span<uint32_t> words = words_.copy(phi.operands);
        for (size_t i = 1; i < words.size(); i += 2)
          if (auto last = last_part_.find(words[i]); last != last_part_.end())
            words[i] = last->second;
        phi.operands = words;
      }
  }

  Reading& reading_;
  Module& module_;
  const Functions& functions_;
  const Id entry_;
  Function result_;
  std::vector<Call> stack_;
  WordArena words_;
  std::unordered_map<Id, Id> last_part_;  // label of a split block -> label of its last part
  Id next_id_ = 0;
};

}  // namespace

llvm::Expected<Function> inlineCalls(Reading& reading, const Functions& functions, Id entry) {
  if (!functions.at(entry).parameters.empty())
    return malformed("the entry point " + reading.module.describe(entry) + " has parameters");
  if (llvm::Error error = checkCalls(reading.module, functions, entry)) return error;
  return Inliner(reading, functions, entry).inlineAll();
}

}  // namespace jit::spirv
