# SPDX-License-Identifier: Apache-2.0

# The driver exports what icd/exports.map lists and nothing else, and is small enough to ship.
# Arguments: LIBRARY, EXPORTS, NM, STRIP, SANITIZE
cmake_minimum_required(VERSION 3.25)
set(size_limit 45000000)

file(READ "${EXPORTS}" map)
string(REGEX REPLACE "local:.*" "" map "${map}")
string(REGEX MATCHALL "(vk|__jit)[A-Za-z_0-9]+" expected "${map}")
list(SORT expected)

execute_process(COMMAND "${NM}" --dynamic --defined-only --format=posix "${LIBRARY}" OUTPUT_VARIABLE symbols
                        COMMAND_ERROR_IS_FATAL ANY)
set(found "")
string(REGEX MATCHALL "[^\n]+" lines "${symbols}")
foreach(line IN LISTS lines)
  string(REGEX REPLACE " .*" "" name "${line}")
  string(REGEX REPLACE "@.*" "" name "${name}")
  list(APPEND found "${name}")
endforeach()
list(SORT found)
if(NOT found STREQUAL expected)
  message(FATAL_ERROR "exported symbols differ\n  expected: ${expected}\n  found:    ${found}")
endif()

if(SANITIZE)
  return()
endif()
set(stripped "${LIBRARY}.stripped")
execute_process(COMMAND "${STRIP}" -o "${stripped}" "${LIBRARY}" COMMAND_ERROR_IS_FATAL ANY)
file(SIZE "${stripped}" size)
file(REMOVE "${stripped}")
message(STATUS "stripped driver: ${size} bytes")
if(size GREATER size_limit)
  message(FATAL_ERROR "the stripped driver has ${size} bytes, more than ${size_limit}")
endif()
