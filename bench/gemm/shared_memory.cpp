// SPDX-License-Identifier: Apache-2.0

#include "bench/gemm/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>

namespace bench {

SharedMemory::SharedMemory(size_t bytes) : file_(memfd_create("matrices", MFD_CLOEXEC)) {
  path_ = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_);
  if (file_ < 0 || ftruncate(file_, static_cast<off_t>(bytes)) != 0)
    throw std::runtime_error("no memory of " + std::to_string(bytes) + " bytes to share");
  map(PROT_READ | PROT_WRITE, bytes);
}

SharedMemory::SharedMemory(const std::string& path, size_t bytes)
    : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)), path_(path) {
  map(PROT_READ, bytes);
}

SharedMemory::~SharedMemory() {
  munmap(bytes_.data(), bytes_.size());
  close(file_);
}

void SharedMemory::map(int protection, size_t bytes) {
  void* memory = mmap(nullptr, bytes, protection, MAP_SHARED, file_, 0);
  if (memory == MAP_FAILED) {
    close(file_);
    throw std::runtime_error("cannot map " + path_);
  }
  bytes_ = {static_cast<std::byte*>(memory), bytes};
}

}  // namespace bench
