// SPDX-License-Identifier: Apache-2.0

// Puts random statements together; generator.h is its door.
#pragma once

#include <algorithm>
#include <vector>

#include "tests/matrix/generator.h"
#include "tests/matrix/random.h"
#include "tests/matrix/regions.h"

namespace matrices {

// OpUConvert makes unsigned integers only.
bool isConvertible(ElementType from, ElementType to);
// Integers of one width: their conversion is an OpBitcast.
bool isBitcast(ElementType from, ElementType to);

class Builder {
 public:
  Builder(const Facts& facts, uint64_t seed)
      : facts_(facts), random_(seed), regions_(random_, facts, program_) {
    program_.seed = seed;
  }
  Program build();

 private:
  // builder.cpp: the program, values, single statements.
  void chooseInvocations();
  void offer(const Multiplication& row);
  void chooseRows();
  // A row whose matrices may be used here.
  Multiplication row();
  bool isUsable(Scope scope) const { return together_ || scope == Scope::Subgroup; }
  void statements(Block& block, uint32_t count);
  void statement(Block& block);
  ValueId newValue(const MatrixType& type);
  // A value of the type: one that there is, or one that is loaded or made now.
  ValueId some(Block& block, const MatrixType& type, Contents contents);
  ValueId load(Block& block, const MatrixType& type, Contents contents);
  ValueId splat(Block& block, const MatrixType& type, Contents contents);
  void store(Block& block, ValueId value);
  ValueId any(Block& block);
  const MatrixType& type(ValueId id) const { return program_.values[id]; }
  void keep(ValueId id) { live_.push_back(id); }
  uint32_t newRegion(const MatrixType& type, bool workgroup, Contents contents);
  void arithmetic(Block& block);
  void convert(Block& block);
  void multiplyAdd(Block& block);
  void pass(Block& block);
  void replaceNegative(Block& block);
  void holders(Block& block);

  // builder_functions.cpp: what extensions add.
  void convertUse(Block& block);
  void eachElement(Block& block);
  void reduction(Block& block);

  // builder_flow.cpp: control flow, and what needs all of a workgroup.
  Condition condition();
  void branch(Block& block);
  void loop(Block& block);
  void exchange(Block& block);
  void product(Block& block);
  void readyOperand(Block& block, ValueId& operand);
  uint32_t sharedBytes() const;  // that there may be

  const Facts& facts_;
  Random random_;
  Program program_;
  Regions regions_;
  std::vector<Contents> contents_;       // of the regions
  std::vector<Multiplication> offered_;  // what the program may use
  std::vector<MatrixType> types_;        // of those
  std::vector<Multiplication> rows_;     // what it uses
  std::vector<ValueId> live_;            // values that statements may use
  int32_t budget_ = 0;                   // of instructions that take time to compile
  uint32_t depth_ = 0;                   // of branches and loops around
  uint32_t loops_ = 0;                   // of loops around
  bool together_ = true;                 // all subgroups of a workgroup come here
};

}  // namespace matrices
