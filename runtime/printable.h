// SPDX-License-Identifier: Apache-2.0

// Text that comes from elsewhere (names in modules, names that applications give) as it may appear
// among messages: without bytes that a terminal takes for commands, and in one line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rt {

// Whether line feeds count as text.
enum class Lines : uint8_t { Escaped, Kept };

// The text with "\n", "\x1b" and the like for control bytes: those below a space (tabs stay), DEL,
// and the second half of control characters, which UTF-8 writes as 0xc2 0x80 to 0xc2 0x9f.
std::string printable(std::string_view text, Lines lines = Lines::Escaped);

// Whether printable() would change anything but line feeds.
bool hasControlBytes(std::string_view text);

}  // namespace rt
