// SPDX-License-Identifier: Apache-2.0

// The writer of a random program: from statements down to branches. makeRandomProgram() is what
// tests call.
#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "tests/jit/emit/random_control_flow_function.h"
#include "tests/jit/emit/random_control_flow_program.h"

namespace jit::test {

// What is around a statement.
struct Context {
  BlockIndex loop_merge = kNoBlock, loop_continue = kNoBlock, switch_merge = kNoBlock;
  // Invocations of a workgroup go through the loop, the switch, together; nobody leaves alone.
  bool lockstep_loop = false, lockstep_switch = false;
  // All invocations of the workgroup that have not returned get here together: barriers may be.
  bool uniform = false;
  bool may_return_alone = false;
  bool in_continue = false;
  int depth = 0;
};

// Of the parts of a construct.
inline Context deeper(Context c) {
  ++c.depth;
  return c;
}

// How deeply constructs are nested.
inline constexpr int kMaxDepth = 3;

struct InnerFunction {
  Id id;
  std::vector<ValueType> parameters;
  bool takes_pointer;  // to a uint, as the last parameter
  bool has_barrier;
};

class ProgramWriter {
 public:
  ProgramWriter(uint64_t seed, const std::set<uint64_t>& left_out)
      : left_out_(left_out), seed_(seed), module_(workgroupSize(seed)) {}

  RandomProgram write();

 private:
  // The number of times around a loop: in a phi of its header, or in a variable of its own.
  struct Counter {
    std::optional<RandomVariable> variable;
    FunctionWriter::OpenPhi phi;
    bool uniform;
  };

  enum class LoopKind { While, WhileInBody, DoWhile, SingleBlock };

  // Whether the workgroup is one instruction stream, for it holds a matrix.
  static bool isOneStream(uint64_t seed);
  static std::array<uint32_t, 3> workgroupSize(uint64_t seed);
  void addPrivateVariable(Random& random);
  void beginFunction(FunctionWriter& f);
  Id writeMain(uint64_t seed);
  void writeInner(uint64_t seed);
  void statements(const Context& c, uint64_t seed, uint32_t count);
  // The statements of a part of a construct.
  void part(const Context& around, uint64_t name, uint32_t k);
  void construct(const Context& c, uint64_t name);

  void simple(const Context& c);
  const RandomVariable& anyVariable();
  RandomValue condition(const Context& c);
  // Where invocations may go from here, leaving constructs; together or some of them.
  std::vector<BlockIndex> exits(const Context& c, bool together);
  bool mayReturn(const Context& c, bool together) const;
  void leave(const Context& c);
  void returns();
  // A branch out of a construct that needs no merge block of its own, or an if that returns.
  void leaveIf(const Context& c);
  void returnIf(const Context& c, const RandomValue& when, bool together);

  // Begins a block that several ways lead to; nothing follows when none does. `uniform`:
  // invocations come there on one of them together.
  void merge(BlockIndex block, bool uniform);
  // The same, where the block may become the header of a loop.
  void land(const Context& c, BlockIndex block, bool uniform);
  void ifElse(const Context& c, uint64_t name);
  void switchCase(const Context& c, uint64_t name);
  RandomValue count(const Counter& counter);
  // One more; the new number.
  RandomValue advance(Counter& counter);
  RandomValue loopBound(bool uniform);
  // A block that branches lead to already, as for merge().
  struct Landing {
    BlockIndex block;
    bool uniform;
  };
  // `landing`: its header.
  void loop(const Context& c, uint64_t name, std::optional<Landing> landing = {});
  // What may be in a loop of one block.
  void singleBlockStatement();
  // The end of a loop: around once more, or out.
  void repeat(LoopKind kind, Counter& counter, const std::vector<FunctionWriter::OpenPhi>& phis,
              const RandomValue& bound, BlockIndex continue_target, BlockIndex header,
              BlockIndex after);

  void call(const Context& c);
  Id pointerArgument();
  void controlBarrier();
  // A barrier, or an exchange of values through shared memory between two.
  void barrier();

  const std::set<uint64_t>& left_out_;
  const uint64_t seed_;
  ModuleWriter module_;
  FunctionWriter* f_ = nullptr;  // being written
  bool in_main_ = false;
  std::vector<RandomVariable> privates_;
  std::vector<InnerFunction> functions_;
  std::vector<uint64_t> statements_;
  uint32_t flags_ = 0;
};

}  // namespace jit::test
