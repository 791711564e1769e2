// SPDX-License-Identifier: Apache-2.0

// One function of a random program while it is written: blocks with their dominators, the values
// that may be used in each place, and random computations on them.
#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

#include "tests/jit/emit/random_control_flow_module.h"
#include "tests/jit/emit/random_control_flow_random.h"

namespace jit::test {

struct RandomValue {
  Id id;
  ValueType type;
  bool uniform;  // the same for all invocations of a workgroup that get here
};

// A Function or Private variable, or a parameter that points to one: a value, or an array of them.
struct RandomVariable {
  Id id;
  spv::StorageClass storage;
  ValueType type;
  uint32_t length;  // of the array; 0: none
};

using BlockIndex = int;
inline constexpr BlockIndex kNoBlock = -1;

class FunctionWriter {
 public:
  FunctionWriter(ModuleWriter& module, Random random) : random(random), module_(module) {}

  Random random;

  // Blocks. Instructions go into the one that began last, until it is terminated.
  BlockIndex addBlock();
  void begin(BlockIndex block);
  bool open() const { return current_ != kNoBlock; }
  BlockIndex current() const { return current_; }
  bool reached(BlockIndex block) const { return !at(block).predecessors.empty(); }
  const std::vector<BlockIndex>& predecessors(BlockIndex block) const {
    return at(block).predecessors;
  }
  Id label(BlockIndex block) const { return at(block).label; }

  void selectionMerge(BlockIndex merge);
  void loopMerge(BlockIndex merge, BlockIndex continue_target);
  void branch(BlockIndex to);
  void branchIf(Id condition, BlockIndex yes, BlockIndex no);
  // cases: literal and target; the first target is the default's.
  void switchOn(Id selector, BlockIndex otherwise,
                const std::vector<std::pair<uint32_t, BlockIndex>>& cases);
  void terminate(spv::Op op, std::initializer_list<uint32_t> operands = {});

  // Instructions.
  void instruction(spv::Op op, std::vector<uint32_t> operands);
  Id result(spv::Op op, Id type, std::initializer_list<uint32_t> operands);
  Id result(spv::Op op, Id type, const std::vector<uint32_t>& operands);
  RandomValue define(ValueType type, spv::Op op, std::initializer_list<uint32_t> operands,
                     bool uniform);
  void makeVisible(const RandomValue& value) { at(current_).values.push_back(value); }

  // A phi of the current block, whose operands for predecessors yet to come are filled in later.
  struct OpenPhi {
    RandomValue value;
    size_t operand;  // place of the missing operand and its label
  };
  RandomValue phi(ValueType type, bool may_be_uniform);
  // `first`: what all predecessors so far bring; else something of each one's own.
  OpenPhi loopPhi(ValueType type, bool may_be_uniform, std::optional<RandomValue> first = {});
  void complete(const OpenPhi& phi, Id operand, BlockIndex from);

  // Random values. `uniform`: only such ones.
  RandomValue constant(ValueType type);
  RandomValue pick(ValueType type, bool uniform = false) { return pickAt(current_, type, uniform); }
  RandomValue pickAt(BlockIndex block, ValueType type, bool uniform);
  ValueType anyType() { return static_cast<ValueType>(random.below(kValueTypes)); }
  // Computes something new from values that are there.
  RandomValue compute(ValueType type, bool uniform = false);
  RandomValue below(uint32_t limit, bool uniform);  // uint
  RandomValue varying();                            // uint, most likely another for each invocation
  RandomValue decision(bool uniform);               // bool
  RandomValue subgroupOperation();
  RandomValue loadInput(bool uniform);
  RandomValue loadBuiltin();

  // Memory.
  RandomVariable addVariable(ValueType type, uint32_t length);
  // A matrix that nothing else is done with: ModuleWriter::workgroupMatrix().
  void addWorkgroupMatrix();
  void see(const RandomVariable& variable) { variables_.push_back(variable); }
  void forget(size_t from) { variables_.resize(from); }
  const std::vector<RandomVariable>& variables() const { return variables_; }
  RandomValue loadVariable(const RandomVariable& variable);
  void storeVariable(const RandomVariable& variable);
  // Adds to, or replaces, one of the invocation's own words of the output.
  void storeOutput();
  RandomValue loadOutput();
  void setFlag(uint32_t flag);

  // Words of the whole function; `declaration` are those of OpFunction and its parameters.
  std::vector<uint32_t> finish(const std::vector<uint32_t>& declaration) const;

 private:
  struct Block {
    Id label;
    std::vector<BlockIndex> predecessors;
    BlockIndex dominator = kNoBlock;
    int depth = 0;
    std::vector<RandomValue> values;
  };
  Block& at(BlockIndex b) { return blocks_[static_cast<size_t>(b)]; }
  const Block& at(BlockIndex b) const { return blocks_[static_cast<size_t>(b)]; }
  void addEdge(BlockIndex to);
  // Operands of a phi of the current block: `value`, or what each predecessor has. Clears `uniform`
  // where one of them is not.
  std::vector<uint32_t> brought(ValueType type, std::optional<RandomValue> value, bool& uniform);
  RandomValue copy(const RandomValue& value);
  RandomValue compare(const RandomValue& a, bool uniform);
  RandomValue computeUint(bool uniform);
  RandomValue computeVector(ValueType type, bool uniform);
  // A part of a variable to read or write.
  struct Place {
    Id pointer;
    ValueType type;
  };
  Place place(const RandomVariable& variable);
  Id invocationIndex();  // among all of the dispatch
  Id outputPlace();
  Id element(Buffer buffer, Id index);
  Id uint() { return module_.type(ValueType::Uint); }

  ModuleWriter& module_;
  std::vector<Block> blocks_;
  BlockIndex current_ = kNoBlock;
  std::vector<RandomVariable> variables_;
  std::vector<uint32_t> variable_words_, code_;
};

}  // namespace jit::test
