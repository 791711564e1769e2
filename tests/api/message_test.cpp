// SPDX-License-Identifier: Apache-2.0

// What the driver says to people on stderr, and what not.
#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <filesystem>
#include <sstream>

#include "tests/support/shader_compiler.h"
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kShader = R"(#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer Output { uint words[]; };
void main() { words[gl_WorkGroupID.x] = 7 + gl_WorkGroupID.x; })";

// Each test makes its own instances; what stands on stderr meanwhile is looked at.
class MessageTest : public PipelineTest {
 protected:
  MessageTest() {
    char path[] = "/tmp/tessera_messages_XXXXXX";
    folder = mkdtemp(path);
    cache_.emplace("TESSERA_CACHE", folder.c_str());
  }
  ~MessageTest() override { std::filesystem::remove_all(folder); }

  void SetUp() override { SKIP_UNDER_VALIDATION("the layer writes to stderr too"); }
  void TearDown() override {}

  // All of an ordinary program: a pipeline with a named stage, and a dispatch.
  void runProgram() {
    PipelineTest::SetUp();
    const VkDescriptorSetLayout set_layout = makeSetLayout();
    const VkPipelineLayout layout = makePipelineLayout({&set_layout, 1}, 0);
    const VkDebugUtilsObjectNameInfoEXT name{
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_SHADER_MODULE,
        .pObjectName = "seven.comp"};
    const VkComputePipelineCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = &name,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = makeModule(host::compileGlsl(kShader, "seven.comp", {})),
                  .pName = "main"},
        .layout = layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    ASSERT_EQ(vk.vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
              VK_SUCCESS);
    const VkDescriptorSet set = makeSet(set_layout);
    const WordBuffer output = makeBuffer(4);
    writeStorageBuffer(set, output.buffer);
    run([&](VkCommandBuffer commands) {
      vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                 nullptr);
      vk.vkCmdDispatch(commands, 4, 1, 1);
    });
    EXPECT_EQ(output.words[3], 10u);
    vk.vkDestroyPipeline(device, pipeline, nullptr);
    PipelineTest::TearDown();
  }

  // The lines that the driver wrote to stderr while `body` ran.
  static std::string linesOf(const std::function<void()>& body) {
    testing::internal::CaptureStderr();
    body();
    std::istringstream all(testing::internal::GetCapturedStderr());
    std::string own;
    for (std::string line; std::getline(all, line);)
      if (line.starts_with("tessera: ")) own += line + "\n";
    return own;
  }
  std::string linesOfProgram() {
    return linesOf([this] { runProgram(); });
  }

  std::string folder;

 private:
  const ScopedVariable default_level_{"TESSERA_LOG", ""};
  std::optional<ScopedVariable> cache_;
};

TEST_F(MessageTest, OrdinaryProgramsHearNothing) {
  EXPECT_EQ(linesOfProgram(), "");
  EXPECT_EQ(linesOfProgram(), "");
}

TEST_F(MessageTest, InfoSaysWhatTheDeviceIs) {
  const ScopedVariable level("TESSERA_LOG", "info");
  EXPECT_THAT(linesOfProgram(),
              AllOf(ContainsRegex("info: the device Tessera \\(.*\\) says that it is a CPU; .*pass "
                                  "over it, unless TESSERA_DEVICE_TYPE says another type\n"),
                    ContainsRegex("does not have: .*geometryShader.*dynamicRendering"),
                    Not(ContainsRegex("does not have: .*(shaderInt64|synchronization2)")),
                    ContainsRegex("vkCreateDevice: instruction set [a-z0-9]+ \\(this .* has "
                                  "[a-z0-9]+\\), [0-9]+ threads?, [0-9.]+ GiB of memory; "),
                    HasSubstr("compiled shaders are kept in " + folder + ", up to 1.0 GiB\n")));
  const ScopedVariable type("TESSERA_DEVICE_TYPE", "discrete");
  const ScopedVariable off("TESSERA_CACHE", "off");
  EXPECT_THAT(linesOfProgram(),
              AllOf(HasSubstr("says that it is a discrete GPU\n"),
                    HasSubstr("compiled shaders are kept for this process only")));
}

// Programs that look for a GPU say that there is none, and end.
TEST_F(MessageTest, InfoSaysThatTheDeviceMayHaveBeenPassedOver) {
  const char* const kLine =
      "info: the application has seen this device, which says that it is a "
      "CPU, and has made no device with it; if it looks for a GPU, "
      "TESSERA_DEVICE_TYPE=integrated or discrete ";
  // NOLINTBEGIN(bugprone-parent-virtual-call): this test's own do nothing
  const auto passOver = [this] {
    InstanceTest::SetUp();
    InstanceTest::TearDown();
  };
  EXPECT_EQ(linesOf(passOver), "");
  const ScopedVariable level("TESSERA_LOG", "info");
  const std::string lines = linesOf(passOver);
  EXPECT_THAT(lines, HasSubstr(kLine));
  EXPECT_EQ(lines.find(kLine), lines.rfind(kLine));
  EXPECT_THAT(linesOfProgram(), Not(HasSubstr("has seen this device")));
  // The device was not passed over: the error says what is wrong.
  EXPECT_THAT(linesOf([this] {
                InstanceTest::SetUp();
                VkPhysicalDeviceFeatures features{.geometryShader = VK_TRUE};
                EXPECT_EQ(tryDevice(vk, physical_device, nullptr, &features),
                          VK_ERROR_FEATURE_NOT_PRESENT);
                InstanceTest::TearDown();
              }),
              AllOf(HasSubstr("error: vkCreateDevice"), Not(HasSubstr("has seen this device"))));
  const ScopedVariable type("TESSERA_DEVICE_TYPE", "integrated");
  EXPECT_THAT(linesOf(passOver), Not(HasSubstr("has seen this device")));
  // NOLINTEND(bugprone-parent-virtual-call)
}

// Also of a shader that is in the cache folder.
TEST_F(MessageTest, RemarkSaysWhatIsNotFast) {
  const ScopedVariable level("TESSERA_LOG", "remark");
  for (int run = 0; run < 2; ++run) {
    EXPECT_THAT(linesOf([this] {
                  // NOLINTBEGIN(bugprone-parent-virtual-call): this test's own do nothing
                  PipelineTest::SetUp();
                  const VkDescriptorSetLayout set_layout = makeSetLayout();
                  makePipeline(makePipelineLayout({&set_layout, 1}, 0), R"(#version 450
                      layout(local_size_x = 32) in;
                      layout(binding = 0) buffer Data { uint words[]; };
                      void main() { words[gl_LocalInvocationIndex] = words[words[gl_LocalInvocationIndex]]; })");
                  PipelineTest::TearDown();
                  // NOLINTEND(bugprone-parent-virtual-call)
                }),
                HasSubstr("tessera: remark: entry point \"main\": gather: 32 elements of 32 "
                          "bits: its index is read from memory [report-accesses]\n"));
  }
}

TEST_F(MessageTest, InfoSaysWhereShadersComeFrom) {
  const ScopedVariable level("TESSERA_LOG", "info");
  EXPECT_THAT(linesOfProgram(),
              AllOf(ContainsRegex("vkCreateComputePipelines: seven.comp: compiled in [0-9.]+ ms, "
                                  "[0-9.]+ [KMbi].* of code\n"),
                    ContainsRegex("vkDestroyDevice: of this device's shaders 1 compiled in [0-9.]+ "
                                  "ms\n")));
  EXPECT_THAT(
      linesOfProgram(),
      AllOf(ContainsRegex("seven.comp: found in the cache folder in [0-9.]+ ms, "),
            ContainsRegex("of this device's shaders 1 found in the cache folder in [0-9.]+ ms\n")));
}

TEST_F(MessageTest, AMisspeltVariableIsNamedWithTheNearest) {
  const ScopedVariable misspelt("TESSERA_DEVCE_TYPE", "discrete");
  const ScopedVariable of_tests("TESSERA_TEST_NOTHING", "1");
  EXPECT_EQ(
      linesOf([this] {
        // NOLINTBEGIN(bugprone-parent-virtual-call): this test's own do nothing
        InstanceTest::SetUp();
        InstanceTest::TearDown();
        // NOLINTEND(bugprone-parent-virtual-call)
      }),
      "tessera: warning: the variable TESSERA_DEVCE_TYPE has no effect, because there is none of "
      "this name; the nearest is TESSERA_DEVICE_TYPE (cpu, integrated, discrete, virtual, "
      "other)\n");
}

// What is said while an instance is made goes to the messengers of its create info.
TEST_F(MessageTest, MessengersOfTheCreateInfoHearToo) {
  const ScopedVariable quiet("TESSERA_LOG", "off");
  const ScopedVariable misspelt("TESSERA_TREADS", "2");
  std::vector<std::string> heard;
  const VkDebugUtilsMessengerCreateInfoEXT messenger{
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
      .pfnUserCallback = [](VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                            const VkDebugUtilsMessengerCallbackDataEXT* data,
                            void* heard) -> VkBool32 {
        if (std::string_view(data->pMessage).find("TESSERA_") != std::string_view::npos)
          static_cast<std::vector<std::string>*>(heard)->push_back(data->pMessage);
        return VK_FALSE;
      },
      .pUserData = &heard};
  const char* extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
  const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                  .pNext = &messenger,
                                  .enabledExtensionCount = 1,
                                  .ppEnabledExtensionNames = extensions};
  vk.loadGlobal();
  ASSERT_EQ(vk.vkCreateInstance(&info, nullptr, &instance), VK_SUCCESS);
  vk.loadInstance(instance);
  vk.vkDestroyInstance(instance, nullptr);
  EXPECT_THAT(heard, testing::ElementsAre(HasSubstr("TESSERA_THREADS")));
}

// Such as where a disk is full: a limit on the size of files stands for it.
TEST_F(MessageTest, ShadersThatCannotBeKeptAreSaidOnce) {
  runProgram();
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename() != "key") std::filesystem::remove(entry.path());
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const std::string lines = linesOf([&] {
    // NOLINTBEGIN(bugprone-parent-virtual-call): this test's own do nothing
    PipelineTest::SetUp();
    const VkPipelineLayout layout = makePipelineLayout({}, 4);
    const rlimit small{500, before.rlim_max};  // more than what is written to stderr
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (const char* size : {"1", "2", "3"})
      makePipeline(layout, "#version 450\nlayout(local_size_x = " + std::string(size) +
                               ") in;\nvoid main() {}");
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    PipelineTest::TearDown();
    // NOLINTEND(bugprone-parent-virtual-call)
  });
  EXPECT_EQ(lines, "tessera: warning: compiled shaders are not kept: " + folder +
                       ": File too large; make room there, or choose another folder with "
                       "TESSERA_CACHE\n");
}

}  // namespace
}  // namespace api_test
