// SPDX-License-Identifier: Apache-2.0

// The list of passes and what runs it.
#include "jit/pipeline/passes.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "jit/pipeline/pass_list.h"
#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

using ::testing::HasSubstr;

constexpr char kNothing[] =
    "define internal void @subgroup() !tessera.function !{!\"subgroup\"} {\n  ret void\n}\n";

std::string failureOf(llvm::StringRef text, const std::vector<std::string>& passes) {
  auto result = runPassesOnText(text, passes, makeTarget(rt::Isa::Reference));
  return result ? "" : llvm::toString(result.takeError());
}

TEST(Passes, HaveNamesOfTheirOwn) {
  const llvm::SmallVector<llvm::StringRef> names = passNames();
  EXPECT_GT(names.size(), 30u);
  EXPECT_EQ(std::set<llvm::StringRef>(names.begin(), names.end()).size(), names.size());
}

TEST(Passes, EachRowIsOneThing) {
  for (const PassRow& row : passRows()) {
    const bool is_pass = !row.name.empty();
    EXPECT_EQ(1, is_pass + !row.stage.empty() + !row.dump.empty()) << row.name.str();
    EXPECT_EQ(is_pass, (row.on_module != nullptr) + (row.on_function != nullptr) == 1)
        << row.name.str();
    EXPECT_EQ(is_pass, row.text.ends_with(".")) << row.name.str();
  }
}

TEST(Passes, AreListedWithWhatTheyAreFor) {
  const std::string text = describePasses();
  EXPECT_THAT(text, HasSubstr("\nrepair-ssa "));
  EXPECT_EQ(size_t(std::ranges::count(text, '\n')), passNames().size());
}

// Each by itself, where there is nothing for it to do.
TEST(Passes, RunOnTextOneByOne) {
  for (llvm::StringRef name : passNames()) EXPECT_EQ(failureOf(kNothing, {name.str()}), "");
}

TEST(Passes, WhatIsNoIrIsRefused) {
  EXPECT_THAT(failureOf("define void @f() {", {"tidy"}), HasSubstr("not LLVM IR"));
  EXPECT_THAT(failureOf("\x01\x02", {"tidy"}), HasSubstr("not LLVM IR"));
  // No pass has run, so that nobody has repaired it.
  EXPECT_THAT(
      failureOf("define i32 @f(i1 %c) {\nbr i1 %c, label %a, label %b\na:\n%x = add i32 1, 2\n"
                "br label %b\nb:\nret i32 %x\n}\n",
                {"set-target-attributes"}),
      HasSubstr("not valid"));
}

TEST(Passes, UnknownOnesAreRefused) {
  EXPECT_THAT(failureOf(kNothing, {"tidy", "tidier"}), HasSubstr("no pass tidier"));
}

TEST(KernelFacts, LieInTheModule) {
  test::IrModule module(kNothing);
  KernelFacts facts{.frame = KernelFrame(128), .lanes = 24, .streams = 3};
  facts.scratch_bytes = uint64_t{1} << 40;
  facts.is_unordered = true;
  writeFacts(*module, {});
  writeFacts(*module, facts);
  const KernelFacts read = readFacts(*test::IrModule(module.text()));
  EXPECT_EQ(read.frame.bytes(), 128u);
  EXPECT_EQ(read.lanes, 24u);
  EXPECT_EQ(read.streams, 3u);
  EXPECT_EQ(read.scratch_bytes, facts.scratch_bytes);
  EXPECT_TRUE(read.is_unordered);
}

TEST(KernelFacts, OfAModuleWithoutThemAreThoseOfNothing) {
  EXPECT_EQ(readFacts(*test::IrModule(kNothing)).lanes, 0u);
  EXPECT_FALSE(readFacts(*test::IrModule(kNothing)).is_unordered);
  // Rows of other forms are left alone.
  const KernelFacts read = readFacts(*test::IrModule(std::string(kNothing) + R"(
      !tessera.kernel = !{!0, !1, !2, !3}
      !0 = !{}
      !1 = !{!"lanes"}
      !2 = !{!"lanes", !"many"}
      !3 = !{!"streams", i64 2})"));
  EXPECT_EQ(read.lanes, 0u);
  EXPECT_EQ(read.streams, 2u);
}

}  // namespace
}  // namespace jit
