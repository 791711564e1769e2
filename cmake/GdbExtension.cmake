# SPDX-License-Identifier: Apache-2.0

# tessera_gdb_extension(<target>): what gdb loads with the driver (tools/gdb). gdb looks for a file named as the
# library beside it, and in its own folder auto-load, under the library's path. It trusts what is in the latter,
# where Debian's package has it; elsewhere users say so (add-auto-load-safe-path, docs/debugging.md).
function(tessera_gdb_extension target)
  get_target_property(name ${target} OUTPUT_NAME)
  set(name "lib${name}.so-gdb.py")
  set(template "${PROJECT_SOURCE_DIR}/tools/gdb/libvulkan_tessera.so-gdb.py.in")

  set(TESSERA_GDB_FOLDER "${PROJECT_SOURCE_DIR}/tools/gdb")
  configure_file("${template}" "${name}" @ONLY)

  set(folder "${CMAKE_INSTALL_DATADIR}/tessera/gdb")
  set(beside "${CMAKE_INSTALL_LIBDIR}")
  if(TESSERA_PACKAGE STREQUAL debian)
    set(beside "${CMAKE_INSTALL_DATADIR}/gdb/auto-load${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}")
  endif()
  file(RELATIVE_PATH TESSERA_GDB_FOLDER "/prefix/${beside}" "/prefix/${folder}")
  configure_file("${template}" gdb_installed.py @ONLY)
  set_target_properties(${target} PROPERTIES GDB_EXTENSION "${beside}/${name}") # from the prefix
  install(
    FILES "${CMAKE_CURRENT_BINARY_DIR}/gdb_installed.py"
    DESTINATION "${beside}"
    RENAME "${name}"
    COMPONENT driver)
  install(
    DIRECTORY "${PROJECT_SOURCE_DIR}/tools/gdb/tessera_gdb"
    DESTINATION "${folder}"
    COMPONENT driver
    PATTERN __pycache__ EXCLUDE)
endfunction()
