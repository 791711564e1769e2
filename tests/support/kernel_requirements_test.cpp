// SPDX-License-Identifier: Apache-2.0

// What of a device's tables answers a kernel file: those of the features that are on, for the
// subgroups that the dispatches have. On the driver of the build tree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/kernel_runner.h"

namespace kernels {
namespace {

class KernelRequirementsTest : public testing::Test {
 protected:
  // Of a device without these features, for kernels with this line: what it lacks, or nothing.
  std::string findUnmet(const std::string& line, const std::vector<const char*>& without = {},
                        const std::string& subgroup = "subgroup 32 full") {
    host::DeviceFeatures features(instance_.functions(), physical_.handle, physical_.api_version,
                                  physical_.extensions);
    for (const char* feature : without) features.disable(feature);
    const host::Device device(instance_, physical_, features);
    KernelSource source;
    source.path = "test.comp";
    uint32_t number = 0;
    for (const std::string& text : {line, subgroup, std::string("buffer a f32[1] binding 0"),
                                    std::string("dispatch 1"), std::string("expect a = 1")})
      source.directives.push_back({text, ++number});
    return findUnmetRequirement(parseKernel(source), device);
  }

 private:
  host::Instance instance_;
  const host::PhysicalDevice& physical_ = instance_.choose();
};

using testing::HasSubstr;
constexpr const char *kFlexible = "cooperativeMatrixFlexibleDimensions",
                     *kWorkgroups = "cooperativeMatrixWorkgroupScope",
                     *kProperties2 = "cooperativeMatrixProperties2";

TEST_F(KernelRequirementsTest, FlexibleSizesAreForThoseWhoHaveThem) {
  const std::string line = "require matrix 24 40 56 f16 f16 f32 f32";
  EXPECT_EQ(findUnmet(line), "");
  EXPECT_EQ(findUnmet(line, {kFlexible}),
            "needs cooperative matrices 24x40x56 f16*f16+f32->f32 of subgroups");
  EXPECT_EQ(findUnmet("require matrix 16 16 16 f16 f16 f32 f32", {kFlexible, kProperties2}), "");
  EXPECT_THAT(findUnmet("require matrix 24 40 52 f16 f16 f32 f32"), HasSubstr("24x40x52"));
  EXPECT_THAT(findUnmet("require matrix 24 40 56 f16 f16 f32 f32 saturating"),
              HasSubstr("saturating"));
}

TEST_F(KernelRequirementsTest, WorkgroupsAreThoseThatOneOfTheQueriesLists) {
  const std::string listed = "require matrix 24 40 56 f16 f16 f32 f32 invocations 128";
  EXPECT_EQ(findUnmet(listed), "");
  EXPECT_EQ(findUnmet(listed, {kProperties2}), "");
  EXPECT_THAT(findUnmet(listed, {kWorkgroups}), HasSubstr("of workgroups of 128"));
  EXPECT_THAT(findUnmet(listed, {kFlexible}), HasSubstr("of workgroups of 128"));
  // VK_NV_cooperative_matrix2 has no such row here.
  const std::string asked = "require matrix 32 48 16 f16 f16 f32 f32 invocations 512";
  EXPECT_EQ(findUnmet(asked), "");
  EXPECT_THAT(findUnmet(asked, {kProperties2}), HasSubstr("of workgroups of 512"));
  EXPECT_THAT(findUnmet(asked, {kFlexible}), HasSubstr("32x48x16"));
  EXPECT_EQ(findUnmet("require matrix 16 16 16 f16 f16 f32 f32 invocations 512", {kFlexible}), "");
  for (const char* none : {"96", "2048", "16"})
    EXPECT_THAT(
        findUnmet("require matrix 16 16 16 f16 f16 f32 f32 invocations " + std::string(none)),
        HasSubstr("of workgroups of " + std::string(none)));
}

TEST_F(KernelRequirementsTest, MatrixTypesAreThoseOfSomeMultiplication) {
  EXPECT_EQ(findUnmet("require matrix_type 24 40 Accumulator f32"), "");
  EXPECT_EQ(findUnmet("require matrix_type 24 40 Accumulator f32", {kFlexible}),
            "needs a cooperative matrix 24x40 f32 as Accumulator of subgroups");
  EXPECT_EQ(findUnmet("require matrix_type 16 16 A s8", {kFlexible}), "");
  EXPECT_EQ(findUnmet("require matrix_type 24 40 B u8 invocations 256"), "");
  EXPECT_THAT(findUnmet("require matrix_type 24 20 B f64 invocations 256"), HasSubstr("f64 as B"));
}

TEST_F(KernelRequirementsTest, SubgroupsComeBeforeWhatTheyHold) {
  EXPECT_EQ(findUnmet("require matrix 16 16 16 f16 f16 f32 f32 invocations 64", {}, "subgroup 128"),
            "needs subgroups of 128");
  EXPECT_EQ(findUnmet("require matrix 16 16 16 f16 f16 f32 f32 invocations 64", {}, "subgroup 64"),
            "");
  EXPECT_THAT(
      findUnmet("require matrix 16 16 16 f16 f16 f32 f32 invocations 32", {}, "subgroup 64"),
      HasSubstr("of workgroups of 32"));
}

}  // namespace
}  // namespace kernels
