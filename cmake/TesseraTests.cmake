# SPDX-License-Identifier: Apache-2.0

# tessera_add_tests(<program> SOURCES <file>... LIBRARIES <target>... [HEADERS <header>...] [THROUGH_LOADER])
#
# One GoogleTest program, each of its tests a CTest test. Listing the tests is left to ctest, so
# that builds do not run what they build. HEADERS: what is compiled once for all of its files, besides
# GoogleTest's. THROUGH_LOADER: the tests reach the driver through the system's Vulkan loader, which
# gets the build tree's manifest. GoogleTest supplies main.
#
# The label of each test is the part of scripts/test that it belongs to, by which ctest_report.py adds
# up how long parts take. No test has a limit of its own: that of the presets, which is far from what
# any test needs, ends what hangs on a machine that has other work to do as well.
include(GoogleTest)

# What programs that come to the driver through the loader are run with. What tests compile, they
# compile: what an earlier run left must not hide that it fails, and nobody's cache is filled.
set(TESSERA_TEST_ENVIRONMENT "VK_DRIVER_FILES=${TESSERA_MANIFEST};TESSERA_CACHE=off")

# tessera_precompile_headers(<program> [<header>...])
#
# Reading GoogleTest's headers is half the time that many a file of tests takes to compile. They are compiled
# once: for all programs, in a target of that alone, or for one with more headers. What takes long in tests
# is done by the libraries, so optimizing tests themselves more would only take longer.
function(tessera_precompile_headers program)
  set(optimization $<$<CONFIG:RelWithDebInfo>:-O1>)
  target_compile_options(${program} PRIVATE ${optimization})
  if(ARGN)
    tessera_precompile_llvm(${program} <gmock/gmock.h> ${ARGN})
    return()
  endif()
  if(NOT TARGET tessera_test_headers)
    # A program, for libraries are compiled with other options.
    add_executable(tessera_test_headers EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/tests/support/test_headers.cpp")
    target_compile_options(tessera_test_headers PRIVATE ${optimization})
    target_link_libraries(tessera_test_headers PRIVATE GTest::gmock GTest::gtest_main)
    target_precompile_headers(tessera_test_headers PRIVATE <gmock/gmock.h> <algorithm> <filesystem> <fstream> <span>
                              <thread>)
  endif()
  target_precompile_headers(${program} REUSE_FROM tessera_test_headers)
endfunction()

function(tessera_add_tests program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "THROUGH_LOADER" "" "SOURCES;LIBRARIES;HEADERS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tessera_add_tests(${program}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  add_executable(${program} ${arg_SOURCES})
  target_link_libraries(${program} PRIVATE ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  tessera_precompile_headers(${program} ${arg_HEADERS})
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
