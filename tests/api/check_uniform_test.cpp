// SPDX-License-Identifier: Apache-2.0

// What the check of what invocations do together makes of loops without an end.
#include <gmock/gmock.h>

#include "tests/api/check_fixture.h"

namespace api_test {
namespace {

using testing::HasSubstr;

class WaitingLoopTest : public CheckTest {
 protected:
  WaitingLoopTest() { useCheck("uniform"); }

  // Of a shader that would hang: `body` stands in main.
  void expectLoss(const std::string& body, const char* id) {
    const std::string shader = R"(#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) coherent buffer Flags { uint flags[]; };
shared uint flag;
void main() {
)" + body + "}";
    const WordBuffer flags = makeBuffer(64);
    const VkPipeline pipeline = pipelineOf(infoOf(shader.c_str()));
    EXPECT_EQ(dispatch(pipeline, setOf(flags.buffer), 0), VK_ERROR_DEVICE_LOST);
    EXPECT_THAT(finding().id, HasSubstr(id));
  }
};

TEST_F(WaitingLoopTest, ForAWorkgroupThatNeverComesLosesTheDevice) {
  expectLoss("if (gl_LocalInvocationIndex == 0) while (atomicOr(flags[1], 0) == 0) {}",
             "spin-workgroup");
}

TEST_F(WaitingLoopTest, ForAnotherSubgroupLosesTheDevice) {
  expectLoss(R"(if (gl_LocalInvocationIndex == 0) flag = 0;
barrier();
if (gl_LocalInvocationIndex < 32) { while (atomicOr(flag, 0) == 0) {} }
else if (gl_LocalInvocationIndex == 63) atomicExchange(flag, 1);
flags[gl_LocalInvocationIndex] = flag;)",
             "spin-lane");
}

}  // namespace
}  // namespace api_test
