// SPDX-License-Identifier: Apache-2.0

// Bytes into a file, whole.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <span>

namespace rt {

// From byte `at` on, whatever interrupts it. False, with errno, where some could not be written.
inline bool writeAll(int file, std::span<const std::byte> bytes, off_t at) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(file, bytes.data(), bytes.size(), at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(written));
    at += written;
  }
  return true;
}

}  // namespace rt
