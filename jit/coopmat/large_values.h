// SPDX-License-Identifier: Apache-2.0

// Which values of a function are matrices too large for registers, in which order what makes them
// happens, and where in memory each one lives.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "jit/ir/matrix_ops.h"
#include "jit/ir/matrix_values.h"

namespace jit::coopmat {

// Whether values of this type are too large for registers. A vector with an element for each of the
// stream's `lanes` is not, however large: it is taken apart later (wide streams). Other large ones
// are matrices or parts of them, or stay in memory as well as matrices do; `is_matrix` says that
// one is.
bool isTooLarge(const llvm::Type* type, uint32_t lanes, bool is_matrix);

// Either one instruction, or element-wise ones of a block that one loop carries out at the point of
// the last.
struct LargeStep {
  llvm::SmallVector<llvm::Instruction*, 4> members;
  bool is_elementwise = false;
  llvm::Instruction* point() const { return members.back(); }
};

class LargeValues {
 public:
  // `lanes`: of the stream. Splits critical edges to phis of large matrices.
  LargeValues(llvm::Function& function, uint32_t lanes);

  // In an order in which definitions come before uses, phis left out.
  const std::vector<LargeStep>& steps() const { return steps_; }
  const std::vector<llvm::PHINode*>& phis() const { return phis_; }
  // Instructions that only make splats, which are read as scalars.
  const std::vector<llvm::Instruction*>& splats() const { return splats_; }

  bool isLarge(const llvm::Value* value) const;
  // Offset of the value's memory from that of all of them; none for constants and splats, for a
  // load that is read in place, and for what only its own step wants.
  std::optional<uint64_t> offset(const llvm::Value* value) const;
  // Bytes of the memory of all of them, and of the largest vector that is one or is taken with one.
  uint64_t bytes() const { return bytes_; }
  uint64_t largestBytes() const { return largest_bytes_; }
  // A load that its one user, a multiply-add or a store of the same block, may do itself: nothing
  // writes to memory in between. Of a store it is of rows that follow each other in the frame.
  std::optional<LoadCall> readInPlace(llvm::Value* operand) const;

 private:
  struct Slot {
    uint64_t bytes = 0, offset = 0;
    unsigned first = 0, last = 0;  // positions between which it is alive, both inclusive
  };
  bool involvesLarge(const llvm::Instruction& instruction) const;
  void splitEdges(llvm::Function& function);
  void collect(llvm::Function& function);
  unsigned positionOf(const llvm::Instruction* instruction) const;
  static bool canReadInPlace(llvm::Instruction* load);
  bool isWantedOutside(llvm::Instruction* member, const LargeStep& step) const;
  void measure();
  void extendOverLoops(llvm::Function& function);
  void place();

  const uint32_t lanes_;
  const MatrixValues matrices_;
  std::vector<LargeStep> steps_;
  std::vector<llvm::PHINode*> phis_;
  std::vector<llvm::Instruction*> splats_;
  llvm::DenseSet<const llvm::Value*> read_in_place_;
  llvm::DenseMap<const llvm::Instruction*, unsigned> positions_;
  llvm::DenseMap<const llvm::Instruction*, unsigned> step_of_;  // members of steps
  llvm::DenseMap<const llvm::Value*, Slot> slots_;
  std::vector<const llvm::Value*> slot_order_;
  uint64_t bytes_ = 0, largest_bytes_ = 0;
};

}  // namespace jit::coopmat
