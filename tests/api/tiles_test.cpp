// SPDX-License-Identifier: Apache-2.0

// AMX tiles in the process that has loaded the driver: when the system is asked for them, and what
// becomes of matrices where it refuses. Each scene is played in a process of its own.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <latch>
#include <thread>

#include "tests/api/process_scene.h"
#include "tests/support/shader_compiler.h"
#include "tests/support/tile_refusal.h"

namespace api_test {
namespace {

constexpr size_t kSide = 16;

std::vector<uint32_t> productShader() {
  return host::compileGlsl(R"(#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { int8_t a[256]; int8_t b[256]; int c[256]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
void main() {
  coopmat<int8_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
  coopmat<int8_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
  coopmat<int, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> z;
  coopMatLoad(x, a, 0, 16, row);
  coopMatLoad(y, b, 0, 16, row);
  coopMatLoad(z, c, 0, 16, row);
  coopMatStore(coopMatMulAdd(x, y, z), c, 0, 16, row);
})",
                           "product.comp", {});
}

// c += a * b, 16 by 16 each.
void multiply(const std::vector<uint32_t>& shader) {
  host::Instance instance;
  auto device = host::Device::withAllFeatures(instance, instance.choose(""), false);
  const host::ComputePipeline pipeline(*device, {.spirv = shader, .bindings = {{}}});
  host::Buffer buffer(*device, 512 + 1024);
  const host::DescriptorSets sets(*device, pipeline,
                                  std::vector<host::BufferBinding>{{.buffer = buffer.handle()}});
  auto* bytes = reinterpret_cast<int8_t*>(buffer.memory().data());
  auto* sums = reinterpret_cast<int32_t*>(bytes + 512);
  for (int i = 0; i < 512; ++i) bytes[i] = static_cast<int8_t>(37 * i + 11);
  std::fill(sums, sums + 256, 5);
  const host::Functions& vk = device->functions();
  VkCommandBuffer commands = device->begin();
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle());
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout(), 0, 1,
                             sets.handles().data(), 0, nullptr);
  vk.vkCmdDispatch(commands, 1, 1, 1);
  device->barrier(commands);
  device->end(commands);
  device->submitAndWait(commands);
  for (size_t m = 0; m < kSide; ++m) {
    for (size_t n = 0; n < kSide; ++n) {
      int32_t expected = 5;
      for (size_t k = 0; k < kSide; ++k)
        expected += bytes[m * kSide + k] * bytes[256 + k * kSide + n];
      require(sums[m * kSide + n] == expected, "the product");
    }
  }
}

// By ARCH_GET_XCOMP_SUPP and ARCH_GET_XCOMP_PERM: of tile data.
bool tileBit(long code) {
  uint64_t components = 0;
  return syscall(SYS_arch_prctl, code, &components) == 0 && (components >> 18 & 1) != 0;
}
bool areOffered() { return tileBit(0x1021); }
bool arePermitted() { return tileBit(0x1022); }

void use(const char* isa, const char* tiles) {
  setenv("TESSERA_ISA", isa, 1);
  setenv("TESSERA_TILES", tiles, 1);
  setenv("TESSERA_CACHE", "off", 1);
}

class TilesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!areOffered()) GTEST_SKIP() << "the system offers no AMX tiles here";
  }
};

TEST_F(TilesTest, AreAskedForByMatricesOnly) {
  play([] {
    use("amx", "hardware");
    Counter(countingShader()).run();
    require(!arePermitted(), "a shader without matrices needs no tiles");
    require(rt::SmallSignalStack().is_set, "small signal stacks are still good");
    use("amx", "emulated");
    multiply(productShader());
    use("avx512", "hardware");
    multiply(productShader());
    require(!arePermitted(), "nor do matrices on other instruction sets");
    use("amx", "hardware");
    multiply(productShader());
    require(arePermitted(), "matrices need them");
  });
}

TEST_F(TilesTest, WithoutThemMatricesAreMultipliedAllTheSame) {
  play(
      [] {
        use("amx", "hardware");
        require(rt::refuseTiles(), "the filter is there");
        multiply(productShader());
        require(!arePermitted(), "there are none");
      },
      "AMX tiles are not used.*AVX-512.*Operation not permitted.*seccomp.*TESSERA_ISA=avx512");
}

TEST_F(TilesTest, ASmallSignalStackOfTheApplicationIsNamed) {
  play(
      [] {
        use("amx", "hardware");
        std::latch set(1), multiplied(1);
        std::thread other([&] {
          const rt::SmallSignalStack small;
          require(small.is_set, "the stack is set");
          set.count_down();
          multiplied.wait();
        });
        set.wait();
        multiply(productShader());
        multiplied.count_down();
        other.join();
        require(!arePermitted(), "there are none");
      },
      "AMX tiles are not used.*No space left.*sigaltstack");
}

TEST(EmulatedTiles, AreThereAtEveryCeiling) {
  play([] {
    for (const char* tiles : {"emulated", "emulated-next"}) {
      use("reference", tiles);
      multiply(productShader());
    }
  });
}

}  // namespace
}  // namespace api_test
