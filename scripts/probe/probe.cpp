// SPDX-License-Identifier: Apache-2.0

// Passes when headers, libraries and compilers know the extensions that the driver is about.
#include <glslang/Include/glslang_c_interface.h>
#include <vulkan/vulkan.h>

#include <cstdint>
#include <iostream>
#include <spirv-tools/libspirv.hpp>
#include <spirv-tools/optimizer.hpp>
#include <spirv/unified1/spirv.hpp11>
#include <vector>

#if !defined(VK_KHR_shader_bfloat16) || !defined(VK_EXT_shader_float8)
#error The Vulkan headers are too old: VK_KHR_shader_bfloat16 or VK_EXT_shader_float8 is missing
#endif

int main() {
  static_assert(static_cast<uint32_t>(spv::Capability::CooperativeMatrixReductionsNV) != 0);
  const char* module =
      "OpCapability Shader\n"
      "OpCapability BFloat16TypeKHR\n"
      "OpCapability Float8EXT\n"
      "OpCapability CooperativeMatrixKHR\n"
      "OpExtension \"SPV_KHR_bfloat16\"\n"
      "OpExtension \"SPV_EXT_float8\"\n"
      "OpExtension \"SPV_KHR_cooperative_matrix\"\n"
      "OpMemoryModel Logical Vulkan\n"
      "%1 = OpTypeFloat 16 BFloat16KHR\n"
      "%2 = OpTypeFloat 8 Float8E4M3EXT\n";
  std::vector<uint32_t> words;
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  if (!tools.Assemble(module, &words)) {
    std::cerr << "SPIRV-Tools is too old: it does not know bfloat16 or float8\n";
    return 1;
  }
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_3);
  optimizer.RegisterPerformancePasses();
  if (!glslang_initialize_process()) return 1;
  glslang_finalize_process();
  std::cout << "probe passed" << std::endl;
  return 0;
}
