# SPDX-License-Identifier: Apache-2.0

# tessera_add_tests(<program> SOURCES <file>... LIBRARIES <target>... [THROUGH_LOADER])
#
# One GoogleTest program, each of its tests a CTest test. Listing the tests is left to ctest, so
# that builds do not run what they build. THROUGH_LOADER: the tests reach the driver through the
# system's Vulkan loader, which gets the build tree's manifest. GoogleTest supplies main.
#
# The label of each test is the part of scripts/test that it belongs to, by which ctest_report.py adds
# up how long parts take. No test has a limit of its own: that of the presets, which is far from what
# any test needs, ends what hangs on a machine that has other work to do as well.
include(GoogleTest)

# What programs that come to the driver through the loader are run with. What tests compile, they
# compile: what an earlier run left must not hide that it fails, and nobody's cache is filled.
set(TESSERA_TEST_ENVIRONMENT "VK_DRIVER_FILES=${TESSERA_MANIFEST};TESSERA_CACHE=off")

function(tessera_add_tests program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "THROUGH_LOADER" "" "SOURCES;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tessera_add_tests(${program}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  add_executable(${program} ${arg_SOURCES})
  target_link_libraries(${program} PRIVATE ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  set(environment "")
  if(arg_THROUGH_LOADER)
    add_dependencies(${program} vulkan_tessera)
    # TESSERA_TEST_ENVIRONMENT in two properties: gtest_discover_tests() takes lists in them apart.
    list(GET TESSERA_TEST_ENVIRONMENT 0 driver)
    list(GET TESSERA_TEST_ENVIRONMENT 1 cache)
    string(REPLACE "=" "=set:" cache "${cache}")
    set(environment ENVIRONMENT "${driver}" ENVIRONMENT_MODIFICATION "${cache}")
  endif()
  string(REGEX REPLACE "^tessera_|_tests$" "" part "${program}")
  gtest_discover_tests(
    ${program}
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 600
    PROPERTIES ${environment} LABELS "${part}")
endfunction()

# tessera_add_test_in_parts(<name> <number of parts; 1 if empty> COMMAND <program> <argument>...
#                           ENVIRONMENT <variable>=<value>...)
#
# A GoogleTest program with many tests, all in one process, as CTest tests <name>.<part>_of_<number>
# (<name> alone if there is one), each with its share of them: so that ctest shows that it gets on, runs
# several at once, and knows something when it is stopped. Status 77: skipped.
function(tessera_add_test_in_parts name parts)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "COMMAND;ENVIRONMENT")
  if(NOT parts)
    set(parts 1)
  endif()
  string(REGEX REPLACE "[.].*" "" label "${name}")
  foreach(part RANGE 1 ${parts})
    set(test "${name}")
    if(parts GREATER 1)
      string(APPEND test ".${part}_of_${parts}")
    endif()
    math(EXPR index "${part} - 1")
    add_test(NAME ${test} COMMAND ${arg_COMMAND})
    set_tests_properties(
      ${test} PROPERTIES ENVIRONMENT "${arg_ENVIRONMENT};GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${index}"
                         SKIP_RETURN_CODE 77 LABELS ${label})
  endforeach()
endfunction()
