// SPDX-License-Identifier: Apache-2.0

// Texts of any origin as strings of JSON.
#pragma once

#include <string>
#include <string_view>

namespace rt {

// Appends the text in quotation marks (RFC 8259). What is no UTF-8 becomes U+FFFD, byte by byte.
void appendJson(std::string& json, std::string_view text);

}  // namespace rt
