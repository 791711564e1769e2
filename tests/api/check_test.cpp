// SPDX-License-Identifier: Apache-2.0

// What the check of memory (TESSERA_CHECK=memory) tells the application of accesses to buffers.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/api/check_fixture.h"

namespace api_test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(CheckTest, AStorePastTheEndIsToldToMessengers) {
  const VkPipeline pipeline = pipelineOf(infoOf(kStoringShader));
  const WordBuffer results = makeBuffer(6);
  name(results.buffer, "results of step 2");
  EXPECT_EQ(dispatch(pipeline, setOf(results.buffer), 0), VK_SUCCESS);
  const Told told = finding();
  EXPECT_EQ(told.severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
  EXPECT_EQ(told.types,
            VkDebugUtilsMessageTypeFlagsEXT{VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT});
  EXPECT_EQ(told.id, "VUID-vkCmdDispatch-storageBuffers-06936");
  EXPECT_THAT(told.text,
              AllOf(StartsWith("memory: buffer-bounds: a store of 4 bytes begins at byte 24 of 24"),
                    HasSubstr("'Results' (set 0, binding 0)"), HasSubstr(":5"),
                    HasSubstr("in main: OpStore"), HasSubstr("invocation (6, 0, 0) of it"),
                    HasSubstr("1 more of the subgroup"),
                    HasSubstr("buffer 'results of step 2' of 24 bytes")));
  EXPECT_THAT(results.words, Each(7u));
}

TEST_F(CheckTest, RightProgramsHearNothing) {
  const VkPipeline pipeline = pipelineOf(infoOf(kStoringShader));
  const WordBuffer results = makeBuffer(9);
  EXPECT_EQ(dispatch(pipeline, setOf(results.buffer), 1), VK_SUCCESS);
  EXPECT_TRUE(findings().empty());
  EXPECT_EQ(results.words[0], 0u);
  EXPECT_EQ(results.words[8], 7u);
}

TEST_F(CheckTest, APlaceIsToldOnce) {
  const VkPipeline pipeline = pipelineOf(infoOf(kStoringShader));
  const VkDescriptorSet set = setOf(makeBuffer(6).buffer);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(dispatch(pipeline, set, 0), VK_SUCCESS);
  EXPECT_EQ(findings().size(), 1u);
  restart();  // a device of its own
  const VkPipeline again = pipelineOf(infoOf(kStoringShader));
  EXPECT_EQ(dispatch(again, setOf(makeBuffer(6).buffer), 0), VK_SUCCESS);
  EXPECT_EQ(findings().size(), 1u);
}

TEST_F(CheckTest, OnlySoManyAreTold) {
  const ScopedVariable limit("TESSERA_CHECK_LIMIT", "1");
  restart();
  const VkPipeline pipeline = pipelineOf(infoOf(R"(#version 450
      layout(binding = 0) buffer Results { uint words[]; };
      void main() {
        words[8] = 7;
        words[9] = 7;
        words[10] = 7;
      })"));
  EXPECT_EQ(dispatch(pipeline, setOf(makeBuffer(6).buffer), 0), VK_SUCCESS);
  EXPECT_EQ(findings().size(), 1u);
  messages();
  vk.vkDeviceWaitIdle(device);
  TearDown();
  EXPECT_TRUE(wasTold("2 more findings of the checks were not reported: TESSERA_CHECK_LIMIT is 1"));
  SetUp();
}

// What a name may hold is not to look like lines of the report.
TEST_F(CheckTest, NamesAreOneLineOfText) {
  const VkPipeline pipeline = pipelineOf(infoOf(kStoringShader));
  const WordBuffer results = makeBuffer(6);
  name(results.buffer, "results\n  at other.comp:1\x1b[31m");
  EXPECT_EQ(dispatch(pipeline, setOf(results.buffer), 0), VK_SUCCESS);
  EXPECT_THAT(finding().text, HasSubstr("buffer 'results\\n  at other.comp:1\\x1b[31m' of 24"));
}

TEST_F(CheckTest, NamesOfOtherObjectsAreTheirs) {
  MISUSE_FROM_HERE();  // handles of different kinds may be one number, here they are on purpose
  const VkPipeline pipeline = pipelineOf(infoOf(kStoringShader));
  const WordBuffer results = makeBuffer(6);
  name(results.buffer, "results");
  name(VK_OBJECT_TYPE_FENCE, reinterpret_cast<uint64_t>(results.buffer), "a fence");
  EXPECT_EQ(dispatch(pipeline, setOf(results.buffer), 0), VK_SUCCESS);
  EXPECT_THAT(finding().text, AllOf(HasSubstr("buffer 'results'"), Not(HasSubstr("a fence"))));
}

TEST_F(CheckTest, AFindingNamesTheShader) {
  VkComputePipelineCreateInfo info = infoOf(kStoringShader);
  name(VK_OBJECT_TYPE_SHADER_MODULE, reinterpret_cast<uint64_t>(info.stage.module), "step 2");
  EXPECT_EQ(dispatch(pipelineOf(info), setOf(makeBuffer(6).buffer), 0), VK_SUCCESS);
  EXPECT_THAT(finding().text, HasSubstr("\n  of the shader step 2"));
}

// Also where an optimizer has put the code in the place of the calls.
TEST_F(CheckTest, AFindingHasItsCalls) {
  const char* glsl = R"(#version 450
layout(local_size_x = 8) in;
layout(push_constant) uniform Push { uint first; };
layout(set = 0, binding = 0) buffer Results { uint words[]; };
void put(uint index) {
  words[index] = 7;
}
void putAll() {
  put(first + gl_LocalInvocationIndex);
}
void main() {
  putAll();
})";
  for (const bool optimize : {false, true}) {
    VkComputePipelineCreateInfo info = infoOf(glsl);
    info.stage.module = makeModule(
        host::compileGlsl(glsl, "test.comp", {.optimize = optimize, .debug_info = true}));
    const VkPipeline pipeline = pipelineOf(info);
    EXPECT_EQ(dispatch(pipeline, setOf(makeBuffer(6).buffer), 0), VK_SUCCESS);
    EXPECT_THAT(finding().text, ContainsRegex("\n  at [^\n]*:6[^\n]*, in put: OpStore"
                                              "\n  called at [^\n]*:9[^\n]*, in putAll"
                                              "\n  called at [^\n]*:12[^\n]*, in main\n"))
        << optimize;
  }
}

// An access past the end is what an application may do that has asked for robust access.
TEST_F(CheckTest, RobustAccessIsNoFinding) {
  choose_features = [](VkPhysicalDeviceFeatures2& all) {
    ASSERT_EQ(all.features.robustBufferAccess, VK_TRUE);
  };
  restart();
  const VkPipeline pipeline = pipelineOf(infoOf(kStoringShader));
  const WordBuffer results = makeBuffer(6);
  EXPECT_EQ(dispatch(pipeline, setOf(results.buffer), 0), VK_SUCCESS);
  EXPECT_TRUE(findings().empty());
  EXPECT_THAT(results.words, Each(7u));
}

constexpr const char* kLoadingShader = R"(#version 450
layout(set = 0, binding = 0) buffer Results { uint words[]; };
layout(set = 0, binding = 1) buffer Input { uint from[]; };
void main() { words[0] = from[0] + 7; })";

class NullDescriptorTest : public CheckTest {
 protected:
  // The shader's second descriptor is a null one.
  uint32_t loadOfNothing() {
    VkDescriptorSetLayoutBinding bindings[2];
    for (uint32_t i = 0; i < 2; ++i)
      bindings[i] = {.binding = i,
                     .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                     .descriptorCount = 1,
                     .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    VkComputePipelineCreateInfo info = infoOf(kLoadingShader);
    set_layout = makeSetLayout(bindings);
    info.layout = layout = makePipelineLayout({&set_layout, 1}, kPushBytes);
    const VkPipeline pipeline = pipelineOf(info);
    const WordBuffer results = makeBuffer(1);
    const VkDescriptorSet set = setOf(results.buffer);
    const VkDescriptorBufferInfo nothing{.range = VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                     .dstSet = set,
                                     .dstBinding = 1,
                                     .descriptorCount = 1,
                                     .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                     .pBufferInfo = &nothing};
    vk.vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
    EXPECT_EQ(dispatch(pipeline, set, 0), VK_SUCCESS);
    return results.words[0];
  }

  VkPhysicalDeviceRobustness2FeaturesKHR robustness{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_KHR};
};

TEST_F(NullDescriptorTest, IsAFinding) {
  MISUSE_FROM_HERE();
  EXPECT_EQ(loadOfNothing(), 7u);
  const Told told = finding();
  EXPECT_EQ(told.id, "VUID-vkCmdDispatch-None-08114");
  EXPECT_THAT(told.text, AllOf(StartsWith("memory: null-descriptor: a load of 4 bytes"),
                               HasSubstr("'Input' (set 0, binding 1)")));
}

TEST_F(NullDescriptorTest, IsNoneWhereTheFeatureIsOn) {
  device_extensions = {VK_EXT_ROBUSTNESS_2_EXTENSION_NAME};
  device_features = &robustness;
  choose_features = [this](VkPhysicalDeviceFeatures2& all) {
    all.features.robustBufferAccess = VK_FALSE;
    robustness.robustBufferAccess2 = VK_FALSE;
    ASSERT_EQ(robustness.nullDescriptor, VK_TRUE);
  };
  restart();
  EXPECT_EQ(loadOfNothing(), 7u);
  EXPECT_TRUE(findings().empty());
}

class CheckLossTest : public CheckTest {
 protected:
  CheckLossTest() {
    useCheck("memory", "device-lost");
    device_extensions = {VK_KHR_DEVICE_FAULT_EXTENSION_NAME, VK_EXT_DEVICE_FAULT_EXTENSION_NAME};
    device_features = &features_;
  }

  // The address of the access for which the device is lost.
  VkDeviceAddress lose() {
    const VkPipeline pipeline = pipelineOf(infoOf(kStoringShader));
    const WordBuffer results = makeBuffer(6);
    EXPECT_EQ(dispatch(pipeline, setOf(results.buffer), 2), VK_ERROR_DEVICE_LOST);
    EXPECT_THAT(results.words.subspan(2), Each(7u));  // what of it is right
    return addressOf(results.buffer) + 24;
  }

  const VkDeviceFaultInfoKHR empty_report{.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR};

 private:
  VkPhysicalDeviceFaultFeaturesEXT features_ext_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT};
  VkPhysicalDeviceFaultFeaturesKHR features_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR, .pNext = &features_ext_};
};

TEST_F(CheckLossTest, TheFindingIsTheFirstFaultAndTheLossTheLast) {
  const VkDeviceAddress address = lose();
  uint32_t count = 0;
  EXPECT_EQ(vk.vkGetDeviceFaultReportsKHR(device, UINT64_MAX, &count, nullptr), VK_SUCCESS);
  EXPECT_EQ(count, 2u);
  VkDeviceFaultInfoKHR reports[3] = {empty_report, empty_report, empty_report};
  count = 3;
  EXPECT_EQ(vk.vkGetDeviceFaultReportsKHR(device, UINT64_MAX, &count, reports), VK_SUCCESS);
  ASSERT_EQ(count, 2u);
  EXPECT_EQ(reports[0].flags, VkDeviceFaultFlagsKHR{VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR |
                                                    VK_DEVICE_FAULT_FLAG_VENDOR_KHR});
  EXPECT_EQ(reports[0].faultAddressInfo.addressType,
            VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_KHR);
  EXPECT_EQ(reports[0].faultAddressInfo.reportedAddress, address);
  EXPECT_STREQ(reports[0].vendorInfo.description, "buffer-bounds");
  EXPECT_THAT(reports[0].description, AllOf(HasSubstr("begins at byte 24 of 24"), HasSubstr(":5")));
  EXPECT_EQ(reports[1].flags, VkDeviceFaultFlagsKHR{VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR});
  EXPECT_THAT(reports[1].description, HasSubstr("begins at byte 24 of 24"));
  count = 3;
  EXPECT_EQ(vk.vkGetDeviceFaultReportsKHR(device, UINT64_MAX, &count, reports), VK_SUCCESS);
  EXPECT_EQ(count, 0u);
}

TEST_F(CheckLossTest, ReportsAreKeptForWhoHasRoomForThem) {
  lose();
  VkDeviceFaultInfoKHR report = empty_report;
  for (const VkResult result : {VK_INCOMPLETE, VK_SUCCESS}) {
    uint32_t count = 1;
    EXPECT_EQ(vk.vkGetDeviceFaultReportsKHR(device, UINT64_MAX, &count, &report), result);
    EXPECT_EQ(count, 1u);
  }
  EXPECT_EQ(report.flags, VkDeviceFaultFlagsKHR{VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR});
}

TEST_F(CheckLossTest, TheOlderQueryHasTheAddress) {
  VkDeviceFaultCountsEXT counts{.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT};
  const VkDeviceAddress address = lose();
  for (int i = 0; i < 2; ++i) {
    counts.addressInfoCount = 0;
    EXPECT_EQ(vk.vkGetDeviceFaultInfoEXT(device, &counts, nullptr), VK_SUCCESS);
    EXPECT_EQ(counts.addressInfoCount, 1u);
    EXPECT_EQ(counts.vendorInfoCount + counts.vendorBinarySize, 0u);
    VkDeviceFaultAddressInfoEXT where{};
    VkDeviceFaultInfoEXT info{.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT,
                              .pAddressInfos = &where};
    EXPECT_EQ(vk.vkGetDeviceFaultInfoEXT(device, &counts, &info), VK_SUCCESS);
    EXPECT_THAT(info.description, HasSubstr("begins at byte 24 of 24"));
    EXPECT_EQ(where.addressType, VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT);
    EXPECT_EQ(where.reportedAddress, address);
    EXPECT_EQ(where.addressPrecision, 1u);
  }
}

// Without the loss a finding is a fault that can be waited for.
TEST_F(CheckLossTest, FindingsOfAWorkingDeviceAreFaultsToo) {
  useCheck("memory");
  restart();
  uint32_t count = 0;
  EXPECT_EQ(vk.vkGetDeviceFaultReportsKHR(device, 0, &count, nullptr), VK_TIMEOUT);
  const VkPipeline pipeline = pipelineOf(infoOf(kStoringShader));
  EXPECT_EQ(dispatch(pipeline, setOf(makeBuffer(6).buffer), 0), VK_SUCCESS);
  VkDeviceFaultInfoKHR report = empty_report;
  count = 1;
  EXPECT_EQ(vk.vkGetDeviceFaultReportsKHR(device, UINT64_MAX, &count, &report), VK_SUCCESS);
  EXPECT_EQ(count, 1u);
  EXPECT_STREQ(report.vendorInfo.description, "buffer-bounds");
  EXPECT_EQ(vk.vkGetDeviceFaultReportsKHR(device, 0, &count, nullptr), VK_TIMEOUT);
  EXPECT_EQ(count, 0u);
}

}  // namespace
}  // namespace api_test
