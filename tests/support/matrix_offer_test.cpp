// SPDX-License-Identifier: Apache-2.0

// Which of a device's rows answer what a kernel file requires.
#include "tests/support/matrix_offer.h"

#include <gtest/gtest.h>

namespace kernels {
namespace {

// Multiplies s8 by u8, so that uses and types are told apart; C is s32, the result u32.
VkCooperativeMatrixPropertiesKHR sized(uint32_t m, uint32_t n, uint32_t k) {
  VkCooperativeMatrixPropertiesKHR row{.sType =
                                           VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR};
  row.MSize = m, row.NSize = n, row.KSize = k;
  row.AType = VK_COMPONENT_TYPE_SINT8_KHR, row.BType = VK_COMPONENT_TYPE_UINT8_KHR;
  row.CType = VK_COMPONENT_TYPE_SINT32_KHR, row.ResultType = VK_COMPONENT_TYPE_UINT32_KHR;
  row.scope = VK_SCOPE_SUBGROUP_KHR;
  return row;
}

VkCooperativeMatrixFlexibleDimensionsPropertiesNV flexible(uint32_t m, uint32_t n, uint32_t k,
                                                           uint32_t invocations) {
  VkCooperativeMatrixFlexibleDimensionsPropertiesNV row{
      .sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_FLEXIBLE_DIMENSIONS_PROPERTIES_NV};
  row.MGranularity = m, row.NGranularity = n, row.KGranularity = k;
  row.AType = VK_COMPONENT_TYPE_SINT8_KHR, row.BType = VK_COMPONENT_TYPE_UINT8_KHR;
  row.CType = VK_COMPONENT_TYPE_SINT32_KHR, row.ResultType = VK_COMPONENT_TYPE_UINT32_KHR;
  row.scope = invocations == 0 ? VK_SCOPE_SUBGROUP_KHR : VK_SCOPE_WORKGROUP_KHR;
  row.workgroupInvocations = invocations;
  return row;
}

MatrixRow answered(uint32_t m, uint32_t n, uint32_t k, uint32_t invocations, bool multiples,
                   VkCooperativeMatrixFlagsEXT flags = 0) {
  VkPhysicalDeviceCooperativeMatrixInfo2EXT asked{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_INFO_2_EXT};
  asked.scope = invocations == 0 ? VK_SCOPE_SUBGROUP_KHR : VK_SCOPE_WORKGROUP_KHR;
  asked.invocations = invocations;
  asked.flags = flags;
  VkCooperativeMatrixProperties2EXT row{.sType =
                                            VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_2_EXT};
  row.MGranularity = m, row.NGranularity = n, row.KGranularity = k;
  row.AType = VK_COMPONENT_TYPE_SINT8_KHR, row.BType = VK_COMPONENT_TYPE_UINT8_KHR;
  row.CType = VK_COMPONENT_TYPE_SINT32_KHR, row.ResultType = VK_COMPONENT_TYPE_UINT32_KHR;
  return MatrixRow(row, asked, multiples);
}

MatrixRequirement multiplication(uint32_t m, uint32_t n, uint32_t k, uint32_t invocations = 0) {
  return {
      m,     n,          k, ElementType::S8, ElementType::U8, ElementType::S32, ElementType::U32,
      false, invocations};
}

TEST(MatrixOfferTest, SizesAreThemselves) {
  const MatrixOffer offer{{MatrixRow(sized(16, 8, 32))}, 1024};
  EXPECT_TRUE(offer.has(multiplication(16, 8, 32)));
  EXPECT_FALSE(offer.has(multiplication(32, 8, 32)));
  EXPECT_FALSE(offer.has(multiplication(16, 16, 32)));
  EXPECT_FALSE(offer.has(multiplication(16, 8, 64)));
  EXPECT_FALSE(offer.has(multiplication(16, 8, 32, 128)));
  EXPECT_FALSE(MatrixOffer{}.has(multiplication(16, 8, 32)));
}

TEST(MatrixOfferTest, TypesAndSaturationAreThoseOfTheRow) {
  const MatrixOffer offer{{MatrixRow(sized(16, 16, 32)), MatrixRow(flexible(8, 8, 8, 0))}, 1024};
  ASSERT_TRUE(offer.has(multiplication(16, 16, 32)));
  for (ElementType MatrixRequirement::* type :
       {&MatrixRequirement::a, &MatrixRequirement::b, &MatrixRequirement::c,
        &MatrixRequirement::result}) {
    MatrixRequirement other = multiplication(16, 16, 32);
    other.*type = ElementType::F16;
    EXPECT_FALSE(offer.has(other));
  }
  MatrixRequirement saturating = multiplication(16, 16, 32);
  saturating.saturating = true;
  EXPECT_FALSE(offer.has(saturating));
  auto saturating_row = flexible(8, 8, 8, 0);
  saturating_row.saturatingAccumulation = VK_TRUE;
  const MatrixOffer other{{MatrixRow(saturating_row)}, 1024};
  EXPECT_TRUE(other.has(saturating));
  EXPECT_FALSE(other.has(multiplication(16, 16, 32)));
}

TEST(MatrixOfferTest, FlexibleSizesAreMultiplesUpToTheLargest) {
  const MatrixOffer offer{{MatrixRow(flexible(16, 8, 32, 0))}, 256};
  EXPECT_TRUE(offer.has(multiplication(16, 8, 32)));
  EXPECT_TRUE(offer.has(multiplication(48, 24, 96)));
  EXPECT_TRUE(offer.has(multiplication(256, 256, 256)));
  EXPECT_FALSE(offer.has(multiplication(24, 24, 96)));
  EXPECT_FALSE(offer.has(multiplication(48, 20, 96)));
  EXPECT_FALSE(offer.has(multiplication(48, 24, 48)));
  EXPECT_FALSE(offer.has(multiplication(272, 8, 32)));
  EXPECT_FALSE(offer.has(multiplication(0, 8, 32)));
}

TEST(MatrixOfferTest, WorkgroupsAreOfTheRowsInvocations) {
  const MatrixOffer offer{
      {MatrixRow(flexible(16, 16, 16, 0)), MatrixRow(flexible(32, 16, 16, 128))}, 256};
  EXPECT_TRUE(offer.has(multiplication(16, 16, 16)));
  EXPECT_FALSE(offer.has(multiplication(16, 16, 16, 128)));
  EXPECT_TRUE(offer.has(multiplication(32, 16, 16, 128)));
  EXPECT_FALSE(offer.has(multiplication(32, 16, 16, 256)));
}

TEST(MatrixOfferTest, AnswersAreForWhatWasAsked) {
  const MatrixOffer offer{{answered(16, 16, 32, 512, true)}, 256};
  EXPECT_TRUE(offer.has(multiplication(48, 16, 64, 512)));
  EXPECT_FALSE(offer.has(multiplication(48, 16, 64, 256)));
  EXPECT_FALSE(offer.has(multiplication(48, 16, 64)));
  // Without flexible dimensions these are sizes.
  const MatrixOffer exact{{answered(16, 16, 32, 512, false)}, 256};
  EXPECT_TRUE(exact.has(multiplication(16, 16, 32, 512)));
  EXPECT_FALSE(exact.has(multiplication(48, 16, 64, 512)));

  MatrixRequirement saturating = multiplication(16, 16, 32);
  saturating.saturating = true;
  EXPECT_FALSE((MatrixOffer{{answered(16, 16, 32, 0, true)}, 256}.has(saturating)));
  EXPECT_TRUE((MatrixOffer{
      {answered(16, 16, 32, 0, true, VK_COOPERATIVE_MATRIX_SATURATING_ACCUMULATION_BIT_EXT)}, 256}
                   .has(saturating)));
}

TEST(MatrixOfferTest, MatrixTypesAreThoseOfSomeRowInTheirUse) {
  const MatrixOffer offer{{MatrixRow(flexible(16, 8, 32, 0))}, 256};
  using enum MatrixUse;
  auto has = [&](uint32_t rows, uint32_t columns, MatrixUse use, ElementType type,
                 uint32_t invocations = 0) {
    return offer.has(MatrixTypeRequirement{rows, columns, use, type, invocations});
  };
  EXPECT_TRUE(has(48, 96, A, ElementType::S8));
  EXPECT_FALSE(has(48, 16, A, ElementType::S8));
  EXPECT_FALSE(has(8, 32, A, ElementType::S8));
  EXPECT_FALSE(has(48, 96, A, ElementType::U8));
  EXPECT_TRUE(has(96, 8, B, ElementType::U8));
  EXPECT_FALSE(has(16, 8, B, ElementType::U8));
  EXPECT_FALSE(has(96, 8, B, ElementType::S8));
  EXPECT_TRUE(has(16, 8, Accumulator, ElementType::S32));
  EXPECT_TRUE(has(32, 24, Accumulator, ElementType::U32));
  EXPECT_FALSE(has(8, 8, Accumulator, ElementType::S32));
  EXPECT_FALSE(has(16, 8, Accumulator, ElementType::S8));
  EXPECT_FALSE(has(16, 8, Accumulator, ElementType::S32, 128));
  // Of sizes, only they themselves; of a workgroup, only of its row.
  const MatrixOffer others{{MatrixRow(sized(16, 8, 32)), MatrixRow(flexible(32, 32, 32, 256))},
                           256};
  EXPECT_TRUE(others.has(MatrixTypeRequirement{16, 32, A, ElementType::S8}));
  EXPECT_FALSE(others.has(MatrixTypeRequirement{32, 32, A, ElementType::S8}));
  EXPECT_TRUE(others.has(MatrixTypeRequirement{32, 32, A, ElementType::S8, 256}));
}

TEST(MatrixOfferTest, MessagesSayWhatIsMissing) {
  MatrixRequirement matrix = multiplication(16, 8, 32, 128);
  EXPECT_EQ(describe(matrix), "16x8x32 s8*u8+s32->u32 of workgroups of 128");
  matrix.saturating = true;
  matrix.invocations = 0;
  EXPECT_EQ(describe(matrix), "16x8x32 s8*u8+s32->u32 saturating of subgroups");
  EXPECT_EQ(describe(MatrixTypeRequirement{16, 48, MatrixUse::Accumulator, ElementType::F32}),
            "16x48 f32 as Accumulator of subgroups");
  EXPECT_EQ(describe(MatrixTypeRequirement{16, 48, MatrixUse::B, ElementType::F16, 256}),
            "16x48 f16 as B of workgroups of 256");
}

}  // namespace
}  // namespace kernels
