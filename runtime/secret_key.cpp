// SPDX-License-Identifier: Apache-2.0

#include "runtime/secret_key.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "runtime/checksum.h"
#include "runtime/private_folder.h"

namespace rt {
namespace {

struct Contents {
  std::array<char, 8> magic;
  SecretKey key;
  uint64_t checksum;  // of the key: tells damage
};
constexpr std::array<char, 8> kMagic = {'t', 'e', 's', 's', 'k', 'e', 'y', '1'};

uint64_t checksumOf(const SecretKey& key) { return checksum(std::as_bytes(std::span(key))); }

// Nothing if the system gives none.
std::optional<SecretKey> randomKey() {
  SecretKey key;
  size_t filled = 0;
  while (filled < key.size()) {
    const ssize_t count =
        unlessInterrupted([&] { return getrandom(key.data() + filled, key.size() - filled, 0); });
    if (count <= 0) return std::nullopt;
    filled += static_cast<size_t>(count);
  }
  return key;
}

// The 16 random bytes that the system gives each program when it starts.
SecretKey keyOfProgramStart() {
  SecretKey key{};
  if (const auto* bytes = reinterpret_cast<const uint8_t*>(getauxval(AT_RANDOM)))
    std::copy_n(bytes, 16, key.begin());
  return key;
}

SecretKey keyOfProcess() {
  static const SecretKey key = [] {
    const std::optional<SecretKey> random = randomKey();
    return random ? *random : keyOfProgramStart();
  }();
  return key;
}

// What there is of the file.
struct Reading {
  std::optional<SecretKey> key;
  std::string complaint = "";  // why there is no key although there is a file
  bool replaceable = true;
};

Reading readKey(int folder) {
  const File file(unlessInterrupted([&] {
    return openat(folder, kSecretKeyFile, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  }));
  if (!file && errno == ENOENT) return {std::nullopt};
  // A link, or a mode that does not let the user read.
  if (!file) return {std::nullopt, errorText(), errno == ELOOP || errno == EACCES};
  struct stat info;
  if (fstat(file.get(), &info) != 0) return {std::nullopt, errorText()};
  if (!S_ISREG(info.st_mode)) return {std::nullopt, "it is no regular file"};
  if (info.st_uid != geteuid()) return {std::nullopt, "it belongs to another user"};
  if ((info.st_mode & 077) != 0)
    return {std::nullopt, "other users have access to it (its mode must be 0600)"};
  Contents contents;
  if (info.st_size != sizeof contents || !readAll(file.get(), &contents, sizeof contents) ||
      contents.magic != kMagic || contents.checksum != checksumOf(contents.key))
    return {std::nullopt, "it is damaged"};
  return {contents.key, ""};
}

// Puts a new key into the folder, in the place of one that cannot be used if `replace`; else
// another process's, which may have come in the meantime, stays. Why it could not; empty when there
// is one.
std::string writeKey(int folder, bool replace) {
  const std::optional<SecretKey> key = randomKey();
  if (!key) return "no random bytes: " + errorText();
  const Contents contents{kMagic, *key, checksumOf(*key)};
  const std::string temporary = temporaryName();
  if (!writeNewFile(folder, temporary, &contents, sizeof contents, nullptr, 0)) return errorText();
  std::string complaint;
  bool placed = false, exists = false;
  if (!replace) {
    placed = linkat(folder, temporary.c_str(), folder, kSecretKeyFile, 0) == 0;
    exists = !placed && errno == EEXIST;
  }
  // There are file systems without links.
  if (!placed && !exists) {
    if (renameat(folder, temporary.c_str(), folder, kSecretKeyFile) == 0) return "";
    complaint = errorText();
  }
  unlinkat(folder, temporary.c_str(), 0);
  return complaint;
}

}  // namespace

FoundKey findSecretKey(const std::string& folder_path) {
  if (folder_path.empty()) return {keyOfProcess()};
  PrivateFolder made = makePrivateFolder(folder_path);
  if (!made.folder) return {keyOfProcess(), std::move(made.complaint)};
  const int folder = made.folder.get();
  std::string complaint;
  // What another process has written in the meantime is looked at again; that does not go on for
  // ever.
  for (int attempts = 0; attempts < 4; ++attempts) {
    const Reading reading = readKey(folder);
    if (reading.key) return {*reading.key, "", std::move(complaint)};
    const bool exists = !reading.complaint.empty();
    if (exists) complaint = reading.complaint;
    if (!reading.replaceable) break;
    if (std::string failure = writeKey(folder, exists); !failure.empty()) {
      complaint += (exists ? ", and a new one cannot be written: " : "it cannot be written: ");
      complaint += failure;
      break;
    }
  }
  return {keyOfProcess(), "", std::move(complaint)};
}

}  // namespace rt
