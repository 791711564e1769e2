// SPDX-License-Identifier: Apache-2.0

// Quantities and addresses in messages.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace rt {

// "17 bytes", "1.5 KiB", "21.0 GiB".
inline std::string describeBytes(uint64_t bytes) {
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto number = static_cast<double>(bytes);
  int unit = 0;
  for (; number >= 1024 && unit < 4; ++unit) number /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", number, kUnits[unit]);
  return text;
}

// "0.25 ms", "12.3 ms", "4500 ms".
inline std::string describeTime(uint64_t nanoseconds) {
  const double milliseconds = static_cast<double>(nanoseconds) * 1e-6;
  char text[32];
  const int places = milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0;
  std::snprintf(text, sizeof text, "%.*f ms", places, milliseconds);
  return text;
}

// "0x7f557f39d000"; of handles too.
inline std::string describeAddress(uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

}  // namespace rt
