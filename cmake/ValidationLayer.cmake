# SPDX-License-Identifier: Apache-2.0

# tessera_add_validated_test(<program> [PARTS <number>] [ARGUMENTS <argument>...])
#
# A CTest test validation.<program>, or several that share the program's tests: the program under Vulkan's validation layer, which must have no
# error to report (tests/validation/run). Where there is no layer that suits, the test is skipped.
#
# The layer is taken from where the Vulkan headers are, or from the system. That of the prefix which
# scripts/setup makes may need a newer C library than the system's; then the whole program runs
# with the prefix's.

find_file(
  TESSERA_VALIDATION_LAYER VkLayer_khronos_validation.json
  HINTS "${TESSERA_DEPS_PREFIX}"
  PATH_SUFFIXES share/vulkan/explicit_layer.d)
find_program(
  TESSERA_WITH_PREFIX_LIBRARIES with-own-libraries
  PATHS "${TESSERA_DEPS_PREFIX}/bin"
  NO_DEFAULT_PATH)

function(tessera_add_validated_test program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PARTS" "ARGUMENTS")
  if(TESSERA_SANITIZE) # the layer and its libraries have none
    return()
  endif()
  set(options --layer "${TESSERA_VALIDATION_LAYER}")
  cmake_path(IS_PREFIX TESSERA_DEPS_PREFIX "${TESSERA_VALIDATION_LAYER}" from_prefix)
  if(from_prefix AND TESSERA_WITH_PREFIX_LIBRARIES)
    list(APPEND options --with "${TESSERA_WITH_PREFIX_LIBRARIES}")
  endif()
  tessera_add_test_in_parts(
    validation.${program} "${arg_PARTS}"
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/validation/run" ${options} $<TARGET_FILE:${program}>
            ${arg_ARGUMENTS}
    ENVIRONMENT ${TESSERA_TEST_ENVIRONMENT} TESSERA_PRINTF=messenger)
endfunction()
