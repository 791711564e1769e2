// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/code/shared_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;
using test::KernelMemory;
using testing::HasSubstr;
using testing::Not;

std::string replaced(std::string text,
                     const std::vector<std::pair<std::string, std::string>>& words) {
  for (const auto& [word, by] : words)
    for (size_t at; (at = text.find(word)) != std::string::npos;) text.replace(at, word.size(), by);
  return text;
}

// Marked code that writes 0, STEP, 2 * STEP... to %count words from %TARGET on.
std::string loop(const std::string& name, const std::string& target, const std::string& step,
                 const std::string& more = "") {
  return replaced(R"(
      call void @tessera.shared_code.begin()
      store i64 0, ptr %NAME.counter
      br label %NAME
    NAME:
      %NAME.i = load i64, ptr %NAME.counter
      %NAME.at = getelementptr i32, ptr %TARGET, i64 %NAME.i
      %NAME.short = trunc i64 %NAME.i to i32
      %NAME.value = mul i32 %NAME.short, STEP
      store i32 %NAME.value, ptr %NAME.at
      MORE
      %NAME.next = add i64 %NAME.i, 1
      store i64 %NAME.next, ptr %NAME.counter
      %NAME.more = icmp ult i64 %NAME.next, %count
      br i1 %NAME.more, label %NAME, label %NAME.done
    NAME.done:
      call void @tessera.shared_code.end()
      br label %NAME.after
    NAME.after:
)",
                  {{"MORE", more}, {"NAME", name}, {"TARGET", target}, {"STEP", step}});
}

// @subgroup of this body writes to the second and third 8 words, %a and %b.
std::string kernel(const std::string& body) {
  return R"(
    declare !tessera.function !{!"shared_code.begin"} void @tessera.shared_code.begin()
    declare !tessera.function !{!"shared_code.end"} void @tessera.shared_code.end()
    declare !tessera.function !{!"barrier"} void @tessera.barrier()
    define internal void @subgroup(ptr %memory, i64 %count, <4 x i32> %vector) !tessera.function !{!"subgroup"} {
    entry:
      %first.counter = alloca i64
      %then.counter = alloca i64
      %x = load i32, ptr %memory
      %four = add <4 x i32> %vector, %vector
      %a = getelementptr i32, ptr %memory, i64 8
      %b = getelementptr i32, ptr %memory, i64 16
)" + body +
         R"(
      ret void
    }
    define void @main(ptr %dispatch, ptr %work, i32 %x, i32 %y, i32 %z) {
      %words = load ptr, ptr %dispatch
      call void @subgroup(ptr %words, i64 4, <4 x i32> zeroinitializer)
      ret void
    })";
}

using Functions = llvm::SmallVector<llvm::Function*>;

Functions outlined(IrModule& module) {
  Functions functions = outlineSharedCode(*module->getFunction("subgroup"));
  EXPECT_EQ(module.complaints(), "") << module.text();
  EXPECT_THAT(module.text(), Not(HasSubstr("tessera.shared_code")));
  return functions;
}

size_t outlinedOf(const std::string& body) {
  IrModule module(kernel(body));
  return outlined(module).size();
}

size_t allocas(llvm::Function& function) {
  return llvm::count_if(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    return llvm::isa<llvm::AllocaInst>(instruction);
  });
}

TEST(SharedCode, WhatIsThereTwiceIsOneFunction) {
  IrModule module(kernel(loop("first", "a", "3") + loop("then", "b", "3")));
  const Functions functions = outlined(module);
  ASSERT_EQ(functions.size(), 1u) << module.text();
  EXPECT_EQ(functions[0]->getNumUses(), 2u);
  // The arguments of the function, and where to write.
  EXPECT_EQ(functions[0]->arg_size(), 4u);
  // A variable that only this code uses goes with it.
  EXPECT_EQ(allocas(*functions[0]), 1u);
  EXPECT_EQ(allocas(*module->getFunction("subgroup")), 0u);
}

TEST(SharedCode, WhatDiffersStays) {
  EXPECT_EQ(outlinedOf(loop("first", "a", "3") + loop("then", "b", "5")), 0u);
  EXPECT_EQ(outlinedOf(loop("first", "a", "3")), 0u);
}

TEST(SharedCode, WhatCannotMoveStays) {
  const auto both = [](const std::string& more) {
    return loop("first", "a", "%x", more) + loop("then", "b", "%x", more);
  };
  EXPECT_EQ(outlinedOf(both("")), 1u);
  EXPECT_EQ(outlinedOf(both("store <4 x i32> %vector, ptr %memory")), 1u);  // a parameter
  EXPECT_EQ(outlinedOf(both("store <4 x i32> %four, ptr %memory")), 0u);
  EXPECT_EQ(outlinedOf(both("") + "store i32 %first.value, ptr %memory"), 0u);
  EXPECT_EQ(outlinedOf(both("%NAME.variable = alloca i32")), 0u);
  EXPECT_EQ(outlinedOf(both("call void @tessera.barrier()")), 0u);
}

TEST(SharedCode, CodeWithMuchMemoryStays) {
  const auto withArrays = [](const std::string& words) {
    const std::string type = "[" + words + " x i32]";
    return "%array.first = alloca " + type + "\n%array.then = alloca " + type +
           "\nbr label %on\non:" + loop("first", "a", "3", "store i32 1, ptr %array.NAME") +
           loop("then", "b", "3", "store i32 1, ptr %array.NAME");
  };
  EXPECT_EQ(outlinedOf(withArrays("1000")), 1u);
  EXPECT_EQ(outlinedOf(withArrays("1000000")), 0u);
}

TEST(SharedCode, CodeThatIsEnteredOrLeftInItsMiddleStays) {
  const std::string skipped =
      "%skips = icmp eq i32 %x, 7\nbr i1 %skips, label %first, label %before\nbefore:\n";
  const std::string two = loop("first", "a", "3") + loop("then", "b", "3");
  EXPECT_EQ(outlinedOf("br label %before\nbefore:\n" + two), 1u);
  EXPECT_EQ(outlinedOf(skipped + two), 0u);
  const auto leaves = [](const std::string& name, const std::string& target) {
    return loop(name, target, "3",
                "%NAME.leaves = icmp eq i32 %x, 7\nbr i1 %NAME.leaves, label %gone, label "
                "%NAME.on\nNAME.on:");
  };
  EXPECT_EQ(outlinedOf(leaves("first", "a") + leaves("then", "b") + "br label %gone\ngone:\n"), 0u);
}

TEST(SharedCode, DoesWhatItDidInPlace) {
  for (bool shared : {false, true}) {
    for (const char* step : {"3", "5"}) {
      IrModule module(kernel(loop("first", "a", "3") + loop("then", "b", step)));
      if (shared)
        outlined(module);
      else
        keepSharedCodeInPlace(*module->getFunction("subgroup"));
      EXPECT_THAT(module.text(), Not(HasSubstr("tessera.shared_code")));
      auto loaded = module.load("main");
      ASSERT_TRUE(bool(loaded));
      KernelMemory memory(24, 0, 0);
      memory.run(*loaded);
      for (uint32_t k = 0; k < 4; ++k) {
        EXPECT_EQ(memory.words[8 + k], 3 * k);
        EXPECT_EQ(memory.words[16 + k], k * (step[0] - '0'));
      }
    }
  }
}

// What is left of a function @f that is called with these arguments (i32, i32).
std::vector<std::string> specialized(const std::vector<std::string>& calls) {
  std::string text = "define void @kernel(ptr %p, i32 %x) {\n";
  for (const std::string& arguments : calls) text += "call void @f(ptr %p, " + arguments + ")\n";
  IrModule module(text + R"(
      ret void
    }
    define internal void @f(ptr %q, i32 %a, i32 %b) {
      %s = sub i32 %a, %b
      store i32 %s, ptr %q
      ret void
    })");
  std::vector<std::string> differences;
  for (llvm::Function* function : specializeByConstants({module->getFunction("f")})) {
    std::string text;
    llvm::raw_string_ostream(text) << function->getEntryBlock().front();
    differences.push_back(text.substr(text.find("i32") + 4));
  }
  EXPECT_EQ(module.complaints(), "") << module.text();
  return differences;
}

TEST(SharedCode, ConstantArgumentsBecomeConstants) {
  using testing::ElementsAre;
  using testing::UnorderedElementsAre;
  EXPECT_THAT(specialized({"i32 %x, i32 4", "i32 7, i32 4"}),
              UnorderedElementsAre("%a, 4", "7, 4"));
  EXPECT_THAT(specialized({"i32 %x, i32 4", "i32 %x, i32 4"}), ElementsAre("%a, 4"));
  EXPECT_THAT(specialized({"i32 %x, i32 4", "i32 %x, i32 5"}),
              UnorderedElementsAre("%a, 4", "%a, 5"));
  EXPECT_THAT(specialized({"i32 %x, i32 %x"}), ElementsAre("%a, %b"));
  EXPECT_THAT(specialized({}), ElementsAre());
}

}  // namespace
}  // namespace jit
