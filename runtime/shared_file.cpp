// SPDX-License-Identifier: Apache-2.0

#include "runtime/shared_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/pages.h"

namespace rt {

namespace {

constexpr int kFixedSize = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

}  // namespace

SharedFile::~SharedFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::optional<SharedFile> SharedFile::create(uint64_t bytes) {
  if (bytes > INT64_MAX - kPageBytes) return std::nullopt;
  SharedFile file(memfd_create("tessera", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file || ftruncate(file.descriptor_, static_cast<off_t>(roundToPages(bytes))) != 0 ||
      fcntl(file.descriptor_, F_ADD_SEALS, kFixedSize) != 0)
    return std::nullopt;
  return file;
}

std::optional<SharedFile> SharedFile::adopt(int descriptor, uint64_t bytes) {
  struct stat status;
  if (bytes > INT64_MAX - kPageBytes || fstat(descriptor, &status) != 0 ||
      static_cast<uint64_t>(status.st_size) != roundToPages(bytes))
    return std::nullopt;
  const int seals = fcntl(descriptor, F_GET_SEALS);
  if (seals < 0 || (seals & kFixedSize) != kFixedSize) return std::nullopt;
  return SharedFile(descriptor);
}

int SharedFile::duplicate() const { return fcntl(descriptor_, F_DUPFD_CLOEXEC, 0); }

}  // namespace rt
