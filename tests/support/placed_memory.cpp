// SPDX-License-Identifier: Apache-2.0

#include "tests/support/placed_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

namespace host {
namespace {

constexpr uint64_t kPageBytes = 4096;

std::string describe(uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

}  // namespace

PlacedMemory::PlacedMemory(const Device& device, std::vector<Range> ranges) : device_(device) {
  if (device.functions().vkGetMemoryHostPointerPropertiesEXT == nullptr)
    throw std::runtime_error(
        "the device cannot have memory at certain addresses (VK_EXT_external_memory_host)");
  std::ranges::sort(ranges, {}, &Range::address);
  try {
    Range pages;
    for (const Range& range : ranges) {
      const uint64_t first = range.address / kPageBytes * kPageBytes;
      const uint64_t end = (range.address + range.bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
      if (pages.bytes != 0 && first <= pages.address + pages.bytes) {
        pages.bytes = std::max(pages.bytes, end - pages.address);
        continue;
      }
      if (pages.bytes != 0) map(pages);
      pages = {first, end - first};
    }
    map(pages);
  } catch (...) {
    release();
    throw;
  }
}

void PlacedMemory::map(const Range& range) {
  void* wanted = reinterpret_cast<void*>(range.address);
  void* mapped = mmap(wanted, range.bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped != wanted) {
    const std::string why = mapped == MAP_FAILED ? std::strerror(errno) : "it went elsewhere";
    if (mapped != MAP_FAILED) munmap(mapped, range.bytes);
    throw std::runtime_error(
        "no memory can be had at " + describe(range.address) + " (" + why +
        "); where this process has its own differs from run to run: try again");
  }
  Pages& pages = pages_.emplace_back(static_cast<std::byte*>(mapped), range.bytes);
  const Functions& functions = device_.functions();
  constexpr auto kType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  VkMemoryHostPointerPropertiesEXT properties{VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
  check(functions.vkGetMemoryHostPointerPropertiesEXT(device_.handle(), kType, mapped, &properties),
        "vkGetMemoryHostPointerPropertiesEXT");
  VkImportMemoryHostPointerInfoEXT import{VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT};
  import.handleType = kType;
  import.pHostPointer = mapped;
  VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
  flags.pNext = &import;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.pNext = &flags;
  allocate.allocationSize = range.bytes;
  allocate.memoryTypeIndex = device_.memoryType(properties.memoryTypeBits);
  check(functions.vkAllocateMemory(device_.handle(), &allocate, nullptr, &pages.memory),
        "vkAllocateMemory");
}

void PlacedMemory::release() {
  for (const Pages& pages : pages_) {
    device_.functions().vkFreeMemory(device_.handle(), pages.memory, nullptr);
    munmap(pages.begin, pages.bytes);
  }
}

PlacedMemory::~PlacedMemory() { release(); }

std::pair<VkDeviceMemory, VkDeviceSize> PlacedMemory::find(uint64_t address) const {
  for (const Pages& pages : pages_) {
    const uint64_t begin = reinterpret_cast<uintptr_t>(pages.begin);
    if (begin <= address && address - begin < pages.bytes) return {pages.memory, address - begin};
  }
  throw std::runtime_error("no memory at " + describe(address));
}

Buffer::Buffer(const Device& device, VkDeviceSize bytes, const PlacedMemory& memory,
               uint64_t address)
    : device_(device), bytes_(bytes) {
  const Functions& functions = device.functions();
  VkExternalMemoryBufferCreateInfo external{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.pNext = &external;
  info.size = bytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  check(functions.vkCreateBuffer(device.handle(), &info, nullptr, &buffer_), "vkCreateBuffer");
  try {
    const auto [allocation, offset] = memory.find(address);
    check(functions.vkBindBufferMemory(device.handle(), buffer_, allocation, offset),
          "vkBindBufferMemory");
    VkBufferDeviceAddressInfo asked{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
    asked.buffer = buffer_;
    address_ = functions.vkGetBufferDeviceAddress(device.handle(), &asked);
    if (address_ != address)
      throw std::runtime_error("a buffer must have the device address " + describe(address) +
                               ", and this device gives it " + describe(address_));
  } catch (...) {
    functions.vkDestroyBuffer(device.handle(), buffer_, nullptr);
    throw;
  }
  memory_ = {reinterpret_cast<std::byte*>(address), static_cast<size_t>(bytes)};
}

}  // namespace host
