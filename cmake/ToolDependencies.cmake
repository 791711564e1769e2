# SPDX-License-Identifier: Apache-2.0

# What tests, tools and benchmarks use besides the driver's own dependencies.

include(GlslangLibraries)
find_package(GTest REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
if(TESSERA_BUILD_BENCH)
  find_package(benchmark CONFIG REQUIRED)
endif()

# The system's Vulkan loader, through which tests, tools and the demo reach the driver. Opened by
# its soname at run time, or linked as tessera::vulkan_loader; no development package is needed.
find_library(TESSERA_VULKAN_LOADER NAMES libvulkan.so.1 vulkan REQUIRED)
add_library(tessera_vulkan_loader INTERFACE)
add_library(tessera::vulkan_loader ALIAS tessera_vulkan_loader)
target_link_libraries(tessera_vulkan_loader INTERFACE "${TESSERA_VULKAN_LOADER}" tessera::vulkan_headers)
