// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/large_matrices.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>

#include <cstring>
#include <vector>

#include "jit/ir/matrix_ops.h"
#include "tests/jit/coopmat/gemm_kernel.h"

namespace jit::coopmat {
namespace {

using llvm::IRBuilder;
using llvm::Value;

constexpr uint32_t kRows = 32, kColumns = 64, kElements = kRows * kColumns;

// A subgroup function that reads matrices of f32 one after the other from its first argument and
// writes the result to its second.
class LargeMatricesTest : public testing::Test {
 protected:
  llvm::Function* begin() {
    function_ = module_.subgroupFunction("f");
    builder_.SetInsertPoint(block("entry"));
    return function_;
  }
  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(module_.context(), name, function_);
  }
  static MatrixType shape() { return {Component::F32, kRows, kColumns}; }
  llvm::Type* type() { return vectorType(shape(), builder_); }
  Value* read(uint32_t number) {
    return createLoad(builder_, shape(),
                      builder_.CreatePtrAdd(function_->getArg(0),
                                            builder_.getInt64(uint64_t{number} * kElements * 4)),
                      builder_.getInt64(kColumns * 4), builder_.getInt64(-1), Layout::Row);
  }
  void write(Value* matrix) {
    createStore(builder_, matrix, shape(), function_->getArg(1), builder_.getInt64(kColumns * 4),
                builder_.getInt64(-1), Layout::Row);
  }
  Value* splat(double value) { return llvm::ConstantFP::get(type(), value); }

  void compile() {
    ASSERT_EQ(module_.lower(), "");
    for (llvm::Instruction& instruction : llvm::instructions(function_))
      ASSERT_NE(instruction.getType(), type()) << "a large vector is left";
    code_ = reinterpret_cast<test::SubgroupFunction>(module_.compile("f"));
  }
  std::vector<float> call(uint32_t x) {
    std::vector<std::byte> frame(module_.frame.bytes() + 128);
    auto aligned = (reinterpret_cast<uintptr_t>(frame.data()) + 63) / 64 * 64;
    std::vector<float> result(kElements);
    code_(input_.data(), result.data(), reinterpret_cast<void*>(aligned), x, 0, 0, 0);
    return result;
  }
  std::vector<float> run(uint32_t x = 0) {
    compile();
    return call(x);
  }

  void SetUp() override {
    for (uint32_t i = 0; i < 4 * kElements; ++i)
      input_.push_back(static_cast<float>(i % 1021) - 400);
  }
  float in(uint32_t number, uint32_t i) const { return input_[number * kElements + i]; }

  test::JitModule module_{makeTarget(rt::hostIsa())};
  IRBuilder<> builder_{module_.context()};
  llvm::Function* function_ = nullptr;
  test::SubgroupFunction code_ = nullptr;
  std::vector<float> input_;
};

TEST_F(LargeMatricesTest, ElementwiseArithmeticIsOneLoop) {
  begin();
  Value* a = read(0);
  Value* b = read(1);
  Value* factor = builder_.CreateSIToFP(function_->getArg(3), builder_.getFloatTy());
  Value* product = builder_.CreateFMul(a, builder_.CreateVectorSplat(kElements, factor));
  Value* sum = builder_.CreateFAdd(product, b);
  Value* is_negative = builder_.CreateFCmpOLT(sum, splat(0));
  write(builder_.CreateSelect(is_negative, builder_.CreateFNeg(sum), splat(2)));
  builder_.CreateRetVoid();
  std::vector<float> result = run(3);
  for (uint32_t i = 0; i < kElements; ++i) {
    const float expected = in(0, i) * 3 + in(1, i);
    ASSERT_EQ(result[i], expected < 0 ? -expected : 2) << i;
  }
}

// A loop of one block: what is loaded at its end is added at the start of the next iteration.
TEST_F(LargeMatricesTest, PhiOfALoadThatComesLaterInItsBlock) {
  begin();
  llvm::BasicBlock *entry = builder_.GetInsertBlock(), *loop = block("loop"), *exit = block("exit");
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  auto* count = builder_.CreatePHI(builder_.getInt32Ty(), 2);
  auto* loaded = builder_.CreatePHI(type(), 2);
  Value* sum = builder_.CreateFAdd(loaded, splat(1));
  Value* next = builder_.CreateAdd(count, builder_.getInt32(1));
  Value* later = read(1);
  count->addIncoming(builder_.getInt32(0), entry);
  count->addIncoming(next, loop);
  loaded->addIncoming(splat(5), entry);
  loaded->addIncoming(later, loop);
  builder_.CreateCondBr(builder_.CreateICmpULT(next, function_->getArg(3)), loop, exit);
  builder_.SetInsertPoint(exit);
  write(sum);
  builder_.CreateRetVoid();
  compile();
  for (uint32_t iterations : {1, 3}) {
    std::vector<float> result = call(iterations);
    for (uint32_t i = 0; i < kElements; ++i)
      ASSERT_EQ(result[i], (iterations == 1 ? 5 : in(1, i)) + 1)
          << i << ", " << iterations << " iterations";
  }
}

// A matrix that lies in the frame, in rows with or without gaps, and is stored elsewhere in it.
class LargeCopyTest : public LargeMatricesTest {
 protected:
  static constexpr uint64_t kRowBytes = kColumns * 4;

  Value* place(uint64_t offset) {
    return builder_.CreatePtrAdd(function_->getArg(kFrameArgument), builder_.getInt64(offset));
  }
  Value* readFrame(uint64_t offset, uint64_t stride) {
    return createLoad(builder_, shape(), place(offset), builder_.getInt64(stride),
                      builder_.getInt64(-1), Layout::Row);
  }
  void writeFrame(Value* matrix, uint64_t offset, uint64_t stride) {
    createStore(builder_, matrix, shape(), place(offset), builder_.getInt64(stride),
                builder_.getInt64(-1), Layout::Row);
  }
  // From place 0, where the first matrix was written, to the given one, and from there to the
  // result. Returns how many matrices are read into places of their own.
  int copy(uint64_t stride, uint64_t to) {
    begin();
    module_.frame.allocate(2 * kRows * (kRowBytes + 64), 64);
    writeFrame(read(0), 0, stride);
    writeFrame(readFrame(0, stride), to, kRowBytes);
    write(readFrame(to, kRowBytes));
    builder_.CreateRetVoid();
    const std::vector<float> result = run();
    for (uint32_t i = 0; i < kElements; ++i) EXPECT_EQ(result[i], in(0, i)) << i;
    return static_cast<int>(llvm::count_if(llvm::instructions(function_), [](auto& instruction) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      return call && kindOf(*call->getCalledFunction()) == FunctionKind::GatherLarge;
    }));
  }
};

TEST_F(LargeCopyTest, RowsOfTheFrameAreStoredFromWhereTheyLie) {
  EXPECT_EQ(copy(kRowBytes, kRows * kRowBytes), 1);
}

TEST_F(LargeCopyTest, RowsWithGapsAreNot) {
  EXPECT_EQ(copy(kRowBytes + 64, kRows * (kRowBytes + 64)), 2);
}

TEST_F(LargeCopyTest, RowsThatTheStoreWouldOverwriteAreNot) {
  EXPECT_EQ(copy(kRowBytes, kRowBytes), 2);
}

TEST_F(LargeMatricesTest, NarrowAndWideComponents) {
  begin();
  auto with = [&](llvm::Type* element) { return llvm::FixedVectorType::get(element, kElements); };
  Value* halves = builder_.CreateFPTrunc(read(0), with(builder_.getHalfTy()));
  Value* bytes = builder_.CreateFPToSI(read(1), with(builder_.getInt16Ty()));
  Value* wide = builder_.CreateFPExt(read(2), with(builder_.getDoubleTy()));
  builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
  write(builder_.CreateFPTrunc(
      builder_.CreateFAdd(
          builder_.CreateFAdd(builder_.CreateFPExt(halves, with(builder_.getDoubleTy())), wide),
          builder_.CreateSIToFP(bytes, with(builder_.getDoubleTy()))),
      type()));
  builder_.CreateRetVoid();
  std::vector<float> result = run();
  for (uint32_t i = 0; i < kElements; ++i)
    ASSERT_EQ(result[i], in(0, i) + in(1, i) + in(2, i)) << i;
}

// Fibonacci's numbers: each phi's next value is the other's.
TEST_F(LargeMatricesTest, PhisThatChangePlaces) {
  begin();
  llvm::BasicBlock *entry = builder_.GetInsertBlock(), *loop = block("loop"), *exit = block("exit");
  Value *first = read(0), *second = splat(1);
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  auto* count = builder_.CreatePHI(builder_.getInt32Ty(), 2);
  auto* one = builder_.CreatePHI(type(), 2);
  auto* other = builder_.CreatePHI(type(), 2);
  Value* sum = builder_.CreateFAdd(one, other);
  Value* next = builder_.CreateAdd(count, builder_.getInt32(1));
  count->addIncoming(builder_.getInt32(0), entry);
  count->addIncoming(next, loop);
  one->addIncoming(first, entry);
  one->addIncoming(other, loop);
  other->addIncoming(second, entry);
  other->addIncoming(sum, loop);
  builder_.CreateCondBr(builder_.CreateICmpULT(next, function_->getArg(3)), loop, exit);
  builder_.SetInsertPoint(exit);
  write(builder_.CreateFAdd(one, builder_.CreateFMul(sum, splat(0.5))));
  builder_.CreateRetVoid();
  std::vector<float> result = run(7);
  for (uint32_t i = 0; i < kElements; ++i) {
    float a = in(0, i), b = 1, before = 0;
    for (int round = 0; round < 7; ++round) {
      before = a;
      a = b;
      b = before + b;
    }
    ASSERT_EQ(result[i], before + b / 2) << i;
  }
}

TEST_F(LargeMatricesTest, ChoiceBetweenMatrices) {
  begin();
  llvm::BasicBlock *left = block("left"), *right = block("right"), *join = block("join");
  Value *a = read(0), *b = read(1);
  Value* is_left = builder_.CreateICmpEQ(function_->getArg(3), builder_.getInt32(0));
  builder_.CreateCondBr(is_left, left, right);
  builder_.SetInsertPoint(left);
  Value* from_left = builder_.CreateFSub(a, b);
  builder_.CreateBr(join);
  builder_.SetInsertPoint(right);
  builder_.CreateBr(join);
  builder_.SetInsertPoint(join);
  auto* phi = builder_.CreatePHI(type(), 2);
  phi->addIncoming(from_left, left);
  phi->addIncoming(splat(5), right);
  write(builder_.CreateFAdd(phi, builder_.CreateSelect(is_left, a, b)));
  builder_.CreateRetVoid();
  compile();
  for (uint32_t x : {0u, 1u}) {
    std::vector<float> result = call(x);
    for (uint32_t i = 0; i < kElements; ++i)
      ASSERT_EQ(result[i], x == 0 ? in(0, i) - in(1, i) + in(0, i) : 5 + in(1, i)) << x << " " << i;
  }
}

TEST_F(LargeMatricesTest, VariablesAndElements) {
  begin();
  auto* variable = builder_.CreateAlloca(type());
  variable->setAlignment(llvm::Align(64));
  builder_.CreateAlignedStore(read(0), variable, llvm::Align(4));
  Value* index = builder_.CreateZExt(function_->getArg(3), builder_.getInt64Ty());
  Value* element = builder_.CreateGEP(builder_.getFloatTy(), variable, index);
  builder_.CreateStore(llvm::ConstantFP::get(builder_.getFloatTy(), 77), element);
  Value* changed = builder_.CreateAlignedLoad(type(), variable, llvm::Align(4));
  Value* third = builder_.CreateExtractElement(changed, uint64_t{3});
  changed = builder_.CreateInsertElement(changed, third, builder_.getInt64(kElements - 1));
  write(changed);
  builder_.CreateRetVoid();
  std::vector<float> result = run(9);
  for (uint32_t i = 0; i < kElements; ++i)
    ASSERT_EQ(result[i], i == 9 ? 77 : in(0, i == kElements - 1 ? 3 : i)) << i;
}

TEST_F(LargeMatricesTest, PartsOfVectors) {
  begin();
  Value* a = read(0);
  auto range = [](int first, int end) {
    llvm::SmallVector<int> mask;
    for (int i = first; i < end; ++i) mask.push_back(i);
    return mask;
  };
  Value* part = builder_.CreateShuffleVector(a, range(96, 160));
  part = builder_.CreateFNeg(part);
  llvm::SmallVector<int> widened = range(0, 64);
  widened.resize(kElements, -1);
  Value* wide = builder_.CreateShuffleVector(part, widened);
  llvm::SmallVector<int> blend = range(0, kElements);
  for (int i = 0; i < 64; ++i) blend[96 + i] = static_cast<int>(kElements) + i;
  write(builder_.CreateShuffleVector(a, wide, blend));
  builder_.CreateRetVoid();
  std::vector<float> result = run();
  for (uint32_t i = 0; i < kElements; ++i)
    ASSERT_EQ(result[i], i >= 96 && i < 160 ? -in(0, i) : in(0, i)) << i;
}

TEST_F(LargeMatricesTest, Transposes) {
  begin();
  Value* transposed = createTranspose(builder_, shape(), read(0));
  const MatrixType other{Component::F32, kColumns, kRows};
  write(builder_.CreateFAdd(transposed, createTranspose(builder_, other, transposed)));
  builder_.CreateRetVoid();
  std::vector<float> result = run();
  for (uint32_t i = 0; i < kElements; ++i) {
    const uint32_t mirrored = i % kRows * kColumns + i / kRows;
    ASSERT_EQ(result[i], in(0, mirrored) + in(0, i)) << i;
  }
}

TEST_F(LargeMatricesTest, ConstantsThatAreNoSplats) {
  begin();
  std::vector<float> numbers(kElements);
  for (uint32_t i = 0; i < kElements; ++i) numbers[i] = static_cast<float>(i % 7);
  write(builder_.CreateFAdd(read(0), llvm::ConstantDataVector::get(module_.context(), numbers)));
  builder_.CreateRetVoid();
  std::vector<float> result = run();
  for (uint32_t i = 0; i < kElements; ++i) ASSERT_EQ(result[i], in(0, i) + numbers[i]) << i;
}

// Values that are not alive together share their memory.
// Masks lie in memory as bits.
TEST_F(LargeMatricesTest, Masks) {
  begin();
  llvm::BasicBlock *entry = builder_.GetInsertBlock(), *loop = block("loop"), *exit = block("exit");
  auto* bits = llvm::FixedVectorType::get(builder_.getInt1Ty(), kElements);
  Value *a = read(0), *b = read(1), *x = function_->getArg(3);
  llvm::SmallVector<int> quarters;
  for (uint32_t i = 0; i < kElements; ++i) quarters.push_back(static_cast<int>(4 * i / kElements));
  llvm::SmallVector<llvm::Constant*> thirds;
  for (uint32_t i = 0; i < kElements; ++i) thirds.push_back(builder_.getInt1(i % 3 == 0));
  auto* four = llvm::FixedVectorType::get(builder_.getInt1Ty(), 4);
  Value* few = builder_.CreateBitCast(builder_.CreateTrunc(x, builder_.getIntNTy(4)), four);
  Value* mask = builder_.CreateInsertElement(builder_.CreateShuffleVector(few, quarters),
                                             builder_.getTrue(), uint64_t{13});
  Value* last = builder_.CreateExtractElement(mask, x);
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  auto* count = builder_.CreatePHI(builder_.getInt32Ty(), 2);
  auto* turning = builder_.CreatePHI(bits, 2);
  Value* next = builder_.CreateAdd(count, builder_.getInt32(1));
  Value* turned = builder_.CreateXor(turning, llvm::ConstantVector::get(thirds));
  count->addIncoming(builder_.getInt32(0), entry);
  count->addIncoming(next, loop);
  turning->addIncoming(llvm::Constant::getAllOnesValue(bits), entry);
  turning->addIncoming(turned, loop);
  builder_.CreateCondBr(builder_.CreateICmpULT(next, builder_.getInt32(3)), loop, exit);
  builder_.SetInsertPoint(exit);
  Value* chosen = builder_.CreateSelect(mask, a, b);
  Value* more = builder_.CreateSelect(last, builder_.getInt32(1000), builder_.getInt32(0));
  Value* offset = builder_.CreateSIToFP(more, builder_.getFloatTy());
  write(builder_.CreateSelect(
      turned, chosen, builder_.CreateFAdd(chosen, builder_.CreateVectorSplat(kElements, offset))));
  builder_.CreateRetVoid();
  std::vector<float> result = run(0b0110);  // element 6 of the mask is false
  for (uint32_t i = 0; i < kElements; ++i) {
    const bool first = i == 13 || (0b0110 >> 4 * i / kElements & 1) != 0;
    ASSERT_EQ(result[i], first ? in(0, i) : in(1, i)) << i;
  }
  result = call(13);  // 0b1101, and element 13 is true
  for (uint32_t i = 0; i < kElements; ++i) {
    const bool first = i == 13 || (0b1101 >> 4 * i / kElements & 1) != 0;
    ASSERT_EQ(result[i], (first ? in(0, i) : in(1, i)) + (i % 3 == 0 ? 1000 : 0)) << i;
  }
}

TEST_F(LargeMatricesTest, MemoryIsShared) {
  begin();
  Value* value = read(0);
  for (uint32_t round = 0; round < 20; ++round) {
    write(value);
    value = read(1);
  }
  write(value);
  builder_.CreateRetVoid();
  std::vector<float> result = run();
  EXPECT_EQ(result[5], in(1, 5));
  EXPECT_LE(module_.frame.bytes(), 4u * kElements * 4);
}

}  // namespace
}  // namespace jit::coopmat
