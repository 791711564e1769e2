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
    # Of a driver that is not registered, as tests/api/physical_device_test.cpp has it.
    set(has_ids TRUE)
    set(no_version "major += 0\n[ \t]*minor += 0\n[ \t]*subminor += 0\n[ \t]*patch += 0\n")
    foreach(id "vendorID += 0x0+\n" "deviceID += 0x0+[1-4]\n" "driverName += Tessera\n"
               "conformanceVersion( += 0\\.0\\.0\\.0\n|:\n[ \t]*${no_version})")
      if(NOT output MATCHES "${id}")
        set(has_ids FALSE)
      endif()
    endforeach()
    if(NOT result EQUAL 0
       OR NOT has_ids
       OR NOT output MATCHES "deviceName +=[^\n]*Tessera"
       OR complaints MATCHES "[^ \n]")
      message(FATAL_ERROR "${variable}=${MANIFEST} ${VULKANINFO} ${arguments}\nresult ${result}\n${complaints}\n${output}")
    endif()
  endforeach()
endforeach()
