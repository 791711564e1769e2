# SPDX-License-Identifier: Apache-2.0

# Language, optimisation, warnings and the linker, for every target of the tree.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Debug, RelWithDebInfo, Release or MinSizeRel" FORCE)
endif()
# Line tables are enough for a release; full debug information would double build time and disk.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")
if(TESSERA_PACKAGE)
  # Two builds of a commit give the same bytes wherever they are made. The build id is of what is stripped later,
  # too, and that has folders in it.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -DNDEBUG")
  add_compile_options("-ffile-prefix-map=${PROJECT_BINARY_DIR}=build" "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.")
endif()

add_compile_options(
  -Wall
  -Wextra
  -Wno-missing-field-initializers # Vulkan structures are given sType first, the rest by default
  -ffunction-sections
  -fdata-sections
  # Host code must round the same with every compiler and -march: no fusing into FMAs behind our back.
  -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 to 14 warn, inside the headers, of what std::string and llvm::SmallVector cannot do: copy past
  # their ends. Clang's warning of the first name stays.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>")
endif()
add_compile_definitions($<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
# The build id keys what the driver keeps on disk.
add_link_options(LINKER:--gc-sections LINKER:--as-needed LINKER:--build-id=sha1)

if(TESSERA_SANITIZE)
  add_compile_options(-fsanitize=${TESSERA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC's manual, -fsanitize: its instrumentation brings about false ones.
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
  endif()
  add_link_options(-fsanitize=${TESSERA_SANITIZE})
endif()

if(TESSERA_FUZZER)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(TESSERA_CCACHE ccache)
if(TESSERA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache wants to be told that precompiled headers have no dates in them (its manual, "Precompiled
  # headers").
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${TESSERA_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER "${TESSERA_CCACHE}")
endif()

# Static LLVM makes linking slow: any of these linkers takes a fraction of what ld.bfd needs. Packages are the
# same wherever they are made, and so by the linker that is there always.
if(NOT CMAKE_EXE_LINKER_FLAGS MATCHES "-fuse-ld" AND NOT TESSERA_PACKAGE)
  foreach(linker mold lld gold)
    find_program(TESSERA_LINKER_${linker} ld.${linker})
    if(TESSERA_LINKER_${linker})
      add_link_options(-fuse-ld=${linker})
      break()
    endif()
  endforeach()
endif()

# tessera_compile_alone(<target> <regular expression>): in a unity build (CMAKE_UNITY_BUILD) the files
# of the target whose names match are compiled each for itself. Such files have names of their own that
# others have too: tables of one shape, one function for each family, using declarations.
function(tessera_compile_alone target expression)
  get_target_property(files ${target} SOURCES)
  list(FILTER files INCLUDE REGEX "${expression}")
  set_source_files_properties(${files} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
