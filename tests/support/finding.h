// SPDX-License-Identifier: Apache-2.0

// What the driver's checks (TESSERA_CHECK) find, as a debug-utils messenger is told of it:
//
//   memory: buffer-bounds: a store of 4 bytes ...
//     at FILE:LINE:COLUMN ...
//     called at FILE:LINE
//
// The "at" lines are the finding's places: one, or for a race two.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace host {

// A line of a shader.
struct Place {
  std::string file;  // without its folder
  uint32_t line = 0;
};

struct Finding {
  std::string check, kind;
  std::vector<Place> places;  // empty where the module names no lines
  std::string text;           // all of the message
};

// Whether there is such a check: "memory", "race", ...
bool isCheck(std::string_view name);

// Nothing if the message is none of a check.
std::optional<Finding> parseFinding(std::string_view message);

}  // namespace host
