// SPDX-License-Identifier: Apache-2.0

// The table of shapes, and matrix operations in the IR.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "jit/ir/matrix_ops.h"
#include "jit/matrix/shapes.h"
#include "tests/jit/coopmat/jit_module.h"

namespace jit::coopmat {
namespace {

using enum Component;

TEST(ShapesTest, ClientsFindHalfFirst) {
  Shape first{Scope::Subgroup, 16, 16, 16, F16, F16, F32, F32, false};
  EXPECT_EQ(shapes().front(), first);
  EXPECT_TRUE(hasShape(first));
  first.k = 8;
  EXPECT_FALSE(hasShape(first));
  EXPECT_EQ(nearestShape(first), shapes().front());
}

TEST(ShapesTest, NearestHasTheSameTypesBeforeTheSameSizes) {
  Shape asked{Scope::Subgroup, 16, 16, 64, S8, S8, S32, S32, false};
  EXPECT_EQ(describe(nearestShape(asked)), "16x16x32 int8_t * int8_t + int -> int, subgroup");
}

// SPV_NV_cooperative_matrix cannot say of a multiply-add that it saturates or how signs are mixed,
// and its types have no bfloat16.
TEST(ShapesTest, NvHasThePlainRows) {
  EXPECT_TRUE(hasShape({Scope::Subgroup, 16, 16, 16, F16, F16, F32, F32, false}, nvShapes()));
  EXPECT_TRUE(hasShape({Scope::Subgroup, 16, 16, 32, S8, S8, S32, S32, false}, nvShapes()));
  EXPECT_TRUE(hasShape({Scope::Subgroup, 16, 16, 32, U8, U8, U32, U32, false}, nvShapes()));
  EXPECT_TRUE(hasShape({Scope::Subgroup, 16, 16, 16, BF16, BF16, F32, F32, false}));
  EXPECT_EQ(nvShapes().front(), shapes().front());
  for (const Shape& row : nvShapes()) {
    SCOPED_TRACE(describe(row));
    EXPECT_TRUE(hasShape(row));
    EXPECT_FALSE(row.saturating);
    for (Component c : {row.a, row.b, row.c, row.result}) {
      EXPECT_NE(c, BF16);
      EXPECT_EQ(isFloat(c), isFloat(row.a));
      EXPECT_EQ(isSigned(c), isSigned(row.a));
    }
  }
}

TEST(ShapesTest, MatricesOfEachUse) {
  EXPECT_TRUE(hasMatrix(Scope::Subgroup, S8, 16, 32, Use::A));
  EXPECT_FALSE(hasMatrix(Scope::Subgroup, S8, 16, 32, Use::B));
  EXPECT_TRUE(hasMatrix(Scope::Subgroup, S8, 32, 16, Use::B));
  EXPECT_TRUE(hasMatrix(Scope::Subgroup, F16, 16, 16, Use::Accumulator));
  EXPECT_FALSE(hasMatrix(Scope::Workgroup, F16, 16, 16, Use::Accumulator));
}

// Any multiple of the granularity up to the largest dimension, in either scope.
TEST(ShapesTest, FlexibleSizes) {
  Shape shape{Scope::Workgroup, 128, 256, 64, F16, F16, F32, F32, false};
  EXPECT_TRUE(isFlexible(shape));
  EXPECT_FALSE(hasShape(shape));
  shape.m = kMaxDimension;
  EXPECT_TRUE(isFlexible(shape));
  shape.m = kMaxDimension + 8;
  EXPECT_FALSE(isFlexible(shape));
  shape.m = 20;
  EXPECT_FALSE(isFlexible(shape));
  shape.m = 24;
  EXPECT_TRUE(isFlexible(shape));
  shape.saturating = true;
  EXPECT_FALSE(isFlexible(shape));
  EXPECT_TRUE(hasFlexibleMatrix(Scope::Subgroup, F16, 48, 8, Use::A));
  EXPECT_FALSE(hasFlexibleMatrix(Scope::Subgroup, F16, 48, 4, Use::B));
  EXPECT_FALSE(hasFlexibleMatrix(Scope::Subgroup, F16, 0, 16, Use::Accumulator));
  EXPECT_TRUE(hasFlexibleMatrix(Scope::Subgroup, S8, 48, 8, Use::Accumulator));
  EXPECT_FALSE(hasFlexibleMatrix(Scope::Subgroup, E4M3, 1032, 8, Use::Accumulator));
}

// VkCooperativeMatrixFlexibleDimensionsPropertiesNV: granularities are powers of two. Types that
// have all multiples have fixed sizes too, the same signs and saturation among them.
TEST(ShapesTest, FlexibleRowsHaveAFixedOne) {
  for (const FlexibleShape& row : flexibleShapes()) {
    SCOPED_TRACE(describe(row));
    for (uint32_t granularity : {row.m, row.n, row.k})
      EXPECT_TRUE(std::has_single_bit(granularity) && granularity <= kMaxDimension);
    EXPECT_TRUE(std::ranges::any_of(shapes(), [&](const Shape& fixed) {
      return fixed.a == row.a && fixed.b == row.b && fixed.c == row.c &&
             fixed.result == row.result && fixed.saturating == row.saturating && isFlexible(fixed);
    }));
  }
}

TEST(ShapesTest, NearestRowIsFixedOrFlexible) {
  Shape asked{Scope::Subgroup, 20, 16, 16, F16, F16, F32, F32, false};
  EXPECT_EQ(describeNearest(asked),
            "multiples of 8x8x8 up to 1024, float16_t * float16_t + float -> float");
  asked = {Scope::Subgroup, 32, 20, 16, F64, F64, F64, F64, false};
  EXPECT_EQ(describeNearest(asked),
            "multiples of 8x8x8 up to 1024, double * double + double -> double");
  EXPECT_EQ(describeNearest(Scope::Subgroup, F64, 32, 20, Use::A),
            "multiples of 8x8x8 up to 1024, double * double + double -> double");
  EXPECT_EQ(describeNearest(Scope::Workgroup, U8, 4, 8, Use::A),
            "multiples of 8x8x8 up to 1024, uint8_t * uint8_t + uint -> uint");
}

TEST(MatrixOperations, AreFoundAgain) {
  test::JitModule module(makeTarget(rt::hostIsa()));
  llvm::Function* function = module.subgroupFunction("f");
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.context(), "entry", function));
  const MatrixType type{S8, 16, 32};
  llvm::Value* stride = builder.getInt64(48);
  llvm::Value* limit = builder.getInt64(-1);
  llvm::Value* a = createLoad(builder, type, function->getArg(0), stride, limit, Layout::Column);
  auto load = matchLoad(a);
  ASSERT_TRUE(load);
  EXPECT_EQ(load->type, type);
  EXPECT_EQ(load->layout, Layout::Column);
  EXPECT_EQ(load->stride_bytes, stride);
  createStore(builder, a, type, function->getArg(1), stride, limit, Layout::Row);
  auto store = matchStore(&builder.GetInsertBlock()->back());
  ASSERT_TRUE(store);
  EXPECT_EQ(store->matrix, a);
  EXPECT_EQ(store->layout, Layout::Row);
  MulAdd op{16, 16, 32, S8, U8, S32, S32, true, false};
  llvm::Value* b = llvm::Constant::getNullValue(vectorType(op.typeB(), builder));
  llvm::Value* c = llvm::Constant::getNullValue(vectorType(op.typeC(), builder));
  auto mul_add = matchMulAdd(createMulAdd(builder, op, a, b, c));
  ASSERT_TRUE(mul_add);
  EXPECT_EQ(mul_add->op, op);
  llvm::Value* turned = createTranspose(builder, type, a);
  auto transpose = matchTranspose(turned);
  ASSERT_TRUE(transpose);
  EXPECT_EQ(transpose->type, type);
  EXPECT_EQ(transpose->matrix, a);
  EXPECT_FALSE(matchTranspose(a) || matchLoad(turned));
  EXPECT_FALSE(matchLoad(mul_add->call) || matchStore(mul_add->call) || matchMulAdd(a));
}

// Of a device that has some matrices in workgroups of certain sizes only.
TEST(Tables, OfAnotherDevice) {
  Tables tables{.fixed = {},
                .nv = {},
                .flexible = {{16, 16, 16, F16, F16, F32, F32, false, Scope::Subgroup, 0},
                             {32, 16, 16, F16, F16, F32, F32, false, Scope::Workgroup, 128}},
                .max_dimension = 64};
  Shape shape{Scope::Subgroup, 16, 16, 16, F16, F16, F32, F32, false};
  EXPECT_TRUE(isFlexible(shape, tables));
  EXPECT_FALSE(hasShape(shape, tables.fixed));
  shape.m = 80;
  EXPECT_FALSE(isFlexible(shape, tables));
  shape = {Scope::Workgroup, 32, 16, 16, F16, F16, F32, F32, false};
  EXPECT_TRUE(isFlexible(shape, tables, 128));
  EXPECT_FALSE(isFlexible(shape, tables, 256));
  EXPECT_TRUE(hasFlexibleMatrix(Scope::Workgroup, F16, 32, 16, Use::A, tables, 128));
  EXPECT_FALSE(hasFlexibleMatrix(Scope::Workgroup, F16, 16, 16, Use::A, tables, 128));
  EXPECT_TRUE(hasFlexibleMatrix(Scope::Subgroup, F16, 16, 16, Use::A, tables));
  EXPECT_EQ(describeNearest(shape, tables),
            "multiples of 32x16x16 up to 64, float16_t * float16_t + float -> float, workgroup of "
            "128 invocations");
  EXPECT_EQ(describeNearestNv(shape, tables), "none, as this device has no such matrices");
  tables.flexible.clear();
  EXPECT_EQ(describeNearest(shape, tables), "none, as this device has no such matrices");
  EXPECT_EQ(describeNearest(Scope::Subgroup, F16, 16, 16, Use::A, tables),
            "none, as this device has no such matrices");
}

}  // namespace
}  // namespace jit::coopmat
