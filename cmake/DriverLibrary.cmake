# SPDX-License-Identifier: Apache-2.0

# tessera_driver_library(<target>): how the driver is linked. It lives in other people's processes,
# often beside other drivers with another LLVM inside:
#   - only the symbols of icd/exports.map are visible, LLVM's are not;
#   - what is defined in it binds to itself, whatever the process has loaded before;
#   - its static objects are never destroyed (icd/static_objects.cpp);
#   - it stays mapped after dlclose: threads of TBB and thread-local objects of LLVM may outlive it.
function(tessera_driver_library target)
  set(exports "${PROJECT_SOURCE_DIR}/icd/exports.map")
  set_target_properties(${target} PROPERTIES LINK_DEPENDS "${exports}" OUTPUT_NAME vulkan_tessera PREFIX lib)
  target_link_options(
    ${target}
    PRIVATE
    "LINKER:--version-script=${exports}"
    LINKER:-Bsymbolic
    LINKER:--wrap=__cxa_atexit
    LINKER:-z,nodelete
    LINKER:-z,relro)
  # Clang leaves the sanitizers' runtime to the program, so the library has undefined symbols then.
  if(NOT TESSERA_SANITIZE)
    target_link_options(${target} PRIVATE LINKER:-z,defs)
  endif()
  install(
    TARGETS ${target}
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    COMPONENT driver)
  if(TESSERA_PACKAGE STREQUAL archive)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN")
    install(
      FILES "$<TARGET_FILE:TBB::tbb>"
      DESTINATION "${CMAKE_INSTALL_LIBDIR}"
      RENAME "$<TARGET_SONAME_FILE_NAME:TBB::tbb>"
      COMPONENT driver)
  endif()
endfunction()
