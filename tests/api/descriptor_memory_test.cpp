// SPDX-License-Identifier: Apache-2.0

// Descriptors beyond plain sets: pushed ones, variable counts, writes after binding, inline uniform
// blocks.
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

// Copies the word of the chosen buffer to the one of the output.
constexpr const char* kChooseShader = R"(#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 1) in;
layout(push_constant) uniform Push { uint place; uint which; };
layout(binding = 0) writeonly buffer Output { uint words[]; };
layout(binding = 1) readonly buffer Input { uint word; } inputs[];
void main() { words[place] = inputs[which].word; })";

constexpr const char* kInlineShader = R"(#version 450
layout(local_size_x = 1) in;
layout(binding = 0) uniform Block { uvec4 values[2]; };
layout(binding = 1) writeonly buffer Output { uint words[]; };
void main() { words[gl_WorkGroupID.x] = values[gl_WorkGroupID.x / 4][gl_WorkGroupID.x % 4]; })";

VkDescriptorSetLayoutBinding bindingOf(uint32_t binding, uint32_t count,
                                       VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) {
  return {.binding = binding,
          .descriptorType = type,
          .descriptorCount = count,
          .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
}

class DescriptorMemoryTest : public PipelineTest {
 protected:
  void SetUp() override {
    device_extensions = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    PipelineTest::SetUp();
  }

  VkDescriptorSetLayout layoutOf(const VkDescriptorSetLayoutCreateInfo& info) {
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    EXPECT_EQ(vk.vkCreateDescriptorSetLayout(device, &info, nullptr, &layout), VK_SUCCESS);
    atEnd([=, this] { vk.vkDestroyDescriptorSetLayout(device, layout, nullptr); });
    return layout;
  }

  WordBuffer holding(uint32_t word) {
    WordBuffer buffer = makeBuffer(4);
    buffer.words[0] = word;
    return buffer;
  }

  VkDescriptorSet allocate(VkDescriptorSetLayout layout,
                           std::span<const VkDescriptorPoolSize> sizes,
                           VkDescriptorPoolCreateFlags flags, const void* next) {
    VkDescriptorSetAllocateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                     .pNext = next,
                                     .descriptorPool = makeDescriptorPool(1, sizes, flags),
                                     .descriptorSetCount = 1,
                                     .pSetLayouts = &layout};
    VkDescriptorSet set = VK_NULL_HANDLE;
    EXPECT_EQ(vk.vkAllocateDescriptorSets(device, &info, &set), VK_SUCCESS);
    return set;
  }

  void dispatch(VkCommandBuffer commands, VkPipelineLayout layout, uint32_t place, uint32_t which) {
    const uint32_t values[] = {place, which};
    vk.vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof values, values);
    vk.vkCmdDispatch(commands, 1, 1, 1);
    barrier(commands);
  }
};

// Each dispatch sees what had been pushed when it was recorded; what is not pushed again stays.
TEST_F(DescriptorMemoryTest, PushedDescriptorsBelongToTheDispatchesAfterThem) {
  const VkDescriptorSetLayoutBinding bindings[] = {bindingOf(0, 1), bindingOf(1, 2)};
  VkDescriptorSetLayoutCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
      .bindingCount = 2,
      .pBindings = bindings};
  VkDescriptorSetLayout set_layout = layoutOf(info);
  VkPipelineLayout layout = makePipelineLayout({&set_layout, 1}, 8);
  VkPipeline pipeline = makePipeline(layout, kChooseShader);
  ASSERT_NE(pipeline, VkPipeline{VK_NULL_HANDLE});
  WordBuffer output = makeBuffer(8), one = holding(11), two = holding(22), three = holding(33);

  const VkDescriptorUpdateTemplateEntry entry{.dstBinding = 1,
                                              .dstArrayElement = 1,
                                              .descriptorCount = 1,
                                              .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  const VkDescriptorUpdateTemplateCreateInfo template_info{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
      .descriptorUpdateEntryCount = 1,
      .pDescriptorUpdateEntries = &entry,
      .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
      .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
      .pipelineLayout = layout};
  VkDescriptorUpdateTemplate update_template = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateDescriptorUpdateTemplate(device, &template_info, nullptr, &update_template),
            VK_SUCCESS);
  atEnd([=, this] { vk.vkDestroyDescriptorUpdateTemplate(device, update_template, nullptr); });

  const VkDescriptorBufferInfo infos[] = {{output.buffer, 0, VK_WHOLE_SIZE},
                                          {one.buffer, 0, VK_WHOLE_SIZE},
                                          {two.buffer, 0, VK_WHOLE_SIZE}};
  const VkDescriptorBufferInfo other{three.buffer, 0, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                   .dstBinding = 0,
                                   .descriptorCount = 3,  // rolls over into binding 1
                                   .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                   .pBufferInfo = infos};
  run([&](VkCommandBuffer commands) {
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdPushDescriptorSetKHR(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &write);
    dispatch(commands, layout, 0, 0);
    dispatch(commands, layout, 1, 1);
    vk.vkCmdPushDescriptorSetWithTemplateKHR(commands, update_template, layout, 0, &other);
    dispatch(commands, layout, 2, 0);
    dispatch(commands, layout, 3, 1);
  });
  EXPECT_EQ(output.words[0], 11u);
  EXPECT_EQ(output.words[1], 22u);
  EXPECT_EQ(output.words[2], 11u);
  EXPECT_EQ(output.words[3], 33u);
}

TEST_F(DescriptorMemoryTest, PushingToASetThatTheLayoutLacksFailsTheRecording) {
  MISUSE_FROM_HERE();
  VkPipelineLayout layout = makePipelineLayout({}, 0);
  VkCommandBuffer commands = allocateCommands();
  VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  ASSERT_EQ(vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
  vk.vkCmdPushDescriptorSetKHR(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 7, 0, nullptr);
  EXPECT_LT(vk.vkEndCommandBuffer(commands), 0);
  EXPECT_TRUE(wasTold("no such set"));
}

// The set chooses how many elements its last binding has, and those may be written when it is
// already bound and recorded.
TEST_F(DescriptorMemoryTest, VariableCountIsWrittenAfterBinding) {
  const VkDescriptorSetLayoutBinding bindings[] = {bindingOf(0, 1), bindingOf(1, 1 << 16)};
  const VkDescriptorBindingFlags flags[] = {0, VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT |
                                                   VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                                                   VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT};
  VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
      .bindingCount = 2,
      .pBindingFlags = flags};
  VkDescriptorSetLayoutCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .pNext = &flags_info,
      .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT,
      .bindingCount = 2,
      .pBindings = bindings};
  VkDescriptorSetVariableDescriptorCountLayoutSupport most{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT};
  VkDescriptorSetLayoutSupport support{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT,
                                       .pNext = &most};
  vk.vkGetDescriptorSetLayoutSupport(device, &info, &support);
  EXPECT_TRUE(support.supported);
  EXPECT_GE(most.maxVariableDescriptorCount, 1u << 16);

  VkDescriptorSetLayout set_layout = layoutOf(info);
  const uint32_t count = 5;
  VkDescriptorSetVariableDescriptorCountAllocateInfo counts{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
      .descriptorSetCount = 1,
      .pDescriptorCounts = &count};
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 + count}};
  VkDescriptorSet set =
      allocate(set_layout, sizes, VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT, &counts);
  ASSERT_NE(set, VkDescriptorSet{VK_NULL_HANDLE});
  VkPipelineLayout layout = makePipelineLayout({&set_layout, 1}, 8);
  VkPipeline pipeline = makePipeline(layout, kChooseShader);
  ASSERT_NE(pipeline, VkPipeline{VK_NULL_HANDLE});
  WordBuffer output = makeBuffer(8), last = holding(44);
  auto write = [&](uint32_t binding, uint32_t element, const WordBuffer& buffer) {
    const VkDescriptorBufferInfo buffer_info{buffer.buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet one{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                   .dstSet = set,
                                   .dstBinding = binding,
                                   .dstArrayElement = element,
                                   .descriptorCount = 1,
                                   .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                   .pBufferInfo = &buffer_info};
    vk.vkUpdateDescriptorSets(device, 1, &one, 0, nullptr);
  };
  write(0, 0, output);
  VkCommandBuffer commands = recordCommands([&](VkCommandBuffer recording) {
    vk.vkCmdBindPipeline(recording, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdBindDescriptorSets(recording, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                               nullptr);
    dispatch(recording, layout, 3, count - 1);
  });
  write(1, count - 1, last);
  VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                      .commandBufferCount = 1,
                      .pCommandBuffers = &commands};
  ASSERT_EQ(vk.vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  ASSERT_EQ(vk.vkQueueWaitIdle(queue), VK_SUCCESS);
  EXPECT_EQ(output.words[3], 44u);

  MISUSE_FROM_HERE();
  // Beyond what the set has, and beyond the layout: null descriptors, of which reads give 0.
  write(1, count, last);
  for (uint32_t element : {count, (1u << 16) - 1, 1u << 16, 1u << 30, ~0u}) {
    output.words[3] = 1;
    run([&](VkCommandBuffer recording) {
      vk.vkCmdBindPipeline(recording, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.vkCmdBindDescriptorSets(recording, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                 nullptr);
      dispatch(recording, layout, 3, element);
    });
    EXPECT_EQ(output.words[3], 0u) << "element " << element;
  }
}

TEST_F(DescriptorMemoryTest, InlineUniformBlocksAreWrittenAndCopiedInParts) {
  const VkDescriptorSetLayoutBinding bindings[] = {
      bindingOf(0, 32, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK), bindingOf(1, 1)};
  VkDescriptorSetLayout set_layout = makeSetLayout(bindings);
  VkPipelineLayout layout = makePipelineLayout({&set_layout, 1}, 0);
  VkPipeline pipeline = makePipeline(layout, kInlineShader);
  ASSERT_NE(pipeline, VkPipeline{VK_NULL_HANDLE});
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 32},
                                        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
  VkDescriptorSet sets[2];
  for (VkDescriptorSet& set : sets) set = allocate(set_layout, sizes, 0, nullptr);
  WordBuffer output = makeBuffer(8);

  const uint32_t words[] = {1, 2, 3, 4, 5, 6};
  VkWriteDescriptorSetInlineUniformBlock block{
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
      .dataSize = sizeof words,
      .pData = words};
  const VkDescriptorBufferInfo info{output.buffer, 0, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet writes[] = {
      {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
       .pNext = &block,
       .dstSet = sets[0],
       .dstBinding = 0,
       .dstArrayElement = 8,
       .descriptorCount = sizeof words,
       .descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK},
      {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
       .dstSet = sets[1],
       .dstBinding = 1,
       .descriptorCount = 1,
       .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
       .pBufferInfo = &info}};
  const VkCopyDescriptorSet copy{.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                 .srcSet = sets[0],
                                 .srcBinding = 0,
                                 .srcArrayElement = 12,
                                 .dstSet = sets[1],
                                 .dstBinding = 0,
                                 .dstArrayElement = 4,
                                 .descriptorCount = 16};
  vk.vkUpdateDescriptorSets(device, 2, writes, 1, &copy);
  run([&](VkCommandBuffer commands) {
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &sets[1], 0,
                               nullptr);
    vk.vkCmdDispatch(commands, 8, 1, 1);
  });
  const uint32_t expected[] = {0, 2, 3, 4, 5, 0, 0, 0};
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(output.words[i], expected[i]) << i;

  MISUSE_FROM_HERE();
  // An application's bytes are no descriptor, wherever it writes or copies them.
  VkWriteDescriptorSet wrong = writes[0];
  wrong.dstSet = sets[1];
  wrong.dstBinding = 1;
  wrong.dstArrayElement = 0;
  VkCopyDescriptorSet wrong_copy = copy;
  wrong_copy.dstBinding = 1;
  wrong_copy.dstArrayElement = 0;
  vk.vkUpdateDescriptorSets(device, 1, &wrong, 1, &wrong_copy);
  output.words[1] = 77;
  run([&](VkCommandBuffer commands) {
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &sets[1], 0,
                               nullptr);
    vk.vkCmdDispatch(commands, 2, 1, 1);
  });
  EXPECT_EQ(output.words[1], 2u);
}

}  // namespace
}  // namespace api_test
