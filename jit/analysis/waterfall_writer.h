// SPDX-License-Identifier: Apache-2.0

// Writes waterfall loops into a module: waterfall_loops.h says what they are, and decides around
// what they go.
#pragma once

#include <initializer_list>
#include <unordered_map>
#include <utility>
#include <vector>

#include "jit/analysis/expected_value.h"
#include "jit/spirv/module.h"
#include "jit/spirv/word_arena.h"

namespace jit::simt {

// A value that invocations are expected to have in common, but for its base if there is one.
struct SharedValue {
  spirv::Id id;
  const spirv::Type* type;
  ExpectedValue expected;
};

// Code that one side of a selection goes to, and nothing else.
struct SelectionArm {
  spirv::Id selection, first, merge;
  std::vector<spirv::Id> blocks;
  std::vector<SharedValue> values;  // of those that it reads
};

class WaterfallWriter {
 public:
  // `boolean` is the module's type of truth values; `block_of` says by label where its blocks are.
  WaterfallWriter(spirv::Module& module, const spirv::Type& boolean,
                  std::unordered_map<spirv::Id, size_t> block_of)
      : module_(module), boolean_(boolean), block_of_(std::move(block_of)) {}

  // Around the loop with this header, which `before` branches to: those go through it together
  // whose `counters`, phis of the header's, begin alike.
  void wrapLoop(spirv::Id header, spirv::Id before, const std::vector<SharedValue>& counters);

  // Around the arm: with its values alike.
  void wrapArm(const SelectionArm& arm);

  // The module takes over what was written. Once, at the end.
  void finish() { words_.moveTo(module_.words); }

 private:
  // What goes around `first`, code that ends at `merge`:
  //
  //   before -> around -> test -> inner -> first ... -> leave -> merge
  //                ^        |
  //                `- again <- those who have another number
  struct Waterfall {
    spirv::Block around, test, inner, leave, again;
    spirv::Id alike = 0;  // whether an invocation has all that the first one has
  };

  spirv::Block& block(spirv::Id label) { return module_.entry.blocks[block_of_.at(label)]; }
  spirv::Instruction instruction(spv::Op op, const spirv::Type* type,
                                 std::initializer_list<uint32_t> operands,
                                 const spirv::Instruction& like);
  spirv::Block plainBlock(spirv::Id target, const spirv::Instruction& like);
  Waterfall begin(spirv::Id first, spirv::Id merge, const spirv::Instruction& like);
  spirv::Id shared(Waterfall& made, spirv::Id value, const SharedValue& as,
                   const spirv::Instruction& like);
  void append(Waterfall made, const spirv::Instruction& like);
  void append(spirv::Block block);
  void replaceValues(spirv::Instruction& i,
                     const std::unordered_map<spirv::Id, spirv::Id>& instead);
  void renameBlock(spirv::Instruction& phi, spirv::Id from, spirv::Id to);
  void joinInFront(spirv::Instruction& phi, const SelectionArm& arm, spirv::Block& leave);
  spirv::Id constant(const spirv::Type& type, uint64_t value);
  spirv::Id subgroupScope(const spirv::Type& type);
  void redirect(spirv::Block& block, spirv::Id from, spirv::Id to);

  spirv::Module& module_;
  const spirv::Type& boolean_;
  std::unordered_map<spirv::Id, size_t> block_of_;  // by label
  spirv::WordArena words_;
  spirv::Id scope_ = 0;
};

}  // namespace jit::simt
