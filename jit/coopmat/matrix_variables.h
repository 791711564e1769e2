// SPDX-License-Identifier: Apache-2.0

// Local variables that hold matrices, and around loops that only reach them as whole matrices,
// split.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PassManager.h>

#include <optional>

namespace jit::coopmat {

// How a variable is used, through addresses that are computed from it.
class VariableUses {
 public:
  // `is_whole`: whether a load or store is of a matrix, and not of a part of one.
  using IsWhole = llvm::function_ref<bool(const llvm::Instruction&)>;
  VariableUses(llvm::AllocaInst& variable, IsWhole is_whole);

  bool wholeAndInParts() const { return has(Extent::Whole) && has(Extent::Part); }
  // Whether it has matrices and stays in memory: for parts that are reached, or for a matrix at a
  // place that is known at run time only.
  bool holdsMatricesInMemory() const;
  // What reaches parts of matrices, or what is no matrix, and where.
  struct Part {
    llvm::Instruction* instruction;
    llvm::Value* address;  // a pointer, or a vector of them
  };
  llvm::SmallVector<Part> parts() const;
  // In loops that only read and write matrices of the variable, each as a whole and at an offset
  // that is a constant, they are local variables of their own, copied before the loop and behind
  // it: the accumulators of a product whose components are reached afterwards. `is_wanted`: for
  // which loops that is done. Returns for how many.
  unsigned splitAroundLoops(const llvm::LoopInfo& loops,
                            llvm::function_ref<bool(const llvm::Loop&)> is_wanted);

 private:
  enum class Extent { Whole, Part, None };
  struct Access {
    llvm::Instruction* instruction;
    Extent extent;
    std::optional<uint64_t> offset;  // bytes from the variable's start, where it is a constant
    llvm::Value* address;
  };
  struct Matrix {
    uint64_t offset;
    llvm::Type* type;
    bool is_written;
  };

  bool has(Extent extent) const;
  void visit(llvm::Value& address, std::optional<uint64_t> offset, IsWhole is_whole);
  llvm::SmallVector<Matrix> wholeIn(const llvm::Loop& loop) const;
  // What the variable holds where control comes to the end of a block.
  struct Stored {
    llvm::StoreInst* store;
    bool is_wanted;  // by others than what comes there
  };
  struct StoredMatrices {
    llvm::DenseMap<uint64_t, Stored> by_offset;
    llvm::MemSetInst* cleared = nullptr;  // before these, from `cleared_offset` on
    uint64_t cleared_offset = 0, cleared_bytes = 0;
    bool is_cleared_wanted = true;  // by others than what comes there
    bool isCleared(uint64_t offset, uint64_t bytes) const {
      return offset >= cleared_offset && offset + bytes <= cleared_offset + cleared_bytes;
    }
  };
  StoredMatrices storedBefore(llvm::BasicBlock& block) const;
  static void noteClearing(llvm::MemSetInst& cleared, uint64_t offset, StoredMatrices& stored);
  void split(const llvm::Loop& loop, const Matrix& matrix, const StoredMatrices& stored);
  uint64_t bytesOf(const Matrix& matrix) const;
  void eraseClearing(llvm::ArrayRef<Matrix> matrices, const StoredMatrices& stored);

  llvm::AllocaInst& variable_;
  llvm::SmallVector<Access> accesses_;
  bool is_captured_ = false;
};

// Splits variables around loops that multiply and add, so that K-loop scheduling finds the
// accumulators (k_loop.h). Wants loops over the variables' elements unrolled. Returns how many
// variables there were.
unsigned splitAroundProducts(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace jit::coopmat
