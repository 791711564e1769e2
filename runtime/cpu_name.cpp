// SPDX-License-Identifier: Apache-2.0

#include "runtime/cpu_name.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <cstring>

namespace rt {

std::string hostCpuName() {
  std::string name;
#if defined(__x86_64__)
  // Source: Intel SDM volume 2, CPUID, "Processor Brand String".
  constexpr unsigned kFirst = 0x80000002, kLast = 0x80000004;
  if (__get_cpuid_max(0x80000000, nullptr) >= kLast) {
    for (unsigned leaf = kFirst; leaf <= kLast; ++leaf) {
      unsigned registers[4];
      __cpuid(leaf, registers[0], registers[1], registers[2], registers[3]);
      char text[sizeof registers];
      std::memcpy(text, registers, sizeof text);
      name.append(text, sizeof text);
    }
  }
#endif
  name.resize(std::min(name.size(), name.find('\0')));
  constexpr const char* kBlanks = " ";
  name.erase(0, name.find_first_not_of(kBlanks));
  name.resize(name.find_last_not_of(kBlanks) + 1);
  return name.empty() ? "an unknown processor" : name;
}

}  // namespace rt
