#include "icd/pipeline_cache.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "icd/device.h"
#include "icd/entrypoints.h"
#include "runtime/checksum.h"

namespace icd {
namespace {

// In front of each binary. Binaries are code: applications promise that the data is what
// vkGetPipelineCacheData gave them (VUID-VkPipelineCacheCreateInfo-initialDataSize-00769), and the
// checksum tells when it was damaged on the way.
struct EntryHeader {
  jit::KernelKey key;
  uint64_t size;
  uint64_t checksum;
};

size_t paddedSize(size_t size) { return (size + 7) & ~size_t{7}; }

// What the specification prescribes ("Pipeline Cache Header"). The UUID is the driver's build's.
VkPipelineCacheHeaderVersionOne headerOf(VkDevice device) {
  const VkPhysicalDeviceProperties& properties =
      Device::from(device)->physical_device.properties.v10.properties;
  VkPipelineCacheHeaderVersionOne header{.headerSize = sizeof header,
                                         .headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE,
                                         .vendorID = properties.vendorID,
                                         .deviceID = properties.deviceID};
  std::memcpy(header.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE);
  return header;
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
    if (rt::checksum(binary) != header.checksum) return;
    insert(header.key,
           std::make_shared<const std::vector<std::byte>>(binary.begin(), binary.end()));
    data = data.subspan(std::min(data.size(), paddedSize(header.size)));
  }
}

bool PipelineCache::write(std::vector<std::byte>& data, size_t limit) const {
  std::lock_guard lock(mutex_);
  for (const auto& [key, binary] : binaries_) {
    const size_t size = sizeof(EntryHeader) + paddedSize(binary->size());
    if (size > limit - data.size()) return false;
    const size_t end = data.size() + size;
    append(data, EntryHeader{key, binary->size(), rt::checksum(*binary)});
    data.insert(data.end(), binary->begin(), binary->end());
    data.resize(end);
  }
  return true;
}

VkResult vkCreatePipelineCache(VkDevice device, const VkPipelineCacheCreateInfo* info,
                               const VkAllocationCallbacks*, VkPipelineCache* cache) {
  auto made = std::make_unique<PipelineCache>();
  // Data of another driver, or of another build of this one, is no error: the cache begins empty.
  const std::span data(static_cast<const std::byte*>(info->pInitialData), info->initialDataSize);
  const VkPipelineCacheHeaderVersionOne expected = headerOf(device);
  if (data.size() >= sizeof expected && std::memcmp(data.data(), &expected, sizeof expected) == 0)
    made->read(data.subspan(sizeof expected));
  *cache = made.release()->handle();
  return VK_SUCCESS;
}

void vkDestroyPipelineCache(VkDevice, VkPipelineCache cache, const VkAllocationCallbacks*) {
  destroyObject<PipelineCache>(cache);
}

VkResult vkGetPipelineCacheData(VkDevice device, VkPipelineCache cache, size_t* size, void* data) {
  const VkPipelineCacheHeaderVersionOne header = headerOf(device);
  const size_t limit = data != nullptr ? *size : SIZE_MAX;
  *size = 0;
  if (limit < sizeof header) return VK_INCOMPLETE;
  std::vector<std::byte> bytes;
  append(bytes, header);
  const bool complete = PipelineCache::from(cache)->write(bytes, limit);
  *size = bytes.size();
  if (data != nullptr) std::memcpy(data, bytes.data(), bytes.size());
  return complete ? VK_SUCCESS : VK_INCOMPLETE;
}

VkResult vkMergePipelineCaches(VkDevice, VkPipelineCache destination, uint32_t count,
                               const VkPipelineCache* sources) {
  for (VkPipelineCache source : std::span(sources, count))
    PipelineCache::from(destination)->insertAll(*PipelineCache::from(source));
  return VK_SUCCESS;
}

}  // namespace icd
