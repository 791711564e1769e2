// SPDX-License-Identifier: Apache-2.0

// Shader objects: compute without pipelines, and the binaries that they can be made from again.
#include <array>

#include "tests/support/shader_compiler.h"
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

// Stores the sum of a specialization constant, a push constant and the workgroup's number.
constexpr const char* kShader = R"(#version 450
layout(local_size_x = 1) in;
layout(constant_id = 3) const uint kBase = 0;
layout(push_constant) uniform Push { uint value; };
layout(set = 0, binding = 0) buffer Output { uint words[]; };
void main() { words[gl_WorkGroupID.x] = kBase + value + gl_WorkGroupID.x; })";

class ShaderObjectTest : public PipelineTest {
 protected:
  void SetUp() override {
    device_extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME};
    device_features = &features_;
    PipelineTest::SetUp();
    if (HasFatalFailure()) return;
    const VkDescriptorSetLayoutBinding bindings[] = {
        {.binding = 0,
         .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
         .descriptorCount = 1,
         .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT}};
    set_layout = makeSetLayout(bindings);
    layout = makePipelineLayout({&set_layout, 1}, 4);
    set = makeSet(set_layout);
    output = makeBuffer(4);
    writeStorageBuffer(set, output.buffer);
  }

  VkShaderCreateInfoEXT infoOf(VkShaderCodeTypeEXT type, const void* code, size_t bytes) {
    return {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
            .stage = VK_SHADER_STAGE_COMPUTE_BIT,
            .codeType = type,
            .codeSize = bytes,
            .pCode = code,
            .pName = "main",
            .setLayoutCount = 1,
            .pSetLayouts = &set_layout,
            .pushConstantRangeCount = 1,
            .pPushConstantRanges = &range,
            .pSpecializationInfo = &specialization};
  }
  VkShaderCreateInfoEXT infoOf(std::span<const uint32_t> spirv) {
    return infoOf(VK_SHADER_CODE_TYPE_SPIRV_EXT, spirv.data(), spirv.size_bytes());
  }
  VkShaderCreateInfoEXT infoOf(std::span<const std::byte> binary) {
    return infoOf(VK_SHADER_CODE_TYPE_BINARY_EXT, binary.data(), binary.size());
  }

  VkResult create(const VkShaderCreateInfoEXT& info, VkShaderEXT* shader) {
    VkResult result = vk.vkCreateShadersEXT(device, 1, &info, nullptr, shader);
    atEnd([this, made = *shader] { vk.vkDestroyShaderEXT(device, made, nullptr); });
    return result;
  }

  std::vector<std::byte> binaryOf(VkShaderEXT shader) {
    size_t bytes = 0;
    EXPECT_EQ(vk.vkGetShaderBinaryDataEXT(device, shader, &bytes, nullptr), VK_SUCCESS);
    std::vector<std::byte> binary(bytes);
    EXPECT_EQ(vk.vkGetShaderBinaryDataEXT(device, shader, &bytes, binary.data()), VK_SUCCESS);
    EXPECT_EQ(bytes, binary.size());
    return binary;
  }

  void expectToWork(VkShaderEXT shader, uint32_t value) {
    run([&](VkCommandBuffer commands) {
      const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
      vk.vkCmdBindShadersEXT(commands, 1, &stage, &shader);
      vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                 nullptr);
      vk.vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &value);
      vk.vkCmdDispatch(commands, 4, 1, 1);
    });
    for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(output.words[i], base + value + i);
  }

  const std::vector<uint32_t> spirv = host::compileGlsl(kShader, "test.comp", {});
  const uint32_t base = 1000;
  const VkSpecializationMapEntry entry{.constantID = 3, .offset = 0, .size = 4};
  const VkSpecializationInfo specialization{
      .mapEntryCount = 1, .pMapEntries = &entry, .dataSize = 4, .pData = &base};
  const VkPushConstantRange range{.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = 4};
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
  WordBuffer output{};

 private:
  VkPhysicalDeviceShaderObjectFeaturesEXT features_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
      .shaderObject = VK_TRUE};
};

TEST_F(ShaderObjectTest, RunsWithoutAPipeline) {
  VkShaderEXT shader = VK_NULL_HANDLE;
  ASSERT_EQ(create(infoOf(spirv), &shader), VK_SUCCESS);
  expectToWork(shader, 20);
}

TEST_F(ShaderObjectTest, IsMadeAgainFromItsBinary) {
  VkShaderEXT first = VK_NULL_HANDLE, second = VK_NULL_HANDLE;
  ASSERT_EQ(create(infoOf(spirv), &first), VK_SUCCESS);
  const std::vector<std::byte> binary = binaryOf(first);
  ASSERT_EQ(create(infoOf(binary), &second), VK_SUCCESS);
  expectToWork(second, 30);
  EXPECT_EQ(binaryOf(second), binary);
}

TEST_F(ShaderObjectTest, BinaryIsGivenWhollyOrNot) {
  VkShaderEXT shader = VK_NULL_HANDLE;
  ASSERT_EQ(create(infoOf(spirv), &shader), VK_SUCCESS);
  std::vector<std::byte> small(binaryOf(shader).size() - 1, std::byte{9});
  size_t bytes = small.size();
  EXPECT_EQ(vk.vkGetShaderBinaryDataEXT(device, shader, &bytes, small.data()), VK_INCOMPLETE);
  EXPECT_EQ(bytes, 0u);
  for (std::byte b : small) EXPECT_EQ(b, std::byte{9});
}

TEST_F(ShaderObjectTest, BrokenBinariesAreIncompatible) {
  VkShaderEXT shader = VK_NULL_HANDLE, none = VK_NULL_HANDLE;
  ASSERT_EQ(create(infoOf(spirv), &shader), VK_SUCCESS);
  const std::vector<std::byte> binary = binaryOf(shader);
  for (size_t length : {size_t{7}, size_t{40}, binary.size() - 4}) {
    const std::span cut(binary.data(), length);
    EXPECT_EQ(create(infoOf(cut), &none), VK_INCOMPATIBLE_SHADER_BINARY_EXT) << length;
    EXPECT_EQ(none, VkShaderEXT{VK_NULL_HANDLE});
  }
  for (size_t place : {size_t{0}, size_t{16}, size_t{20}, size_t{24}, binary.size() - 1}) {
    std::vector<std::byte> changed = binary;
    changed[place] ^= std::byte{1};
    EXPECT_EQ(create(infoOf(changed), &none), VK_INCOMPATIBLE_SHADER_BINARY_EXT) << place;
  }
  MISUSE_FROM_HERE();
  const std::span<const std::byte> nothing;
  EXPECT_EQ(create(infoOf(nothing), &none), VK_INCOMPATIBLE_SHADER_BINARY_EXT);
}

// The result is that of the first which was not made.
TEST_F(ShaderObjectTest, OneBadShaderDoesNotSpoilTheOthers) {
  MISUSE_FROM_HERE();
  const std::array<uint32_t, 5> nonsense{1, 2, 3, 4, 5};
  VkShaderCreateInfoEXT infos[] = {infoOf(spirv), infoOf(nonsense), infoOf(spirv), infoOf(spirv)};
  infos[2].stage = VK_SHADER_STAGE_VERTEX_BIT;
  VkShaderEXT shaders[4];
  EXPECT_EQ(vk.vkCreateShadersEXT(device, 4, infos, nullptr, shaders),
            VK_ERROR_INITIALIZATION_FAILED);
  for (VkShaderEXT shader : shaders)
    atEnd([this, shader] { vk.vkDestroyShaderEXT(device, shader, nullptr); });
  EXPECT_TRUE(wasTold("vkCreateShadersEXT: this device has compute shaders only"));
  EXPECT_EQ(shaders[1], VkShaderEXT{VK_NULL_HANDLE});
  EXPECT_EQ(shaders[2], VkShaderEXT{VK_NULL_HANDLE});
  expectToWork(shaders[0], 40);
  expectToWork(shaders[3], 50);
}

// Binding graphics stages to nothing is allowed, and unbinding the compute shader leaves none.
TEST_F(ShaderObjectTest, UnboundShaderFailsTheRecording) {
  MISUSE_FROM_HERE();
  VkShaderEXT shader = VK_NULL_HANDLE;
  ASSERT_EQ(create(infoOf(spirv), &shader), VK_SUCCESS);
  VkCommandBuffer commands = allocateCommands();
  VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  ASSERT_EQ(vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
  const VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_COMPUTE_BIT,
                                          VK_SHADER_STAGE_FRAGMENT_BIT};
  const VkShaderEXT shaders[] = {shader, VK_NULL_HANDLE};
  vk.vkCmdBindShadersEXT(commands, 2, stages, shaders);
  vk.vkCmdBindShadersEXT(commands, 1, stages, nullptr);
  vk.vkCmdDispatch(commands, 1, 1, 1);
  EXPECT_LT(vk.vkEndCommandBuffer(commands), 0);
  EXPECT_TRUE(wasTold("no compute pipeline or shader is bound"));
}

}  // namespace
}  // namespace api_test
