// SPDX-License-Identifier: Apache-2.0

// Integers that move evenly from lane to lane if a condition holds that is known when the code
// runs: what clamps, quotients and choices make of numbers whose lane shape is known
// (analysis/lane_shape.h), where no proof says that all lanes are on one side. One scalar test then
// stands for all lanes.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include <optional>

#include "jit/emit/emit_lanes.h"

namespace jit::spirv {

// Lane l has `first` + the sum of the weights of the bits of l, modulo 2^width, if `holds`: for the
// live lanes, of which lane 0 may be none. `first` is computed from what operands have in lane 0.
struct ExpectedLanes {
  llvm::Value* first = nullptr;                // scalar
  llvm::SmallVector<llvm::Value*, 6> weights;  // by bit of the lane's number
  llvm::Value* holds = nullptr;                // i1; null: always

  bool moves() const;
};

// Where an access is if `holds`.
struct ExpectedAddress {
  LaneForm form;  // of its offset
  llvm::Value* holds;
};

// The rules. Operands are of one integer type or truth values; results are none where nothing is to
// be expected.
class LaneRules {
 public:
  using Result = std::optional<ExpectedLanes>;
  using Predicate = llvm::CmpInst::Predicate;
  explicit LaneRules(llvm::IRBuilder<>& ir) : ir_(ir) {}

  ExpectedLanes uniform(llvm::Value* value, unsigned bits) const;
  Result add(const ExpectedLanes& a, const ExpectedLanes& b);
  Result subtract(const ExpectedLanes& a, const ExpectedLanes& b);
  Result subtractFrom(int64_t constant, const ExpectedLanes& a);
  Result multiply(const ExpectedLanes& a, const ExpectedLanes& b);
  // The less or the greater one: in all lanes the one that moves.
  Result extremum(const ExpectedLanes& a, const ExpectedLanes& b, bool greatest, bool is_signed);
  Result absolute(const ExpectedLanes& a);
  // By what does not move; one quotient for all lanes, or by 2^n one for each run of lanes.
  Result quotient(const ExpectedLanes& a, const ExpectedLanes& by, bool is_signed);
  Result remainder(const ExpectedLanes& a, const ExpectedLanes& by, bool is_signed);
  // With what does not move. Or and exclusive or: with bits that are the same in all lanes. And:
  // with all bits that are not, if that is what the other operand looks like, or with none.
  enum class Bitwise : uint8_t { And, Or, Xor };
  Result bitwise(Bitwise operation, const ExpectedLanes& a, const ExpectedLanes& b);
  // By what does not move; to the right as quotients.
  Result shiftRight(const ExpectedLanes& a, const ExpectedLanes& amount, bool is_signed);
  Result shiftLeft(const ExpectedLanes& a, const ExpectedLanes& amount);
  // One answer for all lanes.
  Result compare(Predicate predicate, const ExpectedLanes& a, const ExpectedLanes& b);
  Result logical(const ExpectedLanes& a, const ExpectedLanes& b, bool conjunction);
  Result negated(const ExpectedLanes& a);
  Result select(const ExpectedLanes& condition, const ExpectedLanes& a, const ExpectedLanes& b);
  Result convert(const ExpectedLanes& a, llvm::Type* type, bool is_signed);

 private:
  // The least and the greatest of all lanes, in 64 bits, and that they are numbers of the type.
  struct Range {
    llvm::Value *least, *greatest, *fits;
  };
  struct Runs {
    llvm::SmallVector<llvm::Value*, 6> quotients, rests;  // weights
    llvm::Value* holds = nullptr;
  };
  std::optional<Runs> inRuns(const ExpectedLanes& a, unsigned n, bool is_signed);
  std::optional<Range> range(const ExpectedLanes& a, bool is_signed);
  llvm::Value* both(llvm::Value* a, llvm::Value* b);
  llvm::Value* wide(llvm::Value* v, bool is_signed);
  std::optional<std::pair<llvm::Value*, llvm::Value*>> divided(const ExpectedLanes& a,
                                                               const ExpectedLanes& by,
                                                               bool is_signed, llvm::Value*& holds);

  llvm::IRBuilder<>& ir_;
};

}  // namespace jit::spirv
