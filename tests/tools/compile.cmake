# SPDX-License-Identifier: Apache-2.0

# tessera-compile on a folder with a good module, one of another kind of shader, and a broken one.
# Arguments: COMPILE, GLSLANG, KERNELS (folder of kernel files), WORK (a folder for the modules)
cmake_minimum_required(VERSION 3.25)

function(run expected_result expected_output)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT result EQUAL expected_result OR NOT "${output}${errors}" MATCHES "${expected_output}")
    message(FATAL_ERROR "${ARGN}\nresult ${result}, not ${expected_result}, or the output does not match "
                        "${expected_output}\n${output}${errors}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}/modules/below")
run(0 "" "${GLSLANG}" -V --target-env vulkan1.3 -o "${WORK}/modules/good.spv" "${KERNELS}/control/switch.comp")
file(WRITE "${WORK}/empty.frag" "#version 450\nvoid main() {}\n")
run(0 "" "${GLSLANG}" -V -o "${WORK}/modules/below/fragment.spv" "${WORK}/empty.frag")
run(0 "1 no compute.*1 compiled" "${COMPILE}" "${WORK}/modules")
run(0 "compiled .*good" "${COMPILE}" --subgroup-size 8 --robust --isa reference -j 1 "${WORK}/modules/good.spv")

# Equal kernels have equal hashes, whoever compiles them and when.
function(hash_of result)
  execute_process(COMMAND "${COMPILE}" --hash ${ARGN} "${WORK}/modules/good.spv" OUTPUT_VARIABLE output)
  string(REGEX MATCH "good.spv: ([0-9a-f]+)\n" line "${output}")
  if(NOT line)
    message(FATAL_ERROR "no hash in ${output}")
  endif()
  set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()
hash_of(first --isa reference)
hash_of(again --isa reference -j 1)
hash_of(other --isa reference --robust)
if(NOT first STREQUAL again OR first STREQUAL other)
  message(FATAL_ERROR "hashes ${first}, ${again} of one kernel, ${other} of another")
endif()

# A workgroup of specializable size, too large in one case.
run(0 "" "${GLSLANG}" -V --target-env vulkan1.3 -o "${WORK}/sized.spv" "${KERNELS}/memory/spec_workgroup_size.comp")
run(0 "1 compiled" "${COMPILE}" --spec 10=16 --spec 77=0 "${WORK}/sized.spv")
run(0 "1 refused" "${COMPILE}" --spec 10=2000 --spec 11=2000 "${WORK}/sized.spv")

# The first words of a module: its entry point is there, its code is not.
file(READ "${WORK}/modules/good.spv" head LIMIT 400 HEX)
string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${head}")
run(0 "" bash -c "printf '${bytes}' > '${WORK}/modules/broken.spv'")
run(0 "refused .*broken: .*1 no compute.*1 compiled.*1 refused" "${COMPILE}" -j 2 "${WORK}/modules")

run(2 "no file" "${COMPILE}" "${WORK}/nonsense.spv")
run(2 "--time-limit needs a number above 0" "${COMPILE}" --time-limit soon "${WORK}/modules")
run(2 "--spec needs ID=VALUE" "${COMPILE}" --spec 3 "${WORK}/modules")
run(2 "--spec needs a number, not 'x'" "${COMPILE}" --spec 3=x "${WORK}/modules")
run(2 "8, 16, 32 or 64" "${COMPILE}" --subgroup-size 12 "${WORK}/modules")
