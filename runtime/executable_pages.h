// SPDX-License-Identifier: Apache-2.0

// Machine code in memory, on systems that let no page be writable and executable, not even one
// after the other (man 2const PR_SET_MDWE, seccomp filters, SELinux's execmem).
#pragma once

#include <cstddef>

namespace rt {

// Makes whole pages of allocatePages(), with what has been written there, executable and read-only.
// Where the system lets no page that was writable become executable, a file in memory with the same
// contents takes their place. False when the system refuses both.
bool makeExecutable(std::byte* address, size_t bytes) noexcept;

// Whether makeExecutable() works here and now. Takes a few microseconds.
bool canMakeExecutable() noexcept;

}  // namespace rt
