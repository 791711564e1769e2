// SPDX-License-Identifier: Apache-2.0

#include "icd/device_profile_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

namespace icd {
namespace {

constexpr std::string_view kNvidiaH200 = "nvidia-h200";
constexpr const char* kTakes = "; it takes nvidia-h200, FILE.json or FILE.json:PROFILE";

// A file is no larger, so that a wrong one is not read for long.
constexpr off_t kMostBytes = 16 << 20;

class File {
 public:
  // One that would wait for a writer (a pipe) is opened all the same, and is no file then.
  explicit File(const std::string& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  // Empty, or why it cannot be read.
  std::string read(std::string& text) const {
    struct stat status;
    if (descriptor_ < 0 || fstat(descriptor_, &status) != 0) return std::strerror(errno);
    if (!S_ISREG(status.st_mode)) return "it is no file";
    if (status.st_size > kMostBytes)
      return "it has more than " + std::to_string(kMostBytes >> 20) + " MiB";
    text.resize(static_cast<size_t>(status.st_size));
    size_t done = 0;
    while (done < text.size()) {
      const ssize_t got = ::read(descriptor_, text.data() + done, text.size() - done);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return std::strerror(errno);
      if (got == 0) break;
      done += static_cast<size_t>(got);
    }
    text.resize(done);
    return "";
  }

 private:
  const int descriptor_;
};

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

}  // namespace

std::variant<ProfileText, std::string> findProfile(const std::string& value) {
  if (value == kNvidiaH200) return ProfileText{std::string(kNvidiaH200Profile), ""};
  const std::string subject = "TESSERA_IMITATE=" + value;
  ProfileText found;
  std::string path = value;
  // A path may have a colon of its own.
  if (const size_t colon = value.rfind(':'); colon != value.npos && !exists(value)) {
    path = value.substr(0, colon);
    found.profile = value.substr(colon + 1);
  }
  if (!path.ends_with(".json") && path.find('/') == path.npos && !exists(path))
    return subject + " is neither a device that the driver knows nor a file" + kTakes;
  if (std::string why = File(path).read(found.text); !why.empty())
    return subject + " cannot be read: " + why + kTakes;
  return found;
}

}  // namespace icd
