# SPDX-License-Identifier: Apache-2.0

# Run by CPack when it has made the packages: the field that it has no variable for before CMake 3.31, and
# dates of files that do not depend on when they were built, which dpkg-deb sees to and CPack does not.
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(
    COMMAND git log -1 --format=%ct
    WORKING_DIRECTORY "${CMAKE_CURRENT_LIST_DIR}"
    OUTPUT_VARIABLE date
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(date)
    set(ENV{SOURCE_DATE_EPOCH} "${date}")
  endif()
endif()
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  set(tree "${package}.tree")
  file(REMOVE_RECURSE "${tree}")
  message(STATUS "finishing ${package}")
  execute_process(COMMAND dpkg-deb --raw-extract "${package}" "${tree}" COMMAND_ERROR_IS_FATAL ANY)
  if(package MATCHES "tessera-vulkan-driver_[^/]*$")
    file(READ "${tree}/DEBIAN/control" control)
    string(STRIP "${control}" control)
    file(WRITE "${tree}/DEBIAN/control" "${control}\nMulti-Arch: same\n")
  endif()
  execute_process(COMMAND dpkg-deb -Zxz --root-owner-group --build "${tree}" "${package}"
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE_RECURSE "${tree}")
endforeach()
