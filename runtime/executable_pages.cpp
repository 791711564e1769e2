// SPDX-License-Identifier: Apache-2.0

#include "runtime/executable_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/pages.h"

namespace rt {

namespace {

// linux/memfd.h has it from 6.3 on, where systems may want to be told (sysctl vm.memfd_noexec).
constexpr unsigned kExecutableFile = 0x10;  // MFD_EXEC

class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("tessera-code", MFD_CLOEXEC | kExecutableFile)) {
    if (descriptor_ < 0 && errno == EINVAL) descriptor_ = memfd_create("tessera-code", MFD_CLOEXEC);
  }
  ~MemoryFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  bool write(const std::byte* from, size_t bytes) {
    while (bytes != 0) {
      const ssize_t written = ::write(descriptor_, from, bytes);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      from += written;
      bytes -= static_cast<size_t>(written);
    }
    return true;
  }

  // Replaces what is mapped there.
  bool mapExecutable(std::byte* address, size_t bytes) {
    return mmap(address, bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, descriptor_, 0) !=
           MAP_FAILED;
  }

 private:
  int descriptor_;
};

}  // namespace

bool makeExecutable(std::byte* address, size_t bytes) noexcept {
  const size_t whole = roundToPages(bytes);
  if (mprotect(address, whole, PROT_READ | PROT_EXEC) == 0) return true;
  MemoryFile file;
  return file.write(address, whole) && file.mapExecutable(address, whole);
}

bool canMakeExecutable() noexcept {
  std::byte* page = allocatePages(kPageBytes);
  if (!page) return false;
  const bool can = makeExecutable(page, kPageBytes);
  freePages(page, kPageBytes);
  return can;
}

}  // namespace rt
