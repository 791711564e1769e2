# SPDX-License-Identifier: Apache-2.0

# tessera::glslang, the GLSL compiler as a library (glslang_c_interface.h), for tests, tools and
# the demo; the driver never links it. TESSERA_GLSLANG is the same as a program.

find_package(glslang CONFIG REQUIRED)
find_package(SPIRV-Tools-opt CONFIG REQUIRED)
find_program(TESSERA_GLSLANG NAMES glslang glslangValidator REQUIRED)

add_library(tessera_glslang INTERFACE)
add_library(tessera::glslang ALIAS tessera_glslang)
target_link_libraries(
  tessera_glslang INTERFACE glslang::glslang glslang::glslang-default-resource-limits SPIRV-Tools-opt
                            tessera::spirv_tools)
if(TESSERA_COMPAT_LIBRARY)
  set_property(TARGET glslang::glslang APPEND PROPERTY INTERFACE_LINK_LIBRARIES "${TESSERA_COMPAT_LIBRARY}")
endif()
