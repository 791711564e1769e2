# SPDX-License-Identifier: Apache-2.0

# tessera::vulkan_headers, tessera::spirv_headers, tessera::spirv_tools and TESSERA_VK_XML, from
# CMAKE_PREFIX_PATH, from a Vulkan SDK in the environment, from TESSERA_DEPS_PREFIX (made by
# scripts/setup where the system's packages are too old) or from the system, in this order.
# scripts/probe includes this file too: it decides whether what is there is new enough.

if(DEFINED ENV{VULKAN_SDK})
  list(APPEND CMAKE_PREFIX_PATH "$ENV{VULKAN_SDK}")
endif()
if(EXISTS "${TESSERA_DEPS_PREFIX}")
  list(APPEND CMAKE_PREFIX_PATH "${TESSERA_DEPS_PREFIX}")
endif()

find_package(VulkanHeaders CONFIG REQUIRED)
find_package(SPIRV-Headers CONFIG REQUIRED)
find_package(SPIRV-Tools CONFIG REQUIRED)
find_package(Threads REQUIRED)

get_target_property(vulkan_include Vulkan::Headers INTERFACE_INCLUDE_DIRECTORIES)
list(GET vulkan_include 0 vulkan_include)
find_file(
  TESSERA_VK_XML vk.xml
  HINTS "${vulkan_include}/../share/vulkan/registry"
  PATH_SUFFIXES share/vulkan/registry REQUIRED)

# The manifest and the driver report 1.3 with the patch number of the headers.
set(TESSERA_VULKAN_API_VERSION "1.3.${VulkanHeaders_VERSION_PATCH}")
if(NOT VulkanHeaders_VERSION_PATCH)
  string(REGEX REPLACE "^[0-9]+\\.[0-9]+\\." "1.3." TESSERA_VULKAN_API_VERSION "${VulkanHeaders_VERSION}")
endif()

# Names that static libraries of a newer toolchain want and this one lacks; scripts/setup makes it
# beside them where they are foreign. As a dependency of theirs it follows them on the link line.
find_library(TESSERA_COMPAT_LIBRARY depscompat)
mark_as_advanced(TESSERA_COMPAT_LIBRARY)
if(TESSERA_COMPAT_LIBRARY)
  set_property(TARGET SPIRV-Tools-static APPEND PROPERTY INTERFACE_LINK_LIBRARIES "${TESSERA_COMPAT_LIBRARY}")
endif()

add_library(tessera_vulkan_headers INTERFACE)
add_library(tessera::vulkan_headers ALIAS tessera_vulkan_headers)
target_link_libraries(tessera_vulkan_headers INTERFACE Vulkan::Headers)

add_library(tessera_spirv_headers INTERFACE)
add_library(tessera::spirv_headers ALIAS tessera_spirv_headers)
target_link_libraries(tessera_spirv_headers INTERFACE SPIRV-Headers::SPIRV-Headers)

add_library(tessera_spirv_tools INTERFACE)
add_library(tessera::spirv_tools ALIAS tessera_spirv_tools)
target_link_libraries(tessera_spirv_tools INTERFACE SPIRV-Tools-static Threads::Threads)
