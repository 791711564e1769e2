// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/debugger.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <string_view>

namespace rt {

// Source: proc_pid_status(5), TracerPid, which is 0 where there is none.
bool isTraced() {
  std::array<char, 4096> status;
  const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t bytes = read(file, status.data(), status.size());
  close(file);
  const std::string_view text(status.data(), bytes > 0 ? static_cast<size_t>(bytes) : 0);
  constexpr std::string_view kTracer = "\nTracerPid:\t";
  const size_t at = text.find(kTracer);
  return at != std::string_view::npos && at + kTracer.size() < text.size() &&
         text[at + kTracer.size()] != '0';
}

}  // namespace rt
