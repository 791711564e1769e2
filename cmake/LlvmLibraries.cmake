# SPDX-License-Identifier: Apache-2.0

# tessera::llvm: LLVM 22, which everything is measured with, else 23 or 21 down to 19. A directory given as
# LLVM_DIR is taken as it is.

# LLVM's version file accepts only its own major.minor, so each is asked for by name.
if(LLVM_DIR)
  find_package(LLVM CONFIG REQUIRED)
else()
  foreach(version 22.1 23.1 21.1 20.1 19.1)
    find_package(LLVM ${version} QUIET CONFIG)
    if(LLVM_FOUND)
      break()
    endif()
  endforeach()
endif()
if(NOT LLVM_FOUND OR LLVM_VERSION_MAJOR LESS 19)
  message(FATAL_ERROR "LLVM 19 to 23 with its development files is needed; run scripts/setup, or set LLVM_DIR")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")
if(TESSERA_SYSROOT)
  # LLVM's own targets name the shared one.
  find_library(TESSERA_ZSTD_STATIC libzstd.a REQUIRED)
  set_target_properties(zstd::libzstd_shared PROPERTIES IMPORTED_LOCATION "${TESSERA_ZSTD_STATIC}" IMPORTED_SONAME "")
endif()

add_library(tessera_llvm INTERFACE)
add_library(tessera::llvm ALIAS tessera_llvm)
target_include_directories(tessera_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(tessera_llvm INTERFACE ${llvm_definitions})
if(TESSERA_SANITIZE MATCHES "address")
  set(uninstrumented "${PROJECT_SOURCE_DIR}/jit/codegen/uninstrumented.h")
  set(precompiled "$<BOOL:$<TARGET_PROPERTY:TESSERA_LLVM_PRECOMPILED>>")
  target_compile_options(tessera_llvm INTERFACE "$<$<NOT:${precompiled}>:SHELL:-include ${uninstrumented}>")
endif()

# tessera_precompile_llvm(<target> <header>...): headers of LLVM, and others, are compiled once for all files
# of a target that links tessera::llvm. A precompiled header is read only where nothing is included before it,
# so what is included before everything else with the address sanitizer is its first line.
function(tessera_precompile_llvm target)
  set_target_properties(${target} PROPERTIES TESSERA_LLVM_PRECOMPILED ON)
  target_precompile_headers(${target} PRIVATE ${uninstrumented} ${ARGN})
endfunction()

if(TESSERA_LLVM_SHARED)
  target_link_libraries(tessera_llvm INTERFACE LLVM)
else()
  # Only what is referenced gets linked, so this list names what the compiler may use, not what it
  # costs; tests/library checks the size of the result.
  llvm_map_components_to_libnames(
    llvm_libraries
    analysis
    bitreader
    bitwriter
    core
    instcombine
    ipo
    irreader
    jitlink
    object
    orcdebugging
    orcjit
    orctargetprocess
    passes
    perfjitevents
    scalaropts
    support
    targetparser
    transformutils
    vectorize
    x86asmparser
    x86codegen
    x86desc
    x86info)
  target_link_libraries(tessera_llvm INTERFACE ${llvm_libraries})
endif()
