# SPDX-License-Identifier: Apache-2.0

# tessera-glsl writes modules and arrays, with macros and included files, and says what is wrong with a status
# of its own for wrong shaders and for wrong usage.
# Arguments: GLSL, SHADER, WORK
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}/parts")

# compile(<status> <regular expression of what it says> <argument>...)
function(compile status says)
  execute_process(COMMAND "${GLSL}" ${ARGN} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE result OUTPUT_VARIABLE text
                          ERROR_VARIABLE text)
  if(NOT result EQUAL status OR NOT text MATCHES "${says}")
    message(FATAL_ERROR "tessera-glsl ${ARGN}: status ${result} instead of ${status}, or not \"${says}\" but: ${text}")
  endif()
endfunction()

compile(0 "^$" "${SHADER}" -o module.spv)
file(READ "${WORK}/module.spv" magic LIMIT 4 HEX)
if(NOT magic STREQUAL "03022307")
  message(FATAL_ERROR "module.spv begins with ${magic}")
endif()
compile(0 "^$" -O --vn words "${SHADER}" -o words.h)
file(READ "${WORK}/words.h" array)
if(NOT array MATCHES "uint32_t words\\[\\] = {\n  0x07230203, 0x00010600,")
  message(FATAL_ERROR "words.h is ${array}")
endif()

file(WRITE "${WORK}/parts/size.glsl" "#define SIZE 64\n")
file(WRITE "${WORK}/parts.comp" "#version 460\n#extension GL_GOOGLE_include_directive : require\n"
           "#include \"size.glsl\"\nlayout(local_size_x = SIZE * FACTOR) in;\nvoid main() {}\n")
compile(0 "^$" -Iparts -DFACTOR=2 parts.comp -oparts.spv)
compile(1 "parts.comp" parts.comp -o parts.spv -DFACTOR=2)
file(WRITE "${WORK}/wrong.comp" "#version 460\nvoid main() { undeclared = 1; }\n")
compile(1 "wrong.comp:.*undeclared" wrong.comp -o wrong.spv)
if(EXISTS "${WORK}/wrong.spv")
  message(FATAL_ERROR "a shader with errors leaves a module")
endif()
compile(2 "cannot read missing.comp" missing.comp -o missing.spv)
compile(2 "cannot write" "${SHADER}" -o no/such/folder.spv)
compile(2 "no option --what" --what "${SHADER}" -o module.spv)
compile(2 "FILE and -o OUTPUT" "${SHADER}")
compile(0 "usage: tessera-glsl" --help)
