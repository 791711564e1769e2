// SPDX-License-Identifier: Apache-2.0

// Where the profiles of TESSERA_IMITATE come from: the driver itself, or a file.
#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace icd {

struct ProfileText {
  std::string text;     // JSON, perhaps
  std::string profile;  // which of its profiles; empty: it has one
};

// What a value of TESSERA_IMITATE means, or in a line why there is nothing, and what would be
// right.
std::variant<ProfileText, std::string> findProfile(const std::string& value);

// icd/profiles/nvidia-h200.json.
extern const std::string_view kNvidiaH200Profile;

}  // namespace icd
