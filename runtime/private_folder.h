// SPDX-License-Identifier: Apache-2.0

// Files in a folder that is the user's alone: code and secrets.
#pragma once

#include <cerrno>
#include <cstddef>
#include <string>

namespace rt {

// Owns a descriptor; none is -1.
class File {
 public:
  explicit File(int descriptor = -1) : descriptor_(descriptor) {}
  File(File&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  explicit operator bool() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

template <typename Call>
auto unlessInterrupted(Call call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

// errno, in words.
std::string errorText();

// False when the file ends before, or cannot be read or written any further; errno says why.
bool readAll(int file, void* to, size_t size);
bool writeAll(int file, const void* from, size_t size);

// Begins with kTemporaryPrefix; no other process or thread makes the same name.
inline constexpr char kTemporaryPrefix[] = ".new-";
std::string temporaryName();

// Makes the file `temporary` in `folder`, for the user alone, with these bytes in it. False when
// that fails, errno says why, and nothing is left of it.
bool writeNewFile(int folder, const std::string& temporary, const void* head, size_t head_bytes,
                  const void* body, size_t body_bytes);

struct PrivateFolder {
  File folder;            // none when it cannot be used
  std::string complaint;  // why
  bool missing = false;   // it cannot be used because it is not there
};

// The folder, if it is one (no link), belongs to the user, and nobody else has any access to it.
PrivateFolder openPrivateFolder(const std::string& path);

// The same, made before if it is not there, with all folders above it; all for the user alone.
PrivateFolder makePrivateFolder(const std::string& path);

}  // namespace rt
