# SPDX-License-Identifier: Apache-2.0

# What the driver itself is built from, each as one interface target:
#   tessera::llvm             ORC, the X86 code generator and the passes
#   tessera::tbb              oneTBB
#   tessera::vulkan_headers   vulkan.h, vk_icd.h; the registry is the file TESSERA_VK_XML
#   tessera::spirv_headers    spirv/unified1/...
#   tessera::spirv_tools      validator, assembler, disassembler

include(LlvmLibraries)
set(TESSERA_DEPS_PREFIX "${PROJECT_SOURCE_DIR}/.deps/usr")
include(VulkanLibraries)

find_package(TBB 2021 CONFIG REQUIRED)
add_library(tessera_tbb INTERFACE)
add_library(tessera::tbb ALIAS tessera_tbb)
target_link_libraries(tessera_tbb INTERFACE TBB::tbb)
