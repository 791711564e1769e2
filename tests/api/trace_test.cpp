// SPDX-License-Identifier: Apache-2.0

// TESSERA_TRACE: what an application calls things is what its timeline calls them.
// (tests/profiling/ has the format.)
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kShader = R"(#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Results { uint words[]; };
void main() { words[gl_GlobalInvocationID.x] = 7; })";

class TraceTest : public PipelineTest {
 protected:
  TraceTest() {
    std::string pattern = std::filesystem::temp_directory_path() / "tessera_trace_XXXXXX";
    folder_ = mkdtemp(pattern.data());
    file_ = folder_ / "trace.json";
    variable_.emplace("TESSERA_TRACE", file_.c_str());
  }
  ~TraceTest() override { std::filesystem::remove_all(folder_); }

  // The lines of the file that have all of the texts.
  std::vector<std::string> eventsWith(const std::vector<std::string>& texts) const {
    std::ifstream stream(file_);
    std::vector<std::string> found;
    for (std::string line; std::getline(stream, line);)
      if (std::ranges::all_of(texts,
                              [&](const auto& text) { return line.find(text) != line.npos; }))
        found.push_back(line);
    return found;
  }

 private:
  std::filesystem::path folder_;
  std::string file_;
  std::optional<ScopedVariable> variable_;
};

TEST_F(TraceTest, HasTheNamesOfTheApplication) {
  const VkDescriptorSetLayout set_layout = makeSetLayout();
  const VkPipelineLayout layout = makePipelineLayout({&set_layout, 1}, 0);
  const VkPipeline pipeline = makePipeline(layout, kShader);
  name(VK_OBJECT_TYPE_PIPELINE, reinterpret_cast<uint64_t>(pipeline), "the \"first\" pipeline");
  const WordBuffer results = makeBuffer(1024);
  const VkDescriptorSet set = makeSet(set_layout);
  writeStorageBuffer(set, results.buffer);
  const VkDebugUtilsLabelEXT outer{.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                   .pLabelName = "a frame"};
  const VkDebugUtilsLabelEXT inner{.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                   .pLabelName = "a layer"};
  const VkDebugUtilsLabelEXT point{.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                   .pLabelName = "a point"};
  const VkCommandBuffer commands = recordCommands([&](VkCommandBuffer to) {
    vk.vkCmdFillBuffer(to, results.buffer, 0, VK_WHOLE_SIZE, 1);
    barrier(to);
    vk.vkCmdBindPipeline(to, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdBindDescriptorSets(to, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
    vk.vkCmdBeginDebugUtilsLabelEXT(to, &outer);
    vk.vkCmdBeginDebugUtilsLabelEXT(to, &inner);
    vk.vkCmdDispatch(to, 128, 1, 1);
    vk.vkCmdEndDebugUtilsLabelEXT(to);
    vk.vkCmdInsertDebugUtilsLabelEXT(to, &point);  // the outer one ends with the command buffer
  });
  name(VK_OBJECT_TYPE_COMMAND_BUFFER, reinterpret_cast<uint64_t>(commands), "the commands");
  const VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                            .commandBufferCount = 1,
                            .pCommandBuffers = &commands};
  EXPECT_EQ(vk.vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  EXPECT_EQ(vk.vkQueueWaitIdle(queue), VK_SUCCESS);
  EXPECT_EQ(results.words[1023], 7u);
  TearDown();
  SetUp();

  const auto dispatches = eventsWith({"\"cat\":\"dispatch\""});
  ASSERT_EQ(dispatches.size(), 1u);
  EXPECT_THAT(dispatches[0], AllOf(HasSubstr("\"name\":\"the \\\"first\\\" pipeline\""),
                                   HasSubstr("\"workgroups\":[128,1,1]"),
                                   HasSubstr("\"command buffer\":\"the commands\""),
                                   HasSubstr("\"labels\":[\"a frame\",\"a layer\"]")));
  EXPECT_EQ(
      eventsWith({"\"name\":\"vkQueueSubmit\"", "\"command buffers\":[\"the commands\"]"}).size(),
      1u);
  EXPECT_EQ(eventsWith({"\"ph\":\"X\"", "\"name\":\"a frame\"", "\"cat\":\"label\""}).size(), 1u);
  EXPECT_EQ(eventsWith({"\"ph\":\"X\"", "\"name\":\"a layer\"", "\"cat\":\"label\""}).size(), 1u);
  EXPECT_EQ(eventsWith({"\"ph\":\"i\"", "\"name\":\"a point\""}).size(), 1u);
  EXPECT_EQ(eventsWith({"\"name\":\"fill\"", "\"bytes\":4096"}).size(), 1u);
  EXPECT_EQ(eventsWith({"\"name\":\"vkQueueWaitIdle\"", "\"cat\":\"wait\""}).size(), 1u);
}

TEST_F(TraceTest, HasWaitsOfTheQueueAndOfTheHost) {
  const VkSemaphore timeline = makeTimeline(0);
  const uint64_t one = 1;
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  const VkTimelineSemaphoreSubmitInfo values{
      .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
      .waitSemaphoreValueCount = 1,
      .pWaitSemaphoreValues = &one};
  const VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                            .pNext = &values,
                            .waitSemaphoreCount = 1,
                            .pWaitSemaphores = &timeline,
                            .pWaitDstStageMask = &stage};
  const VkFence fence = makeFence();
  EXPECT_EQ(vk.vkQueueSubmit(queue, 1, &submit, fence), VK_SUCCESS);
  EXPECT_EQ(vk.vkWaitForFences(device, 1, &fence, VK_TRUE, 0), VK_TIMEOUT);  // only looks
  EXPECT_EQ(vk.vkWaitForFences(device, 1, &fence, VK_TRUE, 1'000'000), VK_TIMEOUT);
  const VkSemaphoreSignalInfo signal{
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = timeline, .value = one};
  EXPECT_EQ(vk.vkSignalSemaphore(device, &signal), VK_SUCCESS);
  EXPECT_EQ(vk.vkDeviceWaitIdle(device), VK_SUCCESS);
  TearDown();
  SetUp();
  EXPECT_EQ(eventsWith({"\"name\":\"vkWaitForFences\"", "\"cat\":\"wait\""}).size(), 1u);
  EXPECT_GE(eventsWith({"\"name\":\"vkDeviceWaitIdle\"", "\"cat\":\"wait\""}).size(), 1u);
  EXPECT_EQ(eventsWith({"\"name\":\"wait for semaphores\"", "\"cat\":\"wait\""}).size(), 1u);
}

}  // namespace
}  // namespace api_test
