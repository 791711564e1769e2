# SPDX-License-Identifier: Apache-2.0

# The distribution's vulkaninfo finds the driver by either variable and runs without a complaint.
# Arguments: VULKANINFO, MANIFEST
cmake_minimum_required(VERSION 3.25)

foreach(variable VK_DRIVER_FILES VK_ICD_FILENAMES)
  foreach(arguments --summary "")
    execute_process(
      COMMAND "${CMAKE_COMMAND}" -E env --unset=VK_DRIVER_FILES --unset=VK_ICD_FILENAMES "${variable}=${MANIFEST}"
              "${VULKANINFO}" ${arguments}
      RESULT_VARIABLE result
      OUTPUT_VARIABLE output
      ERROR_VARIABLE complaints)
    # What it says about a missing desktop is no complaint; nor what the loader says about
    # VK_KHR_swapchain, which vulkaninfo asks of every device and one without windows cannot have.
    string(
      REGEX
      REPLACE
        "('DISPLAY' environment variable not set|error: XDG_RUNTIME_DIR|ERROR: [^\n]*VK_KHR_swapchain not supported|ERROR: [^\n]*Failed to validate extensions in list)[^\n]*"
        ""
        complaints
        "${complaints}")
    if(NOT result EQUAL 0
       OR NOT output MATCHES "deviceName +=[^\n]*Tessera"
       OR complaints MATCHES "[^ \n]")
      message(FATAL_ERROR "${variable}=${MANIFEST} ${VULKANINFO} ${arguments}\nresult ${result}\n${complaints}\n${output}")
    endif()
  endforeach()
endforeach()
