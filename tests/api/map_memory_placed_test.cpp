// SPDX-License-Identifier: Apache-2.0

// VK_EXT_map_memory_placed.
#include <sys/mman.h>

#include <cstring>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kBytes = 4 * kPage;

class MapMemoryPlacedTest : public DeviceTest {
 protected:
  MapMemoryPlacedTest() {
    device_extensions = {VK_KHR_MAP_MEMORY_2_EXTENSION_NAME,
                         VK_EXT_MAP_MEMORY_PLACED_EXTENSION_NAME,
                         VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME};
    device_features = &features;
  }

  void SetUp() override {
    DeviceTest::SetUp();
    void* reserved = mmap(nullptr, kBytes + 2 * kPage, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(reserved, MAP_FAILED);
    place = static_cast<char*>(reserved) + kPage;
  }
  void TearDown() override {
    DeviceTest::TearDown();
    munmap(place - kPage, kBytes + 2 * kPage);
  }

  VkDeviceMemory allocate() {
    VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                              .allocationSize = kBytes};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    EXPECT_EQ(vk.vkAllocateMemory(device, &info, nullptr, &memory), VK_SUCCESS);
    return memory;
  }

  VkResult mapAt(VkDeviceMemory memory, void* address, VkDeviceSize offset = 0,
                 VkDeviceSize size = VK_WHOLE_SIZE) {
    VkMemoryMapPlacedInfoEXT placed{.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT,
                                    .pPlacedAddress = address};
    VkMemoryMapInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO,
                         .pNext = &placed,
                         .flags = VK_MEMORY_MAP_PLACED_BIT_EXT,
                         .memory = memory,
                         .offset = offset,
                         .size = size};
    void* data = nullptr;
    const VkResult result = vk.vkMapMemory2KHR(device, &info, &data);
    if (result == VK_SUCCESS) {
      EXPECT_EQ(data, address);
    }
    return result;
  }

  // What was mapped is free then; it is taken again before anybody else does.
  void free(VkDeviceMemory memory) {
    vk.vkFreeMemory(device, memory, nullptr);
    reserve();
  }
  void reserve() {
    ASSERT_EQ(place, mmap(place, kBytes, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0));
  }

  VkResult unmap(VkDeviceMemory memory, VkMemoryUnmapFlags flags) {
    VkMemoryUnmapInfo info{
        .sType = VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO, .flags = flags, .memory = memory};
    return vk.vkUnmapMemory2KHR(device, &info);
  }

  // Whether something is mapped there, accessible or not.
  static bool isTaken(char* address) { return msync(address, kPage, MS_ASYNC) == 0; }

  uint32_t wordAt(size_t offset) const {
    uint32_t word;
    memcpy(&word, place + offset, sizeof word);
    return word;
  }

  char* place = nullptr;  // of kBytes, with a page before and behind
  VkPhysicalDeviceMapMemoryPlacedFeaturesEXT features{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_FEATURES_EXT,
      .memoryMapPlaced = VK_TRUE,
      .memoryMapRangePlaced = VK_TRUE,
      .memoryUnmapReserve = VK_TRUE};
};

TEST_F(MapMemoryPlacedTest, MemoryAppearsWhereItIsWanted) {
  VkDeviceMemory memory = allocate();
  for (uint32_t value = 1; value <= 2; ++value) {
    ASSERT_EQ(mapAt(memory, place), VK_SUCCESS);
    fill(memory, kBytes, value);
    EXPECT_EQ(wordAt(kBytes - 4), value);
    ASSERT_EQ(unmap(memory, VK_MEMORY_UNMAP_RESERVE_BIT_EXT), VK_SUCCESS);
    EXPECT_TRUE(isTaken(place));
  }
  // A part of it, which vkFreeMemory unmaps.
  ASSERT_EQ(mapAt(memory, place + kPage, 2 * kPage, kPage), VK_SUCCESS);
  EXPECT_EQ(wordAt(kPage), 2u);
  vk.vkFreeMemory(device, memory, nullptr);
  EXPECT_FALSE(isTaken(place + kPage));
  reserve();
}

TEST_F(MapMemoryPlacedTest, MappingElsewhereIsAsEver) {
  VkDeviceMemory memory = allocate();
  fill(memory, kBytes, 3);
  void* data = nullptr;
  ASSERT_EQ(vk.vkMapMemory(device, memory, kPage + 100, 8, 0, &data), VK_SUCCESS);
  EXPECT_EQ(*static_cast<uint32_t*>(data), 3u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % kPage, 100u);
  *static_cast<uint32_t*>(data) = 4;
  vk.vkUnmapMemory(device, memory);
  ASSERT_EQ(mapAt(memory, place), VK_SUCCESS);
  EXPECT_EQ(wordAt(kPage + 100), 4u);
  free(memory);
}

TEST_F(MapMemoryPlacedTest, WhatCannotBeIsRefused) {
  MISUSE_FROM_HERE();
  VkDeviceMemory memory = allocate();
  EXPECT_EQ(mapAt(memory, nullptr), VK_ERROR_MEMORY_MAP_FAILED);
  EXPECT_EQ(mapAt(memory, place + 64), VK_ERROR_MEMORY_MAP_FAILED);
  EXPECT_EQ(mapAt(memory, place, 64), VK_ERROR_MEMORY_MAP_FAILED);
  EXPECT_EQ(mapAt(memory, place, kPage, kBytes), VK_ERROR_MEMORY_MAP_FAILED);
  EXPECT_EQ(unmap(memory, VK_MEMORY_UNMAP_RESERVE_BIT_EXT), VK_ERROR_MEMORY_MAP_FAILED);
  ASSERT_EQ(mapAt(memory, place), VK_SUCCESS);
  EXPECT_EQ(mapAt(memory, place), VK_ERROR_MEMORY_MAP_FAILED);
  free(memory);

  // The application's own memory stays where it is.
  void* own = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  VkImportMemoryHostPointerInfoEXT host{
      .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
      .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
      .pHostPointer = own};
  VkMemoryAllocateInfo info{
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &host, .allocationSize = kBytes};
  ASSERT_EQ(vk.vkAllocateMemory(device, &info, nullptr, &memory), VK_SUCCESS);
  EXPECT_EQ(mapAt(memory, place), VK_ERROR_MEMORY_MAP_FAILED);
  void* data = nullptr;
  ASSERT_EQ(vk.vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &data), VK_SUCCESS);
  EXPECT_EQ(data, own);
  free(memory);
  munmap(own, kBytes);
}

// On a device that did not ask for it.
TEST_F(MapMemoryPlacedTest, TheFeatureIsNeeded) {
  MISUSE_FROM_HERE();
  TearDown();
  device_features = nullptr;
  SetUp();
  VkDeviceMemory memory = allocate();
  EXPECT_EQ(mapAt(memory, place), VK_ERROR_MEMORY_MAP_FAILED);
  free(memory);
}

}  // namespace
}  // namespace api_test
