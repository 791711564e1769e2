// SPDX-License-Identifier: Apache-2.0

#include "runtime/private_folder.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <system_error>
#include <utility>

#include "runtime/clock.h"

namespace rt {
namespace {

// A file that would pass the process's limit is not begun: the signal for it ends the process.
bool isAllowed(uint64_t file_size) {
  rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || file_size <= limit.rlim_cur) return true;
  errno = EFBIG;
  return false;
}

// Empty when the folder is the user's alone.
std::string complaintAbout(int folder) {
  struct stat info;
  if (fstat(folder, &info) != 0) return errorText();
  if (info.st_uid != geteuid()) return "it belongs to another user";
  if ((info.st_mode & 077) != 0) return "other users may look into it (its mode must be 0700)";
  return "";
}

}  // namespace

File::~File() {
  if (*this) close(descriptor_);
}

std::string errorText() { return std::generic_category().message(errno); }

bool readAll(int file, void* to, size_t size) {
  auto* at = static_cast<std::byte*>(to);
  while (size > 0) {
    const ssize_t count = unlessInterrupted([&] { return read(file, at, size); });
    if (count <= 0) return false;
    at += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

bool writeAll(int file, const void* from, size_t size) {
  auto* at = static_cast<const std::byte*>(from);
  while (size > 0) {
    const ssize_t count = unlessInterrupted([&] { return write(file, at, size); });
    if (count <= 0) return false;
    at += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

std::string temporaryName() {
  static std::atomic<uint32_t> count = 0;
  return kTemporaryPrefix + std::to_string(getpid()) + "-" + std::to_string(now()) + "-" +
         std::to_string(count++);
}

bool writeNewFile(int folder, const std::string& temporary, const void* head, size_t head_bytes,
                  const void* body, size_t body_bytes) {
  if (!isAllowed(head_bytes + body_bytes)) return false;
  const File file(unlessInterrupted([&] {
    return openat(folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  }));
  if (!file) return false;
  if (writeAll(file.get(), head, head_bytes) && writeAll(file.get(), body, body_bytes)) return true;
  const int error = errno;
  unlinkat(folder, temporary.c_str(), 0);
  errno = error;
  return false;
}

PrivateFolder openPrivateFolder(const std::string& path) {
  File folder(unlessInterrupted(
      [&] { return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }));
  if (!folder) return {File(), errorText(), errno == ENOENT};
  std::string complaint = complaintAbout(folder.get());
  if (!complaint.empty()) return {File(), std::move(complaint)};
  return {std::move(folder), ""};
}

PrivateFolder makePrivateFolder(const std::string& path) {
  PrivateFolder found = openPrivateFolder(path);
  if (!found.missing) return found;
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const bool made = mkdir(path.substr(0, end).c_str(), 0700) == 0 || errno == EEXIST;
    // What is above it, and may only be passed through, says EACCES or EROFS where it exists too.
    if (end != std::string::npos) continue;
    if (!made) return {File(), "it cannot be made: " + errorText(), true};
    return openPrivateFolder(path);
  }
}

}  // namespace rt
