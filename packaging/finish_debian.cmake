# SPDX-License-Identifier: Apache-2.0

# Run by CPack when it has made the packages: what Debian's policy asks for and CPack does not do, before 3.31 or
# at all, and dates of files that do not depend on when they were built, which dpkg-deb sees to.
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
  cmake_path(GET package FILENAME name)
  string(REGEX REPLACE "_.*" "" name "${name}")
  if(name STREQUAL "tessera-vulkan-driver")
    file(READ "${tree}/DEBIAN/control" control)
    string(STRIP "${control}" control)
    file(WRITE "${tree}/DEBIAN/control" "${control}\nMulti-Arch: same\n")
    # In place of scripts that call ldconfig each for itself.
    file(REMOVE "${tree}/DEBIAN/postinst" "${tree}/DEBIAN/postrm")
    file(WRITE "${tree}/DEBIAN/triggers" "activate-noawait ldconfig\n")
  endif()
  execute_process(COMMAND gzip -9nc "${CMAKE_CURRENT_LIST_DIR}/../CHANGELOG.md"
                  OUTPUT_FILE "${tree}/usr/share/doc/${name}/changelog.gz" COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE "${tree}/usr/share/doc/${name}/CHANGELOG.md")
  file(CHMOD "${tree}/usr/share/doc/${name}/changelog.gz" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  file(GLOB_RECURSE files RELATIVE "${tree}" "${tree}/usr/*")
  list(SORT files)
  set(sums "")
  foreach(file IN LISTS files)
    file(MD5 "${tree}/${file}" sum)
    string(APPEND sums "${sum}  ${file}\n")
  endforeach()
  file(WRITE "${tree}/DEBIAN/md5sums" "${sums}")
  execute_process(COMMAND dpkg-deb -Zxz --root-owner-group --build "${tree}" "${package}"
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE_RECURSE "${tree}")
endforeach()
