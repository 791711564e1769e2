# SPDX-License-Identifier: Apache-2.0

# TESSERA_SYSROOT: a folder with an older C library (libc6 and libc6-dev of a distribution, unpacked), to link
# against. Programs and libraries then run with it and all later ones, and need nothing else of C++ or
# compression: those are linked in. Compiled with the build machine's own headers; what they have from later
# versions is in packaging/old_libc.c. scripts/archive makes the folder.

set(TESSERA_SYSROOT "" CACHE PATH "Folder with an older C library to link against (cmake/OldLibc.cmake)")
if(NOT TESSERA_SYSROOT)
  return()
endif()

add_link_options("--sysroot=${TESSERA_SYSROOT}" -static-libstdc++)
# GCC looks in its own machine's folders before those of --sysroot. -B is for the files that begin a program:
# with those of 2.34 and later an older library does not run its constructors.
add_link_options("-B${TESSERA_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
foreach(folder usr/lib lib)
  add_link_options("-L${TESSERA_SYSROOT}/${folder}/${CMAKE_LIBRARY_ARCHITECTURE}")
endforeach()

# libgcc_s is each system's own: that of the build machine wants a newer C library.
add_link_options(LINKER:--allow-shlib-undefined)

add_library(tessera_old_libc STATIC "${PROJECT_SOURCE_DIR}/packaging/old_libc.c")
# libstdc++ needs it too, which linkers see last. Threads and dlopen() became parts of libc in 2.34.
add_link_options(LINKER:--undefined=__libc_single_threaded)
link_libraries(tessera_old_libc pthread dl)

set(ZLIB_USE_STATIC_LIBS ON)
