// SPDX-License-Identifier: Apache-2.0

// Names that archives built with a newer toolchain want and an older C or C++ library lacks.
// Each is defined only where the library really lacks it: defining std::ios_base_library_init
// beside a libstdc++ that has it leaves std::cout uninitialised.
#include <cstdlib>
#include <iostream>

#define COMPAT extern "C" __attribute__((visibility("hidden")))

#if !__GLIBC_PREREQ(2, 38)
COMPAT long __isoc23_strtol(const char* s, char** end, int base) {
  return std::strtol(s, end, base);
}
COMPAT unsigned long __isoc23_strtoul(const char* s, char** end, int base) {
  return std::strtoul(s, end, base);
}
COMPAT long long __isoc23_strtoll(const char* s, char** end, int base) {
  return std::strtoll(s, end, base);
}
COMPAT unsigned long long __isoc23_strtoull(const char* s, char** end, int base) {
  return std::strtoull(s, end, base);
}
#endif

#if _GLIBCXX_RELEASE < 13
COMPAT void _ZSt21ios_base_library_initv() {}
#endif
