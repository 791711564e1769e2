// SPDX-License-Identifier: Apache-2.0

// One invocation of the interpreter: runs until it has to wait for others.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "tests/jit/emit/interpreter.h"

namespace jit::test {

using InterpretedMemory = std::vector<uint32_t>;

struct InterpretedValue {
  std::vector<uint32_t> words;
  // Of a pointer: the object it is in, the word there, and the pointee's type.
  InterpretedMemory* memory = nullptr;
  uint32_t offset = 0;
  uint32_t pointee = 0;
};

// What the invocations of one workgroup share.
struct InterpretedWorkgroup {
  const ParsedModule& module;
  InterpretedDispatch& dispatch;
  uint32_t id;
  std::unordered_map<uint32_t, InterpretedMemory> shared;  // by variable

  uint32_t invocations() const {
    const auto& size = module.workgroup_size;
    return size[0] * size[1] * size[2];
  }
};

class Invocation {
 public:
  Invocation(InterpretedWorkgroup& workgroup, uint32_t index);

  enum class Stop { Ended, Barrier, SubgroupOperation };
  // To the next instruction that takes others, or to the end.
  Stop run();

  // At a subgroup operation: the instruction, what its operands are, and how it goes on.
  const ParsedInstruction& waiting() const { return *waiting_; }
  InterpretedValue get(uint32_t id);
  void complete(std::vector<uint32_t> result);
  uint32_t index() const { return index_; }  // in the workgroup

  // Where it is: function calls and loops from the outermost, each by its place in the code, loops
  // with how often they went around, and last the place of the instruction. Two invocations with
  // one position run the same dynamic instance of it (SPV_KHR_maximal_reconvergence), as all that
  // diverged is together again at merge blocks. Positions are ordered as the code is, in which
  // whatever leads to a block stands before it.
  std::vector<size_t> position() const;

 private:
  using Memory = InterpretedMemory;
  using Value = InterpretedValue;
  struct Loop {
    size_t header, merge;  // places in the code
    size_t round;
  };
  struct Frame {
    const ParsedFunction* function;
    size_t next = 0;        // place in function->code
    uint32_t block = 0;     // label
    uint32_t previous = 0;  // label
    uint32_t caller_result = 0;
    std::unordered_map<uint32_t, Value> values;
    std::vector<std::unique_ptr<Memory>> locals;
    std::vector<Loop> loops;  // that it is in
  };

  const ParsedModule& module() const { return workgroup_.module; }
  Frame& frame() { return frames_.back(); }
  Memory initial(uint32_t type, uint32_t initializer) const;
  Memory builtin(spv::BuiltIn which) const;
  void enter(uint32_t function, std::vector<Value> arguments, uint32_t result);
  void leave(Value value);
  uint32_t scalar(uint32_t id) { return get(id).words.at(0); }
  void jump(uint32_t label);
  void enterLoops(size_t place);
  Value accessChain(const ParsedInstruction& i);
  // The words of a part of a composite, named by literal indices.
  std::pair<uint32_t, uint32_t> part(uint32_t type_id, std::span<const uint32_t> indices) const;
  std::span<uint32_t> place(const Value& pointer);
  Value compute(const ParsedInstruction& i);
  // True when it has to wait: at a barrier, or at `waiting_`.
  bool step();

  InterpretedWorkgroup& workgroup_;
  const uint32_t index_;
  std::vector<std::unique_ptr<Memory>> own_;  // built-ins and Private variables
  std::unordered_map<uint32_t, Value> globals_;
  std::vector<Frame> frames_;
  const ParsedInstruction* waiting_ = nullptr;
  uint64_t steps_ = 0;
};

}  // namespace jit::test
