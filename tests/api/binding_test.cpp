// SPDX-License-Identifier: Apache-2.0

// The commands that bind and push by structures (VK_KHR_maintenance6) do what their elder ones do.
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

constexpr const char* kShader = R"(#version 450
layout(local_size_x = 1) in;
layout(push_constant) uniform Push { uint place; uint value; };
layout(set = 0, binding = 0) buffer Output { uint words[]; };
layout(set = 1, binding = 0) buffer Input { uint word; };
void main() { words[place] = value + word; })";

class BindingTest : public PipelineTest {
 protected:
  void SetUp() override {
    device_extensions = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
                         VK_KHR_MAINTENANCE_6_EXTENSION_NAME};
    PipelineTest::SetUp();
  }

  VkDescriptorSetLayout pushedLayout(const VkDescriptorSetLayoutBinding& binding) {
    const VkDescriptorSetLayoutCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
        .bindingCount = 1,
        .pBindings = &binding};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    EXPECT_EQ(vk.vkCreateDescriptorSetLayout(device, &info, nullptr, &layout), VK_SUCCESS);
    atEnd([=, this] { vk.vkDestroyDescriptorSetLayout(device, layout, nullptr); });
    return layout;
  }

  void dispatch(VkCommandBuffer commands, VkPipelineLayout layout, uint32_t place) {
    const uint32_t values[] = {place, 100 * place};
    for (uint32_t i = 0; i < 2; ++i) {
      const VkPushConstantsInfo info{.sType = VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO,
                                     .layout = layout,
                                     .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                     .offset = 4 * i,
                                     .size = 4,
                                     .pValues = &values[i]};
      vk.vkCmdPushConstants2KHR(commands, &info);
    }
    vk.vkCmdDispatch(commands, 1, 1, 1);
  }
};

TEST_F(BindingTest, SetsDescriptorsAndConstants) {
  const VkDescriptorSetLayoutBinding binding{.binding = 0,
                                             .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                             .descriptorCount = 1,
                                             .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
  const VkDescriptorSetLayout layouts[] = {makeSetLayout({&binding, 1}), pushedLayout(binding)};
  VkPipelineLayout layout = makePipelineLayout(layouts, 8);
  VkPipeline pipeline = makePipeline(layout, kShader);
  const VkDescriptorSet set = makeSet(layouts[0]);
  WordBuffer output = makeBuffer(4), first = makeBuffer(1), second = makeBuffer(1);
  first.words[0] = 7;
  second.words[0] = 8;
  const VkDescriptorBufferInfo to{output.buffer, 0, VK_WHOLE_SIZE};
  const VkDescriptorBufferInfo from[] = {{first.buffer, 0, VK_WHOLE_SIZE},
                                         {second.buffer, 0, VK_WHOLE_SIZE}};
  VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                             .dstSet = set,
                             .descriptorCount = 1,
                             .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                             .pBufferInfo = &to};
  vk.vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);

  const VkDescriptorUpdateTemplateEntry entry{.descriptorCount = 1,
                                              .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  const VkDescriptorUpdateTemplateCreateInfo template_info{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
      .descriptorUpdateEntryCount = 1,
      .pDescriptorUpdateEntries = &entry,
      .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
      .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
      .pipelineLayout = layout,
      .set = 1};
  VkDescriptorUpdateTemplate update_template = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateDescriptorUpdateTemplate(device, &template_info, nullptr, &update_template),
            VK_SUCCESS);
  atEnd([=, this] { vk.vkDestroyDescriptorUpdateTemplate(device, update_template, nullptr); });

  run([&](VkCommandBuffer commands) {
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    const VkBindDescriptorSetsInfo bind{.sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO,
                                        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .layout = layout,
                                        .descriptorSetCount = 1,
                                        .pDescriptorSets = &set};
    vk.vkCmdBindDescriptorSets2KHR(commands, &bind);
    write.pBufferInfo = &from[0];
    const VkPushDescriptorSetInfo push{.sType = VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_INFO,
                                       .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                       .layout = layout,
                                       .set = 1,
                                       .descriptorWriteCount = 1,
                                       .pDescriptorWrites = &write};
    vk.vkCmdPushDescriptorSet2KHR(commands, &push);
    dispatch(commands, layout, 1);
    barrier(commands);
    const VkPushDescriptorSetWithTemplateInfo by_template{
        .sType = VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_WITH_TEMPLATE_INFO,
        .descriptorUpdateTemplate = update_template,
        .layout = layout,
        .set = 1,
        .pData = &from[1]};
    vk.vkCmdPushDescriptorSetWithTemplate2KHR(commands, &by_template);
    dispatch(commands, layout, 2);
  });
  EXPECT_EQ(output.words[1], 107u);
  EXPECT_EQ(output.words[2], 208u);
}

}  // namespace
}  // namespace api_test
