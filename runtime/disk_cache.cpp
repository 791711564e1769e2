// SPDX-License-Identifier: Apache-2.0

#include "runtime/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <utility>

#include "runtime/checksum.h"
#include "runtime/clock.h"
#include "runtime/private_folder.h"

namespace rt {
namespace {

struct Header {
  std::array<char, 8> magic;
  DiskCache::Key key;
  uint64_t size;  // of what follows
  uint64_t checksum;
};
constexpr std::array<char, 8> kMagic = {'t', 'e', 's', 's', 'e', 'r', 'a', '1'};

// An unfinished file that is older was left by a process that died.
constexpr time_t kTemporarySeconds = 3600;
// Entries that are used get a new date, but not at each use.
constexpr time_t kDateSeconds = 3600;

std::string nameOf(const DiskCache::Key& key) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string name;
  for (uint8_t byte : key) {
    name += kDigits[byte >> 4];
    name += kDigits[byte & 15];
  }
  return name;
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
  const PrivateFolder found = openPrivateFolder(folder_);
  return found.missing ? "" : found.complaint;
}

std::optional<std::vector<std::byte>> DiskCache::find(const Key& key) const {
  const File folder = openPrivateFolder(folder_).folder;
  if (!folder) return std::nullopt;
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

bool DiskCache::insert(const Key& key, std::span<const std::byte> bytes, std::string* why) const {
  auto refuse = [why](std::string reason) {
    if (why != nullptr) *why = std::move(reason);
    return false;
  };
  const uint64_t file_size = sizeof(Header) + bytes.size();
  if (file_size > max_bytes_)
    return refuse("an entry of " + std::to_string(file_size) + " bytes is more than all of them " +
                  "may take, " + std::to_string(max_bytes_));
  PrivateFolder made = makePrivateFolder(folder_);
  if (!made.folder) return refuse(std::move(made.complaint));
  const File& folder = made.folder;
  const std::string temporary = temporaryName(), name = nameOf(key);
  const Header header{kMagic, key, bytes.size(), checksum(bytes)};
  if (!writeNewFile(folder.get(), temporary, &header, sizeof header, bytes.data(), bytes.size()))
    return refuse(errorText());
  if (renameat(folder.get(), temporary.c_str(), folder.get(), name.c_str()) != 0) {
    std::string reason = errorText();
    unlinkat(folder.get(), temporary.c_str(), 0);
    return refuse(std::move(reason));
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
