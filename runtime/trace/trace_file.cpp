// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/trace_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <span>

#include "runtime/write_all.h"

namespace rt {

namespace {

constexpr std::string_view kBegin = "[\n", kEnd = "\n]\n", kNext = ",\n", kNothing = "[\n]\n";

// Bytes of the file that are locked, whatever they hold: by each process that has it open, and by
// the one that writes.
constexpr off_t kUse = 0, kWriting = 1;

// Of the open file, not of the process, which may have it open twice. False if somebody has a lock
// that stands against it. A file system without locks has one process write, it is hoped.
bool lock(int file, off_t byte, short type, int command = F_OFD_SETLKW) {
  struct flock range{};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = byte;
  range.l_len = 1;
  int result;
  do {
    result = fcntl(file, command, &range);
  } while (result != 0 && errno == EINTR);
  return result == 0 || (errno != EAGAIN && errno != EACCES);
}

class WriteLock {
 public:
  explicit WriteLock(int file) : file_(file) { lock(file_, kWriting, F_WRLCK); }
  ~WriteLock() {
    const int error = errno;
    lock(file_, kWriting, F_UNLCK);
    errno = error;
  }
  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;

 private:
  const int file_;
};

bool write(int file, std::string_view text, off_t at) {
  return writeAll(file, std::as_bytes(std::span(text)), at);
}

off_t sizeOf(int file) {
  struct stat status{};
  return fstat(file, &status) == 0 ? status.st_size : 0;
}

}  // namespace

std::unique_ptr<TraceFile> TraceFile::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return nullptr;
  std::unique_ptr<TraceFile> file(new TraceFile(descriptor));
  const WriteLock writing(descriptor);
  if (lock(descriptor, kUse, F_WRLCK, F_OFD_SETLK)) {
    // Devices such as /dev/null have no size.
    if (ftruncate(descriptor, 0) != 0 && errno != EINVAL) return nullptr;
    if (!write(descriptor, kNothing, 0)) return nullptr;
  }
  lock(descriptor, kUse, F_RDLCK);
  return file;
}

// errno is the caller's.
TraceFile::~TraceFile() {
  const int error = errno;
  close(file_);
  errno = error;
}

TraceFile::Outcome TraceFile::append(std::string_view events, uint64_t most_bytes) {
  const WriteLock writing(file_);
  const off_t size = sizeOf(file_);
  const bool has_events = size > static_cast<off_t>(kNothing.size());
  // In place of the end.
  const off_t begin = has_events ? size - static_cast<off_t>(kEnd.size()) : 0;
  std::string text;
  text += has_events ? kNext : kBegin;
  text += events;
  text += kEnd;
  if (static_cast<uint64_t>(begin) + text.size() > most_bytes) return Outcome::Full;
  if (write(file_, text, begin)) return Outcome::Added;
  const int error = errno;
  if (ftruncate(file_, begin) == 0) write(file_, has_events ? kEnd : kNothing, begin);
  errno = error;
  return Outcome::Failed;
}

}  // namespace rt
