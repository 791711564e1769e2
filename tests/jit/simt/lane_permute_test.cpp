// SPDX-License-Identifier: Apache-2.0

// Variable shuffles become the permutations that the target's registers have. (That they move the
// right values is what tests/kernels/subgroup/ runs.)
#include "jit/simt/lane_permute.h"

#include <gtest/gtest.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>

namespace jit::simt {
namespace {

Target avx2() {
  Target target{};
  target.features.avx2 = true;
  return target;
}

Target avx512() {
  Target target = avx2();
  target.features.avx512f = target.features.avx512bw = true;
  return target;
}

// A function that permutes the lanes of its first argument by its second.
class Permutation {
 public:
  Permutation(const Target& target, uint32_t bits, uint32_t width) : simt_(context_, width) {
    auto* type = simt_.vectorOf(simt_.ir.getIntNTy(bits));
    auto* index = simt_.vectorOf(simt_.ir.getInt32Ty());
    function_ = llvm::Function::Create(llvm::FunctionType::get(type, {type, index}, false),
                                       llvm::Function::ExternalLinkage, "permute", module_);
    simt_.ir.SetInsertPoint(llvm::BasicBlock::Create(context_, "entry", function_));
    simt_.ir.CreateRet(permuteLanes(simt_, target, function_->getArg(0), function_->getArg(1)));
  }

  bool isValid() const { return !llvm::verifyModule(module_, &llvm::errs()); }
  // Calls of intrinsics whose name begins like this.
  int calls(llvm::StringRef name) const {
    int count = 0;
    for (const llvm::Instruction& i : llvm::instructions(*function_))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i))
        count += call->getCalledFunction()->getName().starts_with(name);
    return count;
  }
  bool usesMemory() const {
    for (const llvm::Instruction& i : llvm::instructions(*function_))
      if (llvm::isa<llvm::AllocaInst>(i)) return true;
    return false;
  }

 private:
  llvm::LLVMContext context_;
  llvm::Module module_{"permute", context_};
  SimtBuilder simt_;
  llvm::Function* function_ = nullptr;
};

TEST(LanePermute, Avx512) {
  struct Case {
    uint32_t bits, width;
    const char* name;
    int calls;
  };
  for (const Case& c :
       {Case{32, 16, "llvm.x86.avx512.permvar.si.512", 1},
        Case{32, 32, "llvm.x86.avx512.vpermi2var.d.512", 2},
        Case{32, 64, "llvm.x86.avx512.vpermi2var.d.512", 8},
        Case{64, 8, "llvm.x86.avx512.permvar.di.512", 1},
        Case{64, 16, "llvm.x86.avx512.vpermi2var.q.512", 2},
        Case{16, 32, "llvm.x86.avx512.permvar.hi.512", 1},
        Case{16, 64, "llvm.x86.avx512.vpermi2var.hi.512", 2},
        Case{8, 32, "llvm.x86.avx512.permvar.hi.512", 1}, Case{8, 8, "llvm.x86.avx2.permd", 1},
        Case{32, 8, "llvm.x86.avx2.permd", 1}}) {
    Permutation permutation(avx512(), c.bits, c.width);
    EXPECT_TRUE(permutation.isValid());
    EXPECT_EQ(permutation.calls(c.name), c.calls) << c.bits << " bits, " << c.width << " lanes";
    EXPECT_FALSE(permutation.usesMemory());
  }
}

TEST(LanePermute, Avx2) {
  struct Case {
    uint32_t bits, width;
    int calls;
  };
  for (const Case& c : {Case{32, 8, 1}, Case{32, 32, 16}, Case{8, 16, 4}, Case{16, 32, 16},
                        Case{64, 8, 2}, Case{64, 32, 32}}) {
    Permutation permutation(avx2(), c.bits, c.width);
    EXPECT_TRUE(permutation.isValid());
    EXPECT_EQ(permutation.calls("llvm.x86.avx2.permd"), c.calls)
        << c.bits << " bits, " << c.width << " lanes";
    EXPECT_FALSE(permutation.usesMemory());
  }
}

TEST(LanePermute, BaselineGoesThroughMemory) {
  for (uint32_t bits : {8u, 32u, 64u}) {
    Permutation permutation(Target{}, bits, 32);
    EXPECT_TRUE(permutation.isValid());
    EXPECT_TRUE(permutation.usesMemory());
  }
}

TEST(LanePermute, BitsStayInOneRegister) {
  for (uint32_t width : {8u, 16u, 32u, 64u}) {
    Permutation permutation(Target{}, 1, width);
    EXPECT_TRUE(permutation.isValid());
    EXPECT_FALSE(permutation.usesMemory());
  }
}

// Indices that turn out to be constants need none of all that.
TEST(LanePermute, ConstantIndices) {
  llvm::LLVMContext context;
  SimtBuilder simt(context, 8);
  llvm::Constant* lanes = simt.laneIndices(simt.ir.getInt32Ty());
  llvm::SmallVector<llvm::Constant*, 8> index;
  for (uint32_t l = 0; l < 8; ++l) index.push_back(simt.ir.getInt32((l ^ 1) + 8));
  llvm::Value* moved = permuteLanes(simt, Target{}, lanes, llvm::ConstantVector::get(index));
  auto* result = llvm::dyn_cast<llvm::ConstantDataVector>(moved);
  ASSERT_NE(result, nullptr);
  for (uint32_t l = 0; l < 8; ++l) EXPECT_EQ(result->getElementAsInteger(l), l ^ 1);
}

}  // namespace
}  // namespace jit::simt
