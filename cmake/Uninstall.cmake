# SPDX-License-Identifier: Apache-2.0

# The target `uninstall`: removes what the last `cmake --install` of this build folder has put, and the
# folders that are empty then. As a script it is that target's command.
# Arguments of the script: BUILD, PREFIX_FOLDERS (folders of a prefix that are nobody's own)

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(folders "${CMAKE_INSTALL_BINDIR}" "${CMAKE_INSTALL_LIBDIR}" "${CMAKE_INSTALL_DATADIR}" "${CMAKE_INSTALL_DATADIR}/doc")
  add_custom_target(
    uninstall
    COMMAND "${CMAKE_COMMAND}" "-DBUILD=${PROJECT_BINARY_DIR}" "-DPREFIX_FOLDERS=${folders}" -P "${CMAKE_CURRENT_LIST_FILE}"
    VERBATIM)
  return()
endif()

cmake_minimum_required(VERSION 3.25)
file(GLOB manifests "${BUILD}/install_manifest*.txt")
if(NOT manifests)
  message(FATAL_ERROR "nothing to remove: `cmake --install ${BUILD}` has not been run")
endif()
foreach(manifest IN LISTS manifests)
  file(STRINGS "${manifest}" files)
  foreach(file IN LISTS files)
    set(file "$ENV{DESTDIR}${file}")
    if(NOT EXISTS "${file}" AND NOT IS_SYMLINK "${file}")
      message("not there any more: ${file}")
      continue()
    endif()
    file(REMOVE "${file}")
    message("removed ${file}")
    cmake_path(GET file PARENT_PATH folder)
    while(TRUE)
      set(is_shared FALSE)
      foreach(shared IN LISTS PREFIX_FOLDERS)
        if(folder MATCHES "/${shared}$")
          set(is_shared TRUE)
        endif()
      endforeach()
      file(GLOB content LIST_DIRECTORIES TRUE "${folder}/*" "${folder}/.*")
      list(FILTER content EXCLUDE REGEX "/[.][.]?$")
      if(is_shared OR content)
        break()
      endif()
      file(REMOVE_RECURSE "${folder}")
      cmake_path(GET folder PARENT_PATH folder)
    endwhile()
  endforeach()
  file(REMOVE "${manifest}")
endforeach()
