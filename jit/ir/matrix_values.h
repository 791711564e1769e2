// SPDX-License-Identifier: Apache-2.0

// Which values of a function are matrices: those of the operations (jit/ir/matrix_ops.h), and what
// is joined to them by phis, choices, element-wise arithmetic, changes of components, and local
// variables that they are kept in. So a matrix is never told by how many elements a vector has.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>

#include <cstdint>
#include <optional>
#include <utility>

namespace jit::coopmat {

struct MatrixSize {
  uint32_t rows = 0, columns = 0;  // 0: of a matrix whose size is not known

  bool operator==(const MatrixSize&) const = default;
};

class MatrixValues {
 public:
  // Of the function as it is now; linear in its length.
  explicit MatrixValues(llvm::Function& function);

  // Constants, which many share, are none.
  bool isMatrix(const llvm::Value* value) const { return known_.contains(value); }
  // None where the value is no matrix.
  std::optional<MatrixSize> sizeOf(const llvm::Value* value) const;
  // Whether a load or store of a local variable is of a whole matrix. Constants may be stored.
  bool isWhole(const llvm::Instruction& access) const;

  // A value that is made as a matrix of one size, by an operation or of what one makes, and taken
  // for one of another. What is not made by one, a splat say, may be matrices of any size that
  // fits.
  struct Conflict {
    const llvm::Value* value;
    MatrixSize made, taken;
  };
  llvm::ArrayRef<Conflict> conflicts() const { return conflicts_; }

 private:
  // A local variable, as far as it is read and written by values of one type.
  using Memory = std::pair<const llvm::Value*, llvm::Type*>;

  struct Known {
    MatrixSize size;
    bool is_made = false;
  };
  void note(llvm::Value* value, Known as);
  void take(llvm::Value* value, MatrixSize size);
  void spread(llvm::Value& value, Known as);
  void spreadTo(llvm::Instruction& instruction, Known as);
  void spreadInMemory(llvm::Instruction& access);

  llvm::DenseMap<const llvm::Value*, Known> known_;
  llvm::DenseMap<Memory, llvm::SmallVector<llvm::Instruction*, 4>> accesses_;
  llvm::DenseSet<Memory> memory_;  // that has matrices
  llvm::SmallVector<llvm::Value*> pending_;
  llvm::SmallVector<std::pair<llvm::Value*, MatrixSize>> taken_;  // by operations
  llvm::SmallVector<Conflict, 0> conflicts_;
};

}  // namespace jit::coopmat
