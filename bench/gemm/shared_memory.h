// SPDX-License-Identifier: Apache-2.0

// Memory that this process fills and others map by its path.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace bench {

class SharedMemory {
 public:
  // New, all zero, as long as this object lives. Throws std::runtime_error, as the other one does.
  explicit SharedMemory(size_t bytes);
  // That of another process, by what path() gave there, to be read.
  SharedMemory(const std::string& path, size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }
  const std::string& path() const { return path_; }

 private:
  void map(int protection, size_t bytes);

  int file_ = -1;
  std::string path_;
  std::span<std::byte> bytes_;
};

}  // namespace bench
