# SPDX-License-Identifier: Apache-2.0

# `cmake --install` with a prefix given late puts the library, a manifest that leads to it, and the licences.
# Arguments: BUILD, LIBDIR, DATADIR
cmake_minimum_required(VERSION 3.25)
set(prefix "${BUILD}/install-test")
file(REMOVE_RECURSE "${prefix}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}" --strip OUTPUT_QUIET
                        COMMAND_ERROR_IS_FATAL ANY)
file(GLOB manifests "${prefix}/${DATADIR}/vulkan/icd.d/tessera_icd.*.json")
list(LENGTH manifests count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "expected one manifest, found: ${manifests}")
endif()
file(READ "${manifests}" manifest)
string(JSON library GET "${manifest}" ICD library_path)
cmake_path(GET manifests PARENT_PATH directory)
cmake_path(ABSOLUTE_PATH library BASE_DIRECTORY "${directory}" NORMALIZE)
if(NOT EXISTS "${library}")
  message(FATAL_ERROR "${manifests} leads to ${library}, which is not there")
endif()
foreach(text LICENSE THIRD_PARTY_NOTICES.md)
  file(GLOB_RECURSE found "${prefix}/${text}")
  if(NOT found)
    message(FATAL_ERROR "${text} is not installed")
  endif()
endforeach()
file(REMOVE_RECURSE "${prefix}")
