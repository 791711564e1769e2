// SPDX-License-Identifier: Apache-2.0

// What is known of the memory that a pointer leads to, and what is not.
#include "jit/ir/memories.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>

#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

// Behind %p, which `code` makes in the shader's function, or in another one.
Memories behind(const std::string& code, const std::string& kind = "subgroup") {
  test::IrModule module(
      "@constants = private constant [4 x i32] zeroinitializer\n"
      "@variable = private global [4 x i32] zeroinitializer\n"
      "define void @f(ptr %dispatch, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %stream, "
      "ptr %handed, i64 %number, i1 %is) !tessera.function !{!\"" +
      kind + "\"} {\nentry:\n" + code + "  ret void\n}\n");
  EXPECT_EQ(module.complaints(), "");
  for (const llvm::Instruction& i : llvm::instructions(*module->getFunction("f")))
    if (i.getName() == "p") return memoriesBehind(i);
  ADD_FAILURE() << "no %p";
  return 0;
}

Memories at(const std::string& base) {
  return behind("  %p = getelementptr i8, ptr " + base + ", i64 %number\n");
}

TEST(Memories, ArgumentsOfTheShadersFunction) {
  EXPECT_EQ(at("%dispatch"), kDispatch);
  EXPECT_EQ(at("%shared"), kWorkgroup);
  EXPECT_EQ(at("%frame"), kFrame);
  EXPECT_EQ(at("%handed"), kAnyMemory);
}

TEST(Memories, VariablesAndData) {
  EXPECT_EQ(behind("  %p = alloca i32\n"), kLocalVariables);
  EXPECT_EQ(at("@constants"), kConstants);
  EXPECT_EQ(at("@variable"), kAnyMemory);
}

TEST(Memories, DescriptorsAreReadBehindTheDispatch) {
  EXPECT_EQ(behind("  %set = load ptr, ptr %dispatch\n  %p = load ptr, ptr %set\n"), kDescribed);
  EXPECT_EQ(behind("  %p = load ptr, ptr %handed, !invariant.load !{}\n"), kDescribed);
  EXPECT_EQ(behind("  %p = load ptr, ptr %handed\n"), kAnyMemory);
}

// A variable that holds a pointer.
TEST(Memories, PointersOutOfVariablesLeadAnywhere) {
  EXPECT_EQ(behind("  %v = alloca ptr\n  %p = load ptr, ptr %v\n"), kAnyMemory);
  EXPECT_EQ(behind("  %p = load ptr, ptr %frame\n"), kAnyMemory);
}

TEST(Memories, NumbersAreAddresses) {
  EXPECT_EQ(behind("  %p = inttoptr i64 %number to ptr\n"), kAddressed);
}

TEST(Memories, WordsAroundSomethingAreWhereThatIs) {
  EXPECT_EQ(behind("  %v = alloca i32\n  %n = ptrtoint ptr %v to i64\n  %w = and i64 %n, -4\n"
                   "  %p = inttoptr i64 %w to ptr\n"),
            kLocalVariables);
}

TEST(Memories, OffsetsFromSharedMemoryStayThere) {
  EXPECT_EQ(behind("  %s = ptrtoint ptr %shared to i64\n  %n = sub i64 %number, %s\n"
                   "  %p = getelementptr i8, ptr %shared, i64 %n\n"),
            kWorkgroup);
}

TEST(Memories, ChoicesLeadToBoth) {
  EXPECT_EQ(behind("  %p = select i1 %is, ptr %shared, ptr %frame\n"), kWorkgroup | kFrame);
  EXPECT_EQ(behind("  %p = select i1 %is, ptr %handed, ptr %frame\n"), kAnyMemory);
}

TEST(Memories, VectorsOfPointersLeadWhereTheirBaseDoes) {
  EXPECT_EQ(
      behind("  %p = getelementptr i8, ptr %shared, <4 x i64> <i64 0, i64 4, i64 8, i64 12>\n"),
      kWorkgroup);
}

TEST(Memories, VectorsAsBases) {
  EXPECT_EQ(behind("  %n = insertelement <4 x i64> poison, i64 %number, i64 0\n"
                   "  %at = inttoptr <4 x i64> %n to <4 x ptr>\n"
                   "  %p = getelementptr i8, <4 x ptr> %at, i64 4\n"),
            kAddressed);
  EXPECT_EQ(behind("  %all = insertelement <4 x ptr> poison, ptr %shared, i64 0\n"
                   "  %p = getelementptr i8, <4 x ptr> %all, i64 4\n"),
            kAnyMemory);
}

// Each pointer is read where the one before leads.
TEST(Memories, ListsEnd) {
  EXPECT_EQ(behind("  br label %loop\nloop:\n"
                   "  %at = phi ptr [ %dispatch, %entry ], [ %p, %loop ]\n"
                   "  %p = load ptr, ptr %at\n  br i1 %is, label %loop, label %done\ndone:\n"),
            kAnyMemory);
}

TEST(Memories, OtherFunctionsHaveOtherArguments) {
  const std::string code = "  %p = getelementptr i8, ptr %shared, i64 4\n";
  EXPECT_EQ(behind(code, "shared_code"), kWorkgroup);
  EXPECT_EQ(behind(code, "pack_a"), kAnyMemory);
  EXPECT_EQ(behind(code, "none"), kAnyMemory);
  EXPECT_EQ(behind("  %p = alloca i32\n", "pack_a"), kLocalVariables);
}

}  // namespace
}  // namespace jit
