// SPDX-License-Identifier: Apache-2.0

// Functions are found by what they are, whatever they are called.
#include "jit/ir/function_kind.h"

#include <gtest/gtest.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "jit/ir/helper_function.h"
#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;

// A module with a function of the shader's, @f.
class FunctionKindTest : public testing::Test {
 protected:
  llvm::Function& shader() { return *module->getFunction("f"); }
  llvm::Function* make(const FunctionKey& key) {
    return ukernel::helperFunction({*module, shader()}, key, {},
                                   [](llvm::IRBuilder<>&, llvm::Function&) {});
  }

  IrModule module{"define void @f() {\n ret void\n}\n"};
  llvm::Type* number = llvm::Type::getFloatTy(module->getContext());
};

FunctionKey fillOf(uint64_t count, llvm::Type* type) {
  return FunctionKey(FunctionKind::FillLarge).add(count).add(type, "");
}

TEST_F(FunctionKindTest, EqualKeysAreOneFunction) {
  llvm::Function* made = make(fillOf(16, number));
  EXPECT_EQ(make(fillOf(16, number)), made);
  EXPECT_EQ(kindOf(*made), FunctionKind::FillLarge);
  EXPECT_TRUE(ukernel::isHelperFunction(*made));
  EXPECT_EQ(module.complaints(), "");
}

TEST_F(FunctionKindTest, EachFactTellsThemApart) {
  llvm::Function* made = make(fillOf(16, number));
  EXPECT_NE(make(fillOf(32, number)), made);
  EXPECT_NE(make(fillOf(16, llvm::FixedVectorType::get(number, 4))), made);
  EXPECT_NE(make(fillOf(16, number).add(1, "")), made);
  EXPECT_NE(make(FunctionKey(FunctionKind::Gather).add(16).add(number, "")), made);
}

TEST_F(FunctionKindTest, NamesSayNothing) {
  llvm::Function* made = make(fillOf(16, number));
  made->setName("other");
  shader().setName("tessera.fill_large.16");
  EXPECT_EQ(make(fillOf(16, number)), made);
  EXPECT_EQ(kindOf(*module->getFunction("tessera.fill_large.16")), std::nullopt);
}

TEST_F(FunctionKindTest, DeletedOnesAreMadeAgain) {
  make(fillOf(16, number))->eraseFromParent();
  EXPECT_EQ(findFunction(*module, fillOf(16, number)), nullptr);
  EXPECT_NE(make(fillOf(16, number)), nullptr);
}

TEST_F(FunctionKindTest, CopiesAreOfTheKindToo) {
  llvm::Function* made = make(fillOf(16, number));
  llvm::ValueToValueMapTy same;
  EXPECT_EQ(kindOf(*llvm::CloneFunction(made, same)), FunctionKind::FillLarge);
  EXPECT_EQ(make(fillOf(16, number)), made);
}

TEST_F(FunctionKindTest, TextsOfTheModuleKeepIt) {
  make(fillOf(16, number));
  IrModule again(module.text());
  llvm::Type* type = llvm::Type::getFloatTy(again->getContext());
  EXPECT_NE(findFunction(*again, fillOf(16, type)), nullptr);
  EXPECT_EQ(findFunction(*again, fillOf(32, type)), nullptr);
}

TEST_F(FunctionKindTest, UnknownKindsAreNone) {
  for (const char* metadata : {"!{}", "!{!\"unheard of\"}", "!{i64 1}", "!{null}"}) {
    IrModule other("define void @f() !tessera.function " + std::string(metadata) +
                   " {\n ret void\n}\n");
    EXPECT_EQ(kindOf(*other->getFunction("f")), std::nullopt) << metadata;
  }
}

TEST(FunctionKey, NamesSayTheFacts) {
  FunctionKey key(FunctionKind::PackA);
  key.add(3, "row").add({16, 32}, "16x32").add(1, "").add(64);
  EXPECT_EQ(key.name(), "tessera.pack_a.row.16x32.64");
}

}  // namespace
}  // namespace jit
