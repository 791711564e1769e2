# tessera_add_tests(<program> SOURCES <file>... LIBRARIES <target>... [THROUGH_LOADER])
#
# One GoogleTest program, each of its tests a CTest test. Listing the tests is left to ctest, so
# that builds do not run what they build. THROUGH_LOADER: the tests reach the driver through the
# system's Vulkan loader, which gets the build tree's manifest. GoogleTest supplies main.
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
  gtest_discover_tests(
    ${program}
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES ${environment})
endfunction()
