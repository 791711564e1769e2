#include "runtime/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <system_error>
#include <utility>

#include "runtime/checksum.h"
#include "runtime/clock.h"

namespace rt {
namespace {

struct Header {
  std::array<char, 8> magic;
  DiskCache::Key key;
  uint64_t size;  // of what follows
  uint64_t checksum;
};
constexpr std::array<char, 8> kMagic = {'t', 'e', 's', 's', 'e', 'r', 'a', '1'};

constexpr char kTemporaryPrefix[] = ".new-";
// An unfinished file that is older was left by a process that died.
constexpr time_t kTemporarySeconds = 3600;
// Entries that are used get a new date, but not at each use.
constexpr time_t kDateSeconds = 3600;

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (*this) close(descriptor_);
  }
  explicit operator bool() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }

 private:
  const int descriptor_;
};

template <typename Call>
auto unlessInterrupted(Call call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

std::string errorText() { return std::generic_category().message(errno); }

// Empty when the folder is the user's alone.
std::string complaintAbout(int folder) {
  struct stat info;
  if (fstat(folder, &info) != 0) return errorText();
  if (info.st_uid != geteuid()) return "it belongs to another user";
  if ((info.st_mode & 077) != 0) return "other users may look into it (its mode must be 0700)";
  return "";
}

int openFolder(const std::string& path) {
  return unlessInterrupted(
      [&] { return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); });
}

// With all folders above it; all for the user alone.
void makeFolder(const std::string& path) {
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    mkdir(path.substr(0, end).c_str(), 0700);
    if (end == std::string::npos) return;
  }
}

std::string nameOf(const DiskCache::Key& key) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string name;
  for (uint8_t byte : key) {
    name += kDigits[byte >> 4];
    name += kDigits[byte & 15];
  }
  return name;
}

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

std::optional<std::vector<std::byte>> readEntry(int file, const DiskCache::Key& key,
                                                uint64_t file_size) {
  Header header;
  if (file_size < sizeof header || !readAll(file, &header, sizeof header)) return std::nullopt;
  if (header.magic != kMagic || header.key != key || header.size != file_size - sizeof header)
    return std::nullopt;
  std::vector<std::byte> bytes(header.size);
  if (!readAll(file, bytes.data(), bytes.size())) return std::nullopt;
  if (checksum(bytes) != header.checksum) return std::nullopt;
  return bytes;
}

// A file that would pass the process's limit is not begun: the signal for it ends the process.
bool isAllowed(uint64_t file_size) {
  rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || file_size <= limit.rlim_cur;
}

std::string temporaryName() {
  static std::atomic<uint32_t> count = 0;
  return kTemporaryPrefix + std::to_string(getpid()) + "-" + std::to_string(now()) + "-" +
         std::to_string(count++);
}

// True with a probability of part / whole: so processes that know nothing of each other look after
// the folder about once for each `whole` bytes that they put into it together.
bool isDue(uint64_t part, uint64_t whole) {
  if (part >= whole) return true;
  uint64_t random = now() * 0x9e3779b97f4a7c15;
  random = (random ^ random >> 29) * 0xbf58476d1ce4e5b9;
  random ^= random >> 32;
  return random % whole < part;
}

struct Entry {
  time_t used;
  uint64_t size;
  std::string name;
};

}  // namespace

DiskCache::DiskCache(std::string folder, uint64_t max_bytes)
    : folder_(std::move(folder)), max_bytes_(max_bytes) {}

std::string DiskCache::complaint() const {
  const File folder(openFolder(folder_));
  if (folder) return complaintAbout(folder.get());
  return errno == ENOENT ? "" : errorText();
}

std::optional<std::vector<std::byte>> DiskCache::find(const Key& key) const {
  const File folder(openFolder(folder_));
  if (!folder || !complaintAbout(folder.get()).empty()) return std::nullopt;
  const std::string name = nameOf(key);
  const File file(unlessInterrupted([&] {
    return openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  }));
  struct stat info;
  if (!file || fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid())
    return std::nullopt;
  const auto size = static_cast<uint64_t>(info.st_size);
  std::optional<std::vector<std::byte>> bytes;
  if (size <= max_bytes_) bytes = readEntry(file.get(), key, size);
  // What is not whole will not become so.
  if (!bytes) {
    unlinkat(folder.get(), name.c_str(), 0);
  } else if (time(nullptr) - info.st_mtime > kDateSeconds) {
    futimens(file.get(), nullptr);
  }
  return bytes;
}

bool DiskCache::insert(const Key& key, std::span<const std::byte> bytes) const {
  const uint64_t file_size = sizeof(Header) + bytes.size();
  if (file_size > max_bytes_ || !isAllowed(file_size)) return false;
  makeFolder(folder_);
  const File folder(openFolder(folder_));
  if (!folder || !complaintAbout(folder.get()).empty()) return false;
  const std::string temporary = temporaryName(), name = nameOf(key);
  {
    const File file(unlessInterrupted([&] {
      return openat(folder.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    }));
    if (!file) return false;
    const Header header{kMagic, key, bytes.size(), checksum(bytes)};
    if (!writeAll(file.get(), &header, sizeof header) ||
        !writeAll(file.get(), bytes.data(), bytes.size()) ||
        renameat(folder.get(), temporary.c_str(), folder.get(), name.c_str()) != 0) {
      unlinkat(folder.get(), temporary.c_str(), 0);
      return false;
    }
  }
  if (isDue(file_size, max_bytes_ / 16)) prune(folder.get());
  return true;
}

void DiskCache::prune(int folder) const {
  // A descriptor of its own, which the stream closes.
  const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(fdopendir(copy), closedir);
  if (!stream) {
    close(copy);
    return;
  }
  std::vector<Entry> entries;
  uint64_t total = 0;
  const time_t now_seconds = time(nullptr);
  while (const dirent* item = readdir(stream.get())) {
    const std::string_view name = item->d_name;
    const bool temporary = name.starts_with(kTemporaryPrefix);
    if (!temporary && name.size() != 2 * sizeof(Key)) continue;  // not ours
    struct stat info;
    if (fstatat(folder, item->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (temporary) {
      if (now_seconds - info.st_mtime > kTemporarySeconds) unlinkat(folder, item->d_name, 0);
      continue;
    }
    total += static_cast<uint64_t>(info.st_size);
    entries.push_back({info.st_mtime, static_cast<uint64_t>(info.st_size), item->d_name});
  }
  if (total <= max_bytes_) return;
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& entry : entries) {
    if (total <= max_bytes_ / 4 * 3) return;
    unlinkat(folder, entry.name.c_str(), 0);
    total -= entry.size;
  }
}

std::string defaultCacheFolder() {
  if (const char* cache = secure_getenv("XDG_CACHE_HOME"); cache && *cache == '/')
    return std::string(cache) + "/tessera/kernels";
  if (const char* home = secure_getenv("HOME"); home && *home == '/')
    return std::string(home) + "/.cache/tessera/kernels";
  return "";
}

}  // namespace rt
