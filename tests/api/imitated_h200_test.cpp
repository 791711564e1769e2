// SPDX-License-Identifier: Apache-2.0

// TESSERA_IMITATE=nvidia-h200: what the device lists, row by row, and what it refuses.
#include <array>
#include <filesystem>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "tests/api/h200_rows.h"
#include "tests/support/shader_compiler.h"
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

class H200Test : public PipelineTest {
 protected:
  void SetUp() override {
    device_extensions = {
        VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME, VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME,
        VK_NV_COOPERATIVE_MATRIX_2_EXTENSION_NAME, VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME};
    device_features = &matrix2_;
    layout_ = VK_NULL_HANDLE;
    PipelineTest::SetUp();
  }

  // Why a shader is refused; nothing where it is not.
  std::string refusal(const std::string& glsl, uint32_t subgroup_size = 0) {
    messages();
    const VkShaderModule module = makeModule(
        host::compileGlsl("#version 460\n"
                          "#extension GL_KHR_cooperative_matrix : require\n"
                          "#extension GL_KHR_memory_scope_semantics : require\n"
                          "#extension GL_NV_cooperative_matrix2 : enable\n"
                          "#extension GL_EXT_shader_explicit_arithmetic_types : require\n" +
                              glsl,
                          "h200.comp", {}));
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result = tryPipeline(layout(), module, "main", &pipeline, subgroup_size);
    vk.vkDestroyPipeline(device, pipeline, nullptr);
    if (result == VK_SUCCESS) return "";
    std::string all = "refused";
    for (const std::string& message : messages()) all += "; " + message;
    return all;
  }

  VkPipelineLayout layout() {
    if (layout_ == VK_NULL_HANDLE) {
      set_layout_ = makeSetLayout();
      layout_ = makePipelineLayout({&set_layout_, 1}, 0);
    }
    return layout_;
  }

  // C = A * B + C in a workgroup of so many invocations.
  static std::string multiplication(const char* ab, const char* c, const char* scope,
                                    std::array<uint32_t, 3> mnk, uint32_t invocations,
                                    const std::string& more = "") {
    const auto [m, n, k] = mnk;
    auto matrix = [&](const char* type, uint32_t rows, uint32_t columns, const char* use) {
      return "coopmat<" + std::string(type) + ", " + scope + ", " + std::to_string(rows) + ", " +
             std::to_string(columns) + ", gl_MatrixUse" + use + ">";
    };
    return "layout(local_size_x = " + std::to_string(invocations) + ") in;\n" +
           "layout(binding = 0) buffer Data { " + c + " data[]; };\n" + more + "void main() {\n  " +
           matrix(c, m, n, "Accumulator") + " sum;\n" + "  coopMatLoad(sum, data, 0, " +
           std::to_string(n) + ", gl_CooperativeMatrixLayoutRowMajor);\n" + "  " +
           matrix(ab, m, k, "A") + " a = " + matrix(ab, m, k, "A") + "(2);\n  " +
           matrix(ab, k, n, "B") + " b = " + matrix(ab, k, n, "B") +
           "(3);\n  sum = coopMatMulAdd(a, b, sum);\n" + "  coopMatStore(sum, data, 0, " +
           std::to_string(n) + ", gl_CooperativeMatrixLayoutRowMajor);\n}\n";
  }

  template <typename Properties, typename Query>
  std::vector<Properties> all(Query query, VkStructureType type) {
    uint32_t count = 0;
    EXPECT_EQ(query(physical_device, &count, nullptr), VK_SUCCESS);
    Properties blank{};
    blank.sType = type;
    std::vector<Properties> rows(count, blank);
    EXPECT_EQ(query(physical_device, &count, rows.data()), VK_SUCCESS);
    return rows;
  }

  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;

 private:
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPhysicalDeviceShaderBfloat16FeaturesKHR bfloat16_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_BFLOAT16_FEATURES_KHR};
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrix_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR,
      .pNext = &bfloat16_};
  VkPhysicalDeviceCooperativeMatrix2FeaturesNV matrix2_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_FEATURES_NV,
      .pNext = &matrix_};
  const ScopedVariable imitate_{"TESSERA_IMITATE", "nvidia-h200"};
};

TEST_F(H200Test, ListsTheMultiplicationsOfFixedSizes) {
  std::vector<Row> rows;
  for (const auto& row :
       all<VkCooperativeMatrixPropertiesKHR>(vk.vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR,
                                             VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR)) {
    EXPECT_EQ(row.saturatingAccumulation, VK_FALSE);
    rows.push_back({row.MSize, row.NSize, row.KSize, row.AType, row.BType, row.CType,
                    row.ResultType, row.scope});
  }
  EXPECT_EQ(rows, kFixed);
  rows.clear();
  for (const auto& row :
       all<VkCooperativeMatrixPropertiesNV>(vk.vkGetPhysicalDeviceCooperativeMatrixPropertiesNV,
                                            VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_NV))
    rows.push_back(
        {row.MSize, row.NSize, row.KSize, row.AType, row.BType, row.CType, row.DType, row.scope});
  EXPECT_EQ(rows, kNv);
}

TEST_F(H200Test, ListsTheMultiplicationsOfFlexibleSizes) {
  std::vector<Row> rows;
  for (const auto& row : all<VkCooperativeMatrixFlexibleDimensionsPropertiesNV>(
           vk.vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV,
           VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_FLEXIBLE_DIMENSIONS_PROPERTIES_NV)) {
    EXPECT_EQ(row.saturatingAccumulation, VK_FALSE);
    rows.push_back({row.MGranularity, row.NGranularity, row.KGranularity, row.AType, row.BType,
                    row.CType, row.ResultType, row.scope, row.workgroupInvocations});
  }
  EXPECT_EQ(rows, kFlexible);
}

TEST_F(H200Test, HasItsLimits) {
  auto v13 = propertiesOf<VkPhysicalDeviceVulkan13Properties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES);
  EXPECT_EQ(v13.minSubgroupSize, 32u);
  EXPECT_EQ(v13.maxSubgroupSize, 32u);
  EXPECT_EQ(v13.maxComputeWorkgroupSubgroups, 32u);
  auto subgroup = propertiesOf<VkPhysicalDeviceSubgroupProperties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
  EXPECT_EQ(subgroup.subgroupSize, 32u);
  EXPECT_EQ(subgroup.supportedOperations, 0x7ffu);
  auto v11 = propertiesOf<VkPhysicalDeviceVulkan11Properties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES);
  EXPECT_EQ(v11.maxMemoryAllocationSize, 4292870144u);
  auto v12 = propertiesOf<VkPhysicalDeviceVulkan12Properties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES);
  EXPECT_TRUE(v12.shaderDenormPreserveFloat16);
  EXPECT_FALSE(v12.shaderDenormPreserveFloat32);
  EXPECT_FALSE(v12.shaderDenormPreserveFloat64);
  EXPECT_FALSE(v12.shaderRoundingModeRTZFloat16);
  EXPECT_TRUE(v12.shaderRoundingModeRTZFloat32);
  EXPECT_TRUE(v12.shaderRoundingModeRTEFloat16);
  auto matrices = propertiesOf<VkPhysicalDeviceCooperativeMatrix2PropertiesNV>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV);
  EXPECT_EQ(matrices.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize, 256u);
  EXPECT_EQ(matrices.cooperativeMatrixFlexibleDimensionsMaxDimension, 1024u);
  EXPECT_EQ(matrices.cooperativeMatrixWorkgroupScopeReservedSharedMemory, 8192u);
  VkPhysicalDeviceProperties properties;
  vk.vkGetPhysicalDeviceProperties(physical_device, &properties);
  EXPECT_EQ(properties.limits.maxComputeSharedMemorySize, 49152u);
  EXPECT_EQ(properties.limits.maxComputeWorkGroupInvocations, 1024u);
  EXPECT_EQ(properties.limits.maxComputeWorkGroupSize[1], 1024u);
  EXPECT_EQ(properties.limits.maxComputeWorkGroupSize[2], 64u);
  EXPECT_EQ(properties.limits.maxPushConstantsSize, 256u);
  EXPECT_EQ(properties.limits.minStorageBufferOffsetAlignment, 16u);
  // Who it is stays.
  EXPECT_NE(std::string(properties.deviceName).find("Tessera"), std::string::npos);
  EXPECT_EQ(properties.vendorID, 0u);
  EXPECT_NE(v12.driverID, VK_DRIVER_ID_NVIDIA_PROPRIETARY);
}

TEST_F(H200Test, HasItsExtensionsAndFeatures) {
  uint32_t count = 0;
  vk.vkEnumerateDeviceExtensionProperties(physical_device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vk.vkEnumerateDeviceExtensionProperties(physical_device, nullptr, &count, extensions.data());
  std::set<std::string> names;
  for (const VkExtensionProperties& extension : extensions) names.insert(extension.extensionName);
  for (const char* there :
       {"VK_KHR_cooperative_matrix", "VK_NV_cooperative_matrix", "VK_NV_cooperative_matrix2",
        "VK_KHR_shader_bfloat16", "VK_KHR_maintenance8", "VK_KHR_buffer_device_address"})
    EXPECT_EQ(names.count(there), 1u) << there;
  for (const char* absent : {"VK_EXT_shader_float8", "VK_EXT_cooperative_matrix_maintenance1",
                             "VK_NV_cooperative_matrix_decode_vector", "VK_KHR_maintenance9",
                             "VK_NV_cooperative_vector", "VK_EXT_mesh_shader"})
    EXPECT_EQ(names.count(absent), 0u) << absent;

  VkPhysicalDeviceShaderFloat8FeaturesEXT float8{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT8_FEATURES_EXT};
  VkPhysicalDeviceShaderBfloat16FeaturesKHR bfloat16{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_BFLOAT16_FEATURES_KHR, .pNext = &float8};
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrix{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR,
      .pNext = &bfloat16};
  VkPhysicalDeviceVulkan12Features v12{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &matrix};
  VkPhysicalDeviceFeatures2 features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &v12};
  vk.vkGetPhysicalDeviceFeatures2(physical_device, &features);
  EXPECT_TRUE(features.features.shaderInt64);
  EXPECT_FALSE(features.features.geometryShader);  // which this driver has not
  EXPECT_TRUE(v12.bufferDeviceAddress);
  EXPECT_TRUE(matrix.cooperativeMatrix);
  EXPECT_FALSE(matrix.cooperativeMatrixRobustBufferAccess);
  EXPECT_TRUE(bfloat16.shaderBFloat16Type);
  EXPECT_FALSE(bfloat16.shaderBFloat16DotProduct);
  EXPECT_TRUE(bfloat16.shaderBFloat16CooperativeMatrix);
  EXPECT_FALSE(float8.shaderFloat8);
}

TEST_F(H200Test, RefusesWhatItLacksAtDevices) {
  MISUSE_FROM_HERE();
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue_info{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR robust{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR,
      .cooperativeMatrixRobustBufferAccess = VK_TRUE};
  const char* float8[] = {VK_EXT_SHADER_FLOAT8_EXTENSION_NAME};
  VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                          .pNext = &robust,
                          .queueCreateInfoCount = 1,
                          .pQueueCreateInfos = &queue_info};
  VkDevice other = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkCreateDevice(physical_device, &info, nullptr, &other),
            VK_ERROR_FEATURE_NOT_PRESENT);
  EXPECT_TRUE(wasTold("cooperativeMatrixRobustBufferAccess"));
  info.pNext = nullptr;
  info.enabledExtensionCount = 1;
  info.ppEnabledExtensionNames = float8;
  EXPECT_EQ(vk.vkCreateDevice(physical_device, &info, nullptr, &other),
            VK_ERROR_EXTENSION_NOT_PRESENT);
}

TEST_F(H200Test, RefusesMultiplicationsThatItLacks) {
  MISUSE_FROM_HERE();
  constexpr const char* kSub = "gl_ScopeSubgroup";
  constexpr const char* kGroup = "gl_ScopeWorkgroup";
  EXPECT_EQ(refusal(multiplication("float16_t", "float", kSub, {16, 16, 16}, 32)), "");
  EXPECT_EQ(refusal(multiplication("float16_t", "float16_t", kSub, {16, 8, 8}, 32)), "");
  EXPECT_EQ(refusal(multiplication("uint8_t", "uint", kSub, {16, 8, 32}, 32)), "");
  EXPECT_EQ(refusal(multiplication("float16_t", "float", kSub, {64, 48, 32}, 32)), "");
  // The driver has all of these.
  for (const auto& glsl : {multiplication("float16_t", "float", kSub, {8, 8, 8}, 32),
                           multiplication("float", "float", kSub, {16, 16, 16}, 32),
                           multiplication("int8_t", "int", kSub, {16, 16, 16}, 32),
                           multiplication("float16_t", "float", kSub, {24, 16, 16}, 32)})
    EXPECT_NE(refusal(glsl).find("the nearest"), std::string::npos) << glsl;
  // Granularities of workgroups depend on their sizes.
  EXPECT_EQ(refusal(multiplication("float16_t", "float", kGroup, {16, 16, 16}, 64)), "");
  EXPECT_EQ(refusal(multiplication("float16_t", "float", kGroup, {32, 16, 16}, 128)), "");
  EXPECT_EQ(refusal(multiplication("float16_t", "float", kGroup, {32, 32, 16}, 256)), "");
  EXPECT_NE(refusal(multiplication("float16_t", "float", kGroup, {16, 16, 16}, 128)), "");
  EXPECT_NE(refusal(multiplication("float16_t", "float", kGroup, {32, 16, 16}, 256)), "");
  EXPECT_NE(refusal(multiplication("float16_t", "float", kGroup, {32, 32, 16}, 512)), "");
}

// Kernels that this driver has made without being like another device.
TEST_F(H200Test, RefusesWhatIsInTheCache) {
  MISUSE_FROM_HERE();
  std::string pattern = "/tmp/tessera-h200-XXXXXX";
  const std::string folder = mkdtemp(pattern.data());
  const std::string glsl = multiplication("float16_t", "float", "gl_ScopeSubgroup", {8, 8, 8}, 32);
  {
    const ScopedVariable cache("TESSERA_CACHE", folder.c_str());
    const ScopedVariable none("TESSERA_IMITATE", "");
    TearDown();
    SetUp();
    EXPECT_EQ(refusal(glsl), "");
  }
  EXPECT_FALSE(std::filesystem::is_empty(folder));
  const ScopedVariable cache("TESSERA_CACHE", folder.c_str());
  TearDown();
  SetUp();
  EXPECT_NE(refusal(glsl), "");
  std::filesystem::remove_all(folder);
}

TEST_F(H200Test, KeepsItsLimitsInPipelines) {
  MISUSE_FROM_HERE();
  constexpr const char* kEmpty = "layout(local_size_x = 32) in;\nvoid main() {}\n";
  EXPECT_EQ(refusal(kEmpty, 32), "");
  EXPECT_NE(refusal(kEmpty, 16).find("minSubgroupSize"), std::string::npos);
  EXPECT_NE(refusal(kEmpty, 64).find("maxSubgroupSize"), std::string::npos);
  auto shared = [](uint32_t words) {
    return "shared uint words[" + std::to_string(words) + "];\n";
  };
  const std::string use = "void main() { words[gl_WorkGroupID.x] = 1; }\n";
  EXPECT_EQ(refusal(shared(12288) + use), "");
  EXPECT_NE(refusal(shared(12289) + use).find("maxComputeSharedMemorySize"), std::string::npos);
  // 8192 bytes are reserved where workgroups hold matrices.
  auto held = [&](uint32_t words) {
    return multiplication("float16_t", "float", "gl_ScopeWorkgroup", {32, 16, 16}, 128,
                          shared(words) + "void fill() { words[gl_WorkGroupID.x] = 1; }\n");
  };
  auto filled = [](std::string glsl) {
    return glsl.replace(glsl.rfind("}\n"), 2, "  fill();\n}\n");
  };
  EXPECT_EQ(refusal(filled(held(10240))), "");
  EXPECT_NE(refusal(filled(held(10241))).find("maxComputeSharedMemorySize"), std::string::npos);
}

// Section B of the same measurements: of A, row 8 * br + t / 4, column 8 * bc + 2 * (t % 4) + (i &
// 1).
TEST_F(H200Test, LaysOutComponentsAsItDoes) {
  const WordBuffer buffer = makeBuffer(256);
  const VkPipeline pipeline = makePipeline(layout(), R"(#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { uint data[]; };
shared float16_t numbers[256];
void main() {
  for (uint i = gl_LocalInvocationIndex; i < 256; i += 32) numbers[i] = float16_t(i);
  barrier();
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a;
  coopMatLoad(a, numbers, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  for (uint i = 0; i < a.length(); ++i) data[gl_LocalInvocationIndex * 8 + i] = uint(a[i]);
}
)");
  const VkDescriptorSet set = makeSet(set_layout_);
  writeStorageBuffer(set, buffer.buffer);
  run([&](VkCommandBuffer commands) {
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout(), 0, 1, &set, 0,
                               nullptr);
    vk.vkCmdDispatch(commands, 1, 1, 1);
  });
  for (uint32_t t = 0; t < 32; ++t)
    for (uint32_t i = 0; i < 8; ++i) {
      const uint32_t row = 8 * (i >> 2) + t / 4;
      const uint32_t column = 8 * (i >> 1 & 1) + 2 * (t % 4) + (i & 1);
      EXPECT_EQ(buffer.words[t * 8 + i], row * 16 + column) << t << " " << i;
    }
}

}  // namespace
}  // namespace api_test
