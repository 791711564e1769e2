# SPDX-License-Identifier: Apache-2.0

# Debian packages by CPack, in a build tree of the preset `debian`: `cpack` there makes
#
#   tessera-vulkan-driver   the driver and its manifest, co-installable for several architectures
#   tessera-tools           tessera-run and tessera-compile, the documentation, examples, the CTS runner
#
# Two builds of a commit by one compiler give the same bytes: dates are the commit's.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tessera)
set(CPACK_PACKAGE_VENDOR "Tessera")
set(CPACK_PACKAGE_CONTACT "Tessera developers <tessera@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL driver tools)
set(CPACK_VERBATIM_VARIABLES ON)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON) # the preset's targets are what is installed

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip) # quickly: packaging/finish_debian.cmake makes them anew
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_DRIVER_PACKAGE_NAME tessera-vulkan-driver)
set(CPACK_DEBIAN_DRIVER_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DRIVER_PACKAGE_PROVIDES vulkan-icd)
set(CPACK_DEBIAN_DRIVER_PACKAGE_ENHANCES libvulkan1)
set(CPACK_COMPONENT_DRIVER_DESCRIPTION
    "Runs Vulkan compute shaders on the processor, compiled by LLVM for AVX-512,\nAVX2 or the architecture's baseline, with the extensions for cooperative\nmatrices.")
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME tessera-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "tessera-vulkan-driver, python3")
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "Tools and documentation of the Tessera Vulkan driver")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION
    "tessera-run runs kernel files on any Vulkan driver, tessera-compile compiles\nSPIR-V and says what was not made fast, tessera-glsl compiles GLSL. With a\nrunner for the Vulkan CTS, and examples.")
set(CPACK_POST_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/packaging/finish_debian.cmake")
include(CPack)
