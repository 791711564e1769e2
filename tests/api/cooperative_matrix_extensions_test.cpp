// SPDX-License-Identifier: Apache-2.0

// Devices with one of VK_NV_cooperative_matrix2 and VK_EXT_cooperative_matrix_maintenance1 and
// nothing of the other: what both have runs on each. The capabilities of reductions and of
// functions of elements have one number under both names, those of conversions have two.
#include <bit>
#include <tuple>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

enum class Names { Nv, Ext };

constexpr uint32_t kSide = 16, kElements = kSide * kSide;

// Of the first matrix of the buffer, behind it: a function of each element, the sums of rows, the
// matrix as A, and turned as B.
std::string shader(Names names) {
  const bool nv = names == Names::Nv;
  const std::string suffix = nv ? "NV" : "EXT";
  return std::string("#version 450\n#extension ") +
         (nv ? "GL_NV_cooperative_matrix2" : "GL_EXT_cooperative_matrix_maintenance1") +
         R"( : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#define MATRIX(U) coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUse##U>
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
float f(const in uint r, const in uint c, const in float x) {
  return x * 2 + float(r) * 1000 + float(c) * 20000;
}
float add(const in float x, const in float y) { return x + y; }
void main() {
  if (gl_SubgroupID != 0) return;
  MATRIX(Accumulator) m, x;
  MATRIX(B) b;
  coopMatLoad(m, data, 0, 16, row);
  coopMatPerElement)" +
         suffix + "(x, m, f);\n  coopMatStore(x, data, 256, 16, row);\n  coopMatReduce" + suffix +
         "(x, m, gl_CooperativeMatrixReduceRow" + suffix +
         ", add);\n  coopMatStore(x, data, 512, 16, row);\n"
         "  coopMatStore(MATRIX(A)(m), data, 768, 16, row);\n  coopMatTranspose" +
         suffix + "(b, m);\n  coopMatStore(b, data, 1024, 16, row);\n}\n";
}

// A device with the extension of the first parameter; shaders with the names of the second.
class OneMatrixExtensionTest : public PipelineTest,
                               public testing::WithParamInterface<std::tuple<Names, Names>> {
 protected:
  void SetUp() override {
    const auto [extension, names] = GetParam();
    if (extension != names)
      SKIP_UNDER_VALIDATION("the module has the other extension's name, which is not enabled");
    device_extensions = {VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME,
                         extension == Names::Nv
                             ? VK_NV_COOPERATIVE_MATRIX_2_EXTENSION_NAME
                             : VK_EXT_COOPERATIVE_MATRIX_MAINTENANCE_1_EXTENSION_NAME};
    device_features = extension == Names::Nv ? static_cast<void*>(&matrix2_) : &maintenance1_;
    PipelineTest::SetUp();
  }

 private:
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrix_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR};
  VkPhysicalDeviceCooperativeMatrix2FeaturesNV matrix2_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_FEATURES_NV,
      .pNext = &matrix_};
  VkPhysicalDeviceCooperativeMatrixMaintenance1FeaturesEXT maintenance1_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_MAINTENANCE_1_FEATURES_EXT,
      .pNext = &matrix_};
};

TEST_P(OneMatrixExtensionTest, RunsWhatBothHave) {
  const VkDescriptorSetLayout set_layout = makeSetLayout();
  const VkPipelineLayout layout = makePipelineLayout({&set_layout, 1}, 0);
  const VkPipeline pipeline = makePipeline(layout, shader(std::get<1>(GetParam())));
  const VkDescriptorSet set = makeSet(set_layout);
  const WordBuffer buffer = makeBuffer(size_t{5} * kElements);
  writeStorageBuffer(set, buffer.buffer);
  auto input = [](uint32_t r, uint32_t c) { return static_cast<float>((r * 37 + c * 11) % 64); };
  for (uint32_t k = 0; k < kElements; ++k)
    buffer.words[k] = std::bit_cast<uint32_t>(input(k / kSide, k % kSide));
  run([&](VkCommandBuffer commands) {
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                               nullptr);
    vk.vkCmdDispatch(commands, 1, 1, 1);
  });
  auto result = [&](uint32_t matrix, uint32_t k) {
    return std::bit_cast<float>(buffer.words[matrix * kElements + k]);
  };
  for (uint32_t k = 0; k < kElements && !HasFailure(); ++k) {
    const uint32_t r = k / kSide, c = k % kSide;
    SCOPED_TRACE("row " + std::to_string(r) + ", column " + std::to_string(c));
    float sum = 0;
    for (uint32_t other = 0; other < kSide; ++other) sum += input(r, other);
    const auto row = static_cast<float>(r), column = static_cast<float>(c);
    EXPECT_EQ(result(1, k), input(r, c) * 2 + row * 1000 + column * 20000) << "of the function";
    EXPECT_EQ(result(2, k), sum) << "of the reduction";
    EXPECT_EQ(result(3, k), input(r, c)) << "of the conversion";
    EXPECT_EQ(result(4, k), input(c, r)) << "of the transpose";
  }
}

std::string nameOf(Names names) { return names == Names::Nv ? "Nv" : "Ext"; }

INSTANTIATE_TEST_SUITE_P(Devices, OneMatrixExtensionTest,
                         testing::Combine(testing::Values(Names::Nv, Names::Ext),
                                          testing::Values(Names::Nv, Names::Ext)),
                         [](const auto& info) {
                           return "With" + nameOf(std::get<0>(info.param)) + "NamesOf" +
                                  nameOf(std::get<1>(info.param));
                         });

}  // namespace
}  // namespace api_test
