// SPDX-License-Identifier: Apache-2.0

#include "runtime/host.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

namespace rt {

namespace {

std::optional<uint64_t> parseNumber(std::string_view text) {
  uint64_t number;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;  // "max", "-1", nothing
  return number;
}

// The first word of a file; empty when it cannot be read.
std::string firstWord(const std::string& path, std::string* second = nullptr) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  if (second) file >> *second;
  return word;
}

// The number after `key` (with its separator, if any) in a file of lines "key number ...".
std::optional<uint64_t> numberAfter(const std::string& path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word, number;
    if (words >> word >> number && word == key) return parseNumber(number);
  }
  return std::nullopt;
}

bool hasListed(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    size_t comma = list.find(',');
    if (list.substr(0, comma) == name) return true;
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  return false;
}

// Folders of the control groups that this process is in and whose limits bind it, innermost
// first. Source: cgroups(7), proc(5) "mountinfo".
struct GroupFolders {
  std::vector<std::string> unified;  // version 2
  std::vector<std::string> legacy;   // version 1, of the one controller
};

// The process's path within the hierarchy: `controller` empty for version 2.
std::string groupPath(const HostFiles& files, std::string_view controller) {
  std::ifstream file(files.root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    // hierarchy:controllers:path
    size_t first = line.find(':');
    size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    std::string_view controllers(line.data() + first + 1, second - first - 1);
    bool found = controller.empty() ? controllers.empty() : hasListed(controllers, controller);
    if (found) return line.substr(second + 1);
  }
  return "/";
}

std::vector<std::string> foldersUpwards(const std::string& mount, std::string_view mount_root,
                                        std::string path) {
  // In a container the mount may show only a part of the hierarchy.
  if (mount_root != "/") {
    bool inside = path.starts_with(mount_root) &&
                  (path.size() == mount_root.size() || path[mount_root.size()] == '/');
    path = inside ? path.substr(mount_root.size()) : "";
  }
  std::vector<std::string> folders;
  while (path.size() > 1) {
    folders.push_back(mount + path);
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
  folders.push_back(mount);
  return folders;
}

GroupFolders groupFolders(const HostFiles& files, std::string_view controller) {
  GroupFolders folders;
  std::ifstream mounts(files.root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    size_t separator = line.find(" - ");
    if (separator == std::string::npos) continue;
    std::istringstream before(line.substr(0, separator)), after(line.substr(separator + 3));
    std::string id, parent, device, root, mount, type, source, options;
    before >> id >> parent >> device >> root >> mount;
    after >> type >> source >> options;
    mount = files.root + mount;
    if (type == "cgroup2") {
      folders.unified = foldersUpwards(mount, root, groupPath(files, ""));
    } else if (type == "cgroup" && hasListed(options, controller)) {
      folders.legacy = foldersUpwards(mount, root, groupPath(files, controller));
    }
  }
  return folders;
}

uint32_t affinityCpus() {
  for (size_t cpus = 1024; cpus <= size_t{1} << 20; cpus *= 2) {
    cpu_set_t* set = CPU_ALLOC(cpus);
    if (!set) break;
    size_t bytes = CPU_ALLOC_SIZE(cpus);
    int count = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (count > 0) return uint32_t(count);
  }
  return 1;
}

// Bytes, from a line "MemTotal:  12345 kB".
std::optional<uint64_t> memoryInfo(const HostFiles& files, std::string_view key) {
  auto kibibytes = numberAfter(files.root + "/proc/meminfo", key);
  return kibibytes ? std::optional(*kibibytes * 1024) : std::nullopt;
}

uint64_t physicalMemory() { return uint64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE); }

// One memory limit of a group, and what of it is taken and cannot be reclaimed at once.
struct MemoryLimit {
  uint64_t limit, used;
};

std::vector<MemoryLimit> memoryLimits(const HostFiles& files) {
  std::vector<MemoryLimit> limits;
  auto add = [&limits](const std::string& folder, const char* limit_file, const char* usage_file,
                       const char* cache_key) {
    auto limit = parseNumber(firstWord(folder + limit_file));
    if (!limit) return;
    uint64_t usage = parseNumber(firstWord(folder + usage_file)).value_or(0);
    uint64_t cache = numberAfter(folder + "/memory.stat", cache_key).value_or(0);
    limits.push_back({*limit, usage - std::min(usage, cache)});
  };
  GroupFolders folders = groupFolders(files, "memory");
  for (const std::string& folder : folders.unified) {
    add(folder, "/memory.max", "/memory.current", "inactive_file");
  }
  for (const std::string& folder : folders.legacy) {
    add(folder, "/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file");
  }
  return limits;
}

}  // namespace

uint32_t usableCpus(const HostFiles& files, uint32_t affinity) {
  uint64_t cpus = std::max<uint32_t>(affinity, 1);
  auto limit = [&cpus](std::string_view quota_text, std::string_view period_text) {
    auto quota = parseNumber(quota_text), period = parseNumber(period_text);
    if (!quota || !period || *period == 0) return;
    cpus = std::min(cpus, std::max<uint64_t>((*quota + *period - 1) / *period, 1));
  };
  GroupFolders folders = groupFolders(files, "cpu");
  for (const std::string& folder : folders.unified) {
    std::string period, quota = firstWord(folder + "/cpu.max", &period);
    limit(quota, period);
  }
  for (const std::string& folder : folders.legacy) {
    limit(firstWord(folder + "/cpu.cfs_quota_us"), firstWord(folder + "/cpu.cfs_period_us"));
  }
  return uint32_t(cpus);
}

uint64_t usableMemory(const HostFiles& files) {
  uint64_t bytes = memoryInfo(files, "MemTotal:").value_or(physicalMemory());
  for (const MemoryLimit& limit : memoryLimits(files)) bytes = std::min(bytes, limit.limit);
  return bytes;
}

uint64_t availableMemory(const HostFiles& files) {
  uint64_t bytes = memoryInfo(files, "MemAvailable:").value_or(usableMemory(files));
  for (const MemoryLimit& limit : memoryLimits(files)) {
    bytes = std::min(bytes, limit.limit - std::min(limit.limit, limit.used));
  }
  return bytes;
}

uint32_t usableCpus() { return usableCpus(HostFiles{}, affinityCpus()); }
uint64_t usableMemory() { return usableMemory(HostFiles{}); }
uint64_t availableMemory() { return availableMemory(HostFiles{}); }

}  // namespace rt
