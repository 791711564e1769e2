// SPDX-License-Identifier: Apache-2.0

// What the values of a loop's round follow from: its counters, and memory. For
// analysis/waiting_loop.h, in whose loops rounds differ in nothing else.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>

#include <array>
#include <unordered_map>

#include "jit/analysis/linearization.h"
#include "jit/analysis/uniformity.h"
#include "jit/spirv/module.h"

namespace jit::simt {

// The instructions of a loop and of those inside of it, but for what leads out of it only.
struct RoundCode {
  uint32_t header = 0;
  struct Part {
    const spirv::Block* block;
    bool is_inner_header;
    bool is_passed_by;  // it is none of an inner loop, and some rounds do not come to it
  };
  llvm::SmallVector<Part, 8> parts;
  std::unordered_map<spirv::Id, const spirv::Instruction*> definitions;
  // Loads and atomic operations whose memory may change; and stores to variables of the invocation,
  // by variable: the loads of these are among the reads.
  llvm::SmallVector<const spirv::Instruction*, 2> reads;
  std::unordered_map<spirv::Id, llvm::SmallVector<const spirv::Instruction*, 2>> stores;

  bool isOutside(spirv::Id id) const { return definitions.count(id) == 0; }
};

// Bits of what a value follows from.
enum Source : uint8_t {
  kCounter = 1,  // a counter: as a number, or as a condition that compares it with what is the same
  kMemory = 2,   // what memory holds, as a number
  kDecided = 4,  // what memory holds, as a number or as a condition
  kTurns = 8,    // the turns of an inner loop
  kSearch = 16   // counters, in a way that does not tell when something comes of it
};

class RoundValues {
 public:
  // `watched`: phis of the header that are not taken for counters.
  RoundValues(const spirv::Module& module, const Linearization& linearization,
              const UniformityAnalysis& uniformity, const RoundCode& code,
              const llvm::DenseSet<spirv::Id>& watched);

  // The header's phis that are no counters. A counter is what in each round becomes a counter, or
  // keeps its value or gets another that stays the same, plus what stays the same.
  const llvm::SmallVector<const spirv::Instruction*, 4>& state() const { return state_; }
  // Bits of a value, or of all that an instruction takes.
  uint8_t sources(spirv::Id id) const { return sources_.lookup(id); }
  uint8_t sources(const spirv::Instruction& i) const;
  // Adds the counters that a value follows from to those which are watched: of what searches, those
  // that it searches by. Whether there are some, and each may stay as it is in a round.
  bool watch(spirv::Id id, llvm::DenseSet<spirv::Id>& watched) const;

 private:
  // What a number is made of by choices and by adding what stays the same.
  struct Sum {
    bool adds = false, is_known = true;
    llvm::SmallVector<const spirv::Instruction*, 4> phis;   // of the header
    llvm::SmallVector<const spirv::Instruction*, 4> plain;  // those to which nothing is added
    std::array<llvm::SmallDenseSet<spirv::Id>, 2> seen;     // before something was added, and after
  };
  bool isOfHeader(const spirv::Instruction& i) const;
  void take(spirv::Id id, bool added, Sum& sum) const;
  Sum nextOf(const spirv::Instruction& phi) const;
  bool isCounter(const spirv::Instruction& phi) const;
  void divideHeader(const llvm::DenseSet<spirv::Id>& watched);
  bool searches(const spirv::Instruction& i, uint8_t sources) const;
  uint8_t sourcesOfResult(const spirv::Instruction& i, bool is_inner_header) const;

  const spirv::Module& module_;
  const Linearization& linearization_;
  const UniformityAnalysis& uniformity_;
  const RoundCode& code_;
  llvm::DenseSet<spirv::Id> counters_;
  llvm::SmallVector<const spirv::Instruction*, 4> state_;
  llvm::DenseMap<spirv::Id, uint8_t> sources_;
};

}  // namespace jit::simt
