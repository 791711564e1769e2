// SPDX-License-Identifier: Apache-2.0

// TESSERA_COMPILE_LIMIT: a shader that takes too long to compile is refused, and harms nothing
// else.
#include <time.h>

#include <filesystem>

#include "tests/support/sanitizer.h"
#include "tests/support/shader_compiler.h"
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

class CompileLimitTest : public PipelineTest {
 protected:
  // Takes several times the limit. A pass of LLVM's ends before the time is looked at: here the
  // longest takes a third of the limit.
  static std::vector<uint32_t> longShader() {
    std::string text =
        "#version 450\nlayout(local_size_x = 1024) in;\n"
        "layout(binding = 0) buffer Data { uint words[]; };\n"
        "void main() { uint v = gl_GlobalInvocationID.x;\n";
    for (int k = 1; k <= 6000; ++k)
      text += "v += atomicAdd(words[v], " + std::to_string(k) + "u);\n";
    return host::compileGlsl(text + "words[0] = v; }", "long.comp", {});
  }

  static size_t threads() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return size_t(std::distance(begin(tasks), end(tasks)));
  }

  const ScopedVariable limit_{"TESSERA_COMPILE_LIMIT", "2"};
};

TEST_F(CompileLimitTest, EndsTheCompilationAndNothingElse) {
  if (TESSERA_ADDRESS_SANITIZER || TESSERA_THREAD_SANITIZER)
    GTEST_SKIP() << "it takes longer with a sanitizer, and leaves memory behind";
  const VkDescriptorSetLayout set_layout = makeSetLayout();
  const VkPipelineLayout layout = makePipelineLayout({&set_layout, 1}, 0);
  const char* small = "#version 450\nvoid main() {}";
  makePipeline(layout, small);
  const size_t threads_before = threads();
  const VkShaderModule module = makeModule(longShader());
  for (int time = 0; time < 2; ++time) {
    VkPipeline pipeline = reinterpret_cast<VkPipeline>(uintptr_t{1});
    timespec start{}, end{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    EXPECT_EQ(tryPipeline(layout, module, "main", &pipeline), VK_ERROR_INVALID_SHADER_NV);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    EXPECT_EQ(pipeline, VkPipeline{VK_NULL_HANDLE});
    EXPECT_LT(end.tv_sec - start.tv_sec, 5);
    EXPECT_TRUE(wasTold("compiling took longer than 2 s"));
    makePipeline(layout, small);  // fails the test if it cannot
  }
  EXPECT_EQ(threads(), threads_before);
}

}  // namespace
}  // namespace api_test
