// SPDX-License-Identifier: Apache-2.0

#include "icd/pipeline_cache.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "icd/device.h"
#include "icd/entrypoints.h"

namespace icd {
namespace {

// The data: the header that the specification prescribes; and, if there are entries, the
// authentication code of header and entries, and the entries, which are this and a binary each.
// Binaries are code: what does not come with a code made by this user's key is not looked at
// (docs/architecture/process.md).
struct EntryHeader {
  jit::KernelKey key;
  uint64_t size;
};

size_t paddedSize(size_t size) { return (size + 7) & ~size_t{7}; }

// What the specification prescribes ("Pipeline Cache Header").
VkPipelineCacheHeaderVersionOne headerOf(const PhysicalDevice& device) {
  const VkPhysicalDeviceProperties& properties = device.properties.v10.properties;
  VkPipelineCacheHeaderVersionOne header{.headerSize = sizeof header,
                                         .headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE,
                                         .vendorID = properties.vendorID,
                                         .deviceID = properties.deviceID};
  std::memcpy(header.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE);
  return header;
}

jit::Mac macOf(const PhysicalDevice& device, const VkPipelineCacheHeaderVersionOne& header,
               std::span<const std::byte> entries) {
  return device.macOf(jit::MacPurpose::PipelineCache,
                      {std::as_bytes(std::span(&header, 1)), entries});
}

constexpr size_t kEntriesStart = sizeof(VkPipelineCacheHeaderVersionOne) + sizeof(jit::Mac);

// The entries of data that vkGetPipelineCacheData gave; else nothing, and the reason.
std::span<const std::byte> entriesOf(const PhysicalDevice& device, std::span<const std::byte> data,
                                     const char*& reason) {
  const VkPipelineCacheHeaderVersionOne expected = headerOf(device);
  if (data.size() < sizeof expected || std::memcmp(data.data(), &expected, sizeof expected) != 0) {
    reason =
        "it is of another device, another build of the driver, another user or another machine";
    return {};
  }
  if (data.size() == sizeof expected) return {};
  reason = "it is not as vkGetPipelineCacheData gave it";
  if (data.size() < kEntriesStart) return {};
  jit::Mac mac;
  std::memcpy(mac.data(), data.data() + sizeof expected, sizeof mac);
  const std::span entries = data.subspan(kEntriesStart);
  if (!jit::areEqual(mac, macOf(device, expected, entries))) return {};
  reason = nullptr;
  return entries;
}

template <typename Header>
void append(std::vector<std::byte>& data, const Header& header) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&header);
  data.insert(data.end(), bytes, bytes + sizeof header);
}

}  // namespace

PipelineCache::Binary PipelineCache::find(const jit::KernelKey& key) const {
  std::lock_guard lock(mutex_);
  const auto found = binaries_.find(key);
  return found != binaries_.end() ? found->second : nullptr;
}

void PipelineCache::insert(const jit::KernelKey& key, Binary binary) {
  std::lock_guard lock(mutex_);
  binaries_.insert_or_assign(key, std::move(binary));
}

void PipelineCache::insertAll(const PipelineCache& other) {
  if (&other == this) return;
  std::scoped_lock lock(mutex_, other.mutex_);
  binaries_.insert(other.binaries_.begin(), other.binaries_.end());
}

void PipelineCache::read(std::span<const std::byte> data) {
  EntryHeader header;
  while (data.size() >= sizeof header) {
    std::memcpy(&header, data.data(), sizeof header);
    data = data.subspan(sizeof header);
    if (header.size > data.size()) return;
    const std::span binary = data.first(header.size);
    insert(header.key,
           std::make_shared<const std::vector<std::byte>>(binary.begin(), binary.end()));
    data = data.subspan(std::min(data.size(), paddedSize(header.size)));
  }
}

size_t PipelineCache::bytes() const {
  std::lock_guard lock(mutex_);
  size_t bytes = 0;
  for (const auto& [key, binary] : binaries_)
    bytes += sizeof(EntryHeader) + paddedSize(binary->size());
  return bytes;
}

bool PipelineCache::write(std::vector<std::byte>& data, size_t limit) const {
  std::lock_guard lock(mutex_);
  for (const auto& [key, binary] : binaries_) {
    const size_t size = sizeof(EntryHeader) + paddedSize(binary->size());
    if (size > limit - data.size()) return false;
    const size_t end = data.size() + size;
    append(data, EntryHeader{key, binary->size()});
    data.insert(data.end(), binary->begin(), binary->end());
    data.resize(end);
  }
  return true;
}

VkResult vkCreatePipelineCache(VkDevice device, const VkPipelineCacheCreateInfo* info,
                               const VkAllocationCallbacks*, VkPipelineCache* cache) {
  auto made = std::make_unique<PipelineCache>();
  // Data that cannot be used is no error: the cache begins empty. It is a copy that is looked at:
  // what the application gives may be a mapped file, which others can write to.
  const auto* given = static_cast<const std::byte*>(info->pInitialData);
  const std::vector<std::byte> data(given, given + info->initialDataSize);
  if (!data.empty()) {
    const char* reason = nullptr;
    made->read(entriesOf(Device::from(device)->physical_device, data, reason));
    if (reason != nullptr)
      Device::from(device)->log().info(
          std::string("vkCreatePipelineCache: the initial data is not used, and the cache begins "
                      "empty: ") +
          reason);
  }
  *cache = made.release()->handle();
  return VK_SUCCESS;
}

void vkDestroyPipelineCache(VkDevice, VkPipelineCache cache, const VkAllocationCallbacks*) {
  destroyObject<PipelineCache>(cache);
}

VkResult vkGetPipelineCacheData(VkDevice device, VkPipelineCache handle, size_t* size, void* data) {
  const PipelineCache& cache = *PipelineCache::from(handle);
  const PhysicalDevice& physical_device = Device::from(device)->physical_device;
  const VkPipelineCacheHeaderVersionOne header = headerOf(physical_device);
  if (data == nullptr) {
    const size_t bytes = cache.bytes();
    *size = bytes == 0 ? sizeof header : kEntriesStart + bytes;
    return VK_SUCCESS;
  }
  const size_t limit = std::exchange(*size, 0);
  if (limit < sizeof header) return VK_INCOMPLETE;
  std::vector<std::byte> entries;
  const bool complete = cache.write(entries, limit - std::min(limit, kEntriesStart));
  auto* out = static_cast<std::byte*>(data);
  std::memcpy(out, &header, sizeof header);
  *size = sizeof header;
  if (!entries.empty()) {
    const jit::Mac mac = macOf(physical_device, header, entries);
    std::memcpy(out + sizeof header, mac.data(), sizeof mac);
    std::ranges::copy(entries, out + kEntriesStart);
    *size = kEntriesStart + entries.size();
  }
  return complete ? VK_SUCCESS : VK_INCOMPLETE;
}

VkResult vkMergePipelineCaches(VkDevice, VkPipelineCache destination, uint32_t count,
                               const VkPipelineCache* sources) {
  for (VkPipelineCache source : std::span(sources, count))
    PipelineCache::from(destination)->insertAll(*PipelineCache::from(source));
  return VK_SUCCESS;
}

}  // namespace icd
