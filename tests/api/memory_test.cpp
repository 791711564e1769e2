// SPDX-License-Identifier: Apache-2.0

// Device memory and buffers.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <span>

#include "tests/support/sanitizer.h"
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;

class MemoryTest : public DeviceTest {
 protected:
  MemoryTest() {
    device_extensions = {VK_KHR_MAP_MEMORY_2_EXTENSION_NAME, VK_EXT_MEMORY_PRIORITY_EXTENSION_NAME,
                         VK_EXT_ZERO_INITIALIZE_DEVICE_MEMORY_EXTENSION_NAME};
    device_features = &zero_;
  }

 private:
  VkPhysicalDeviceMemoryPriorityFeaturesEXT priority_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PRIORITY_FEATURES_EXT,
      .memoryPriority = VK_TRUE};
  VkPhysicalDeviceZeroInitializeDeviceMemoryFeaturesEXT zero_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_DEVICE_MEMORY_FEATURES_EXT,
      .pNext = &priority_,
      .zeroInitializeDeviceMemory = VK_TRUE};
};

VkMemoryAllocateInfo allocationOf(VkDeviceSize size) {
  return {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = size};
}

TEST_F(MemoryTest, MoreThanTheHeapIsOutOfDeviceMemory) {
  MISUSE_FROM_HERE();
  for (VkDeviceSize size : {VkDeviceSize{1} << 50, VkDeviceSize{1} << 63, ~VkDeviceSize{0}}) {
    VkMemoryAllocateInfo info = allocationOf(size);
    VkDeviceMemory memory = VK_NULL_HANDLE;
    EXPECT_EQ(vk.vkAllocateMemory(device, &info, nullptr, &memory), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    EXPECT_THAT(messages(), ElementsAre(ContainsRegex(
                                "out of memory: [0-9.]+ TiB asked for; the heap has [0-9.]+ .iB "
                                "\\(TESSERA_MEMORY\\), of which .* are taken, and the process can "
                                "have [0-9.]+ .iB more")));
  }
  VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                          .size = VkDeviceSize{1} << 60};
  VkBuffer buffer = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkCreateBuffer(device, &info, nullptr, &buffer), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_TRUE(wasTold("a buffer of 1048576.0 TiB; maxBufferSize is "));
}

TEST_F(MemoryTest, MappingIsAlignedAndKeepsItsPlace) {
  VkMemoryAllocateInfo info = allocationOf(3 << 20);
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkAllocateMemory(device, &info, nullptr, &memory), VK_SUCCESS);
  atEnd([=, this] { vk.vkFreeMemory(device, memory, nullptr); });
  void* whole = nullptr;
  ASSERT_EQ(vk.vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &whole), VK_SUCCESS);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(whole) % 64, 0u);
  memset(whole, 0x5a, 3 << 20);
  VkMappedMemoryRange range{
      .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, .memory = memory, .size = VK_WHOLE_SIZE};
  EXPECT_EQ(vk.vkFlushMappedMemoryRanges(device, 1, &range), VK_SUCCESS);
  EXPECT_EQ(vk.vkInvalidateMappedMemoryRanges(device, 1, &range), VK_SUCCESS);
  vk.vkUnmapMemory(device, memory);
  void* part = nullptr;
  ASSERT_EQ(vk.vkMapMemory(device, memory, 4096, 100, 0, &part), VK_SUCCESS);
  EXPECT_EQ(part, static_cast<char*>(whole) + 4096);
  EXPECT_EQ(*static_cast<char*>(part), 0x5a);
  vk.vkUnmapMemory(device, memory);
  MISUSE_FROM_HERE();
  EXPECT_EQ(vk.vkMapMemory(device, memory, 4 << 20, 100, 0, &part), VK_ERROR_MEMORY_MAP_FAILED);
  EXPECT_EQ(vk.vkMapMemory(device, memory, 4 << 20, VK_WHOLE_SIZE, 0, &part),
            VK_ERROR_MEMORY_MAP_FAILED);
  EXPECT_EQ(vk.vkMapMemory(device, memory, 0, 0, 0, &part), VK_ERROR_MEMORY_MAP_FAILED);
}

TEST_F(MemoryTest, MappingByStructuresIsTheSame) {
  VkMemoryAllocateInfo info = allocationOf(100'000);
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkAllocateMemory(device, &info, nullptr, &memory), VK_SUCCESS);
  atEnd([=, this] { vk.vkFreeMemory(device, memory, nullptr); });
  void *whole = nullptr, *part = nullptr;
  ASSERT_EQ(vk.vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &whole), VK_SUCCESS);
  vk.vkUnmapMemory(device, memory);
  VkMemoryMapInfo map{.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO,
                      .memory = memory,
                      .offset = 4096,
                      .size = VK_WHOLE_SIZE};
  ASSERT_EQ(vk.vkMapMemory2KHR(device, &map, &part), VK_SUCCESS);
  EXPECT_EQ(part, static_cast<char*>(whole) + 4096);
  VkMemoryUnmapInfo unmap{.sType = VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO, .memory = memory};
  EXPECT_EQ(vk.vkUnmapMemory2KHR(device, &unmap), VK_SUCCESS);
  MISUSE_FROM_HERE();
  map.size = 100'000;
  EXPECT_EQ(vk.vkMapMemory2KHR(device, &map, &part), VK_ERROR_MEMORY_MAP_FAILED);
}

TEST_F(MemoryTest, MemoryIsZeroAlsoWhenUsedAgain) {
  VkMemoryAllocateFlagsInfo flags{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                  .flags = VK_MEMORY_ALLOCATE_ZERO_INITIALIZE_BIT_EXT};
  VkMemoryPriorityAllocateInfoEXT priority{
      .sType = VK_STRUCTURE_TYPE_MEMORY_PRIORITY_ALLOCATE_INFO_EXT,
      .pNext = &flags,
      .priority = 0.25f};
  for (VkDeviceSize size :
       {VkDeviceSize{1000}, VkDeviceSize{1000}, VkDeviceSize{5} << 20, VkDeviceSize{5} << 20}) {
    VkMemoryAllocateInfo info = allocationOf(size);
    info.pNext = &priority;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    ASSERT_EQ(vk.vkAllocateMemory(device, &info, nullptr, &memory), VK_SUCCESS);
    void* data = nullptr;
    ASSERT_EQ(vk.vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &data), VK_SUCCESS);
    auto* bytes = static_cast<const char*>(data);
    EXPECT_TRUE(std::all_of(bytes, bytes + size, [](char byte) { return byte == 0; })) << size;
    memset(data, 0x5a, size);
    vk.vkFreeMemory(device, memory, nullptr);
  }
}

TEST_F(MemoryTest, RequirementsAgreeWithAndWithoutABuffer) {
  WordBuffer buffer = makeBuffer(1001);
  VkMemoryRequirements requirements;
  vk.vkGetBufferMemoryRequirements(device, buffer.buffer, &requirements);
  EXPECT_GE(requirements.size, 1001u * 4);
  EXPECT_EQ(requirements.size % requirements.alignment, 0u);
  EXPECT_EQ(requirements.memoryTypeBits, 1u);

  VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 1001 * 4};
  VkDeviceBufferMemoryRequirements query{
      .sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS, .pCreateInfo = &info};
  VkMemoryDedicatedRequirements dedicated{.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS,
                                          .prefersDedicatedAllocation = VK_TRUE};
  VkMemoryRequirements2 same{.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2, .pNext = &dedicated};
  vk.vkGetDeviceBufferMemoryRequirements(device, &query, &same);
  EXPECT_EQ(same.memoryRequirements.size, requirements.size);
  EXPECT_FALSE(dedicated.prefersDedicatedAllocation);
}

TEST_F(MemoryTest, DeviceAddressIsTheMappedAddress) {
  WordBuffer buffer = makeBuffer(16);
  VkBufferDeviceAddressInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                 .buffer = buffer.buffer};
  EXPECT_EQ(vk.vkGetBufferDeviceAddress(device, &info),
            reinterpret_cast<uintptr_t>(buffer.words.data()));
}

TEST_F(MemoryTest, BindingOffTheAlignmentIsRefused) {
  MISUSE_FROM_HERE();
  const VkBufferCreateInfo buffer_info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 64};
  VkBuffer buffer = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateBuffer(device, &buffer_info, nullptr, &buffer), VK_SUCCESS);
  const VkMemoryAllocateInfo memory_info = allocationOf(4096);
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkAllocateMemory(device, &memory_info, nullptr, &memory), VK_SUCCESS);
  EXPECT_LT(vk.vkBindBufferMemory(device, buffer, memory, 2), 0);
  EXPECT_TRUE(wasTold("aligned"));
  EXPECT_EQ(vk.vkBindBufferMemory(device, buffer, memory, 64), VK_SUCCESS);
  vk.vkDestroyBuffer(device, buffer, nullptr);
  vk.vkFreeMemory(device, memory, nullptr);
}

TEST_F(MemoryTest, BindingBeyondTheMemoryIsRefused) {
  MISUSE_FROM_HERE();
  VkBufferCreateInfo buffer_info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 4096};
  VkBuffer buffer = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateBuffer(device, &buffer_info, nullptr, &buffer), VK_SUCCESS);
  VkMemoryAllocateInfo memory_info = allocationOf(4096);
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkAllocateMemory(device, &memory_info, nullptr, &memory), VK_SUCCESS);
  EXPECT_LT(vk.vkBindBufferMemory(device, buffer, memory, 64), 0);
  VkBindBufferMemoryInfo bind{
      .sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO, .buffer = buffer, .memory = memory};
  // VK_KHR_maintenance6: each of several knows how it went for it.
  VkResult results[2] = {VK_NOT_READY, VK_NOT_READY};
  VkBindMemoryStatus status[2];
  VkBindBufferMemoryInfo binds[2] = {bind, bind};
  binds[0].memoryOffset = 64;
  for (int i = 0; i < 2; ++i) {
    status[i] = {.sType = VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS, .pResult = &results[i]};
    binds[i].pNext = &status[i];
  }
  EXPECT_LT(vk.vkBindBufferMemory2(device, 2, binds), 0);
  EXPECT_LT(results[0], 0);
  EXPECT_EQ(results[1], VK_SUCCESS);
  vk.vkDestroyBuffer(device, buffer, nullptr);
  vk.vkFreeMemory(device, memory, nullptr);
}

// VkPhysicalDeviceMemoryBudgetPropertiesEXT: usage is what the process uses, whichever the
// instance.
TEST_F(MemoryTest, UsageIsOfAllInstances) {
  VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                .apiVersion = VK_API_VERSION_1_3};
  VkInstanceCreateInfo instance_info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                     .pApplicationInfo = &application};
  Functions other;
  other.loadGlobal();
  VkInstance second = VK_NULL_HANDLE;
  ASSERT_EQ(other.vkCreateInstance(&instance_info, nullptr, &second), VK_SUCCESS);
  other.loadInstance(second);
  VkPhysicalDevice same = VK_NULL_HANDLE;
  uint32_t one = 1;
  ASSERT_GE(other.vkEnumeratePhysicalDevices(second, &one, &same), VK_SUCCESS);
  auto usage = [](const Functions& functions, VkPhysicalDevice handle) {
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 memory{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
    functions.vkGetPhysicalDeviceMemoryProperties2(handle, &memory);
    return budget.heapUsage[0];
  };
  const VkDeviceSize before = usage(other, same);
  EXPECT_EQ(usage(vk, physical_device), before);
  VkMemoryAllocateInfo info = allocationOf(3 << 20);
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkAllocateMemory(device, &info, nullptr, &memory), VK_SUCCESS);
  EXPECT_EQ(usage(other, same), before + (3 << 20));
  vk.vkFreeMemory(device, memory, nullptr);
  EXPECT_EQ(usage(other, same), before);
  other.vkDestroyInstance(second, nullptr);
}

uint64_t residentBytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * 4096;
}

// All that the driver has for them, zeros included.
TEST_F(MemoryTest, SmallAllocationsCostAtMost256Bytes) {
  SKIP_UNDER_VALIDATION("the layer's own costs come on top");
  if (TESSERA_ADDRESS_SANITIZER) GTEST_SKIP() << "the address sanitizer's own costs come on top";
  VkPhysicalDeviceProperties properties;
  vk.vkGetPhysicalDeviceProperties(physical_device, &properties);
  constexpr size_t kCount = 20'000;
  ASSERT_LE(kCount, properties.limits.maxMemoryAllocationCount);
  for (const VkDeviceSize bytes : {4, 64, 1000, 4000, 4095}) {
    const VkMemoryAllocateInfo info = allocationOf(bytes);
    std::vector<VkDeviceMemory> memories(kCount);
    const uint64_t before = residentBytes();
    for (VkDeviceMemory& memory : memories)
      ASSERT_EQ(vk.vkAllocateMemory(device, &info, nullptr, &memory), VK_SUCCESS);
    const uint64_t after = residentBytes();
    EXPECT_LE((after - std::min(before, after)) / kCount, bytes + 256) << bytes;
    for (VkDeviceMemory memory : memories) {
      void* mapped = nullptr;
      ASSERT_EQ(vk.vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &mapped), VK_SUCCESS);
      ASSERT_EQ(reinterpret_cast<uintptr_t>(mapped) % properties.limits.minMemoryMapAlignment, 0u);
      const std::span<const char> contents(static_cast<const char*>(mapped), bytes);
      ASSERT_TRUE(std::ranges::all_of(contents, [](char c) { return c == 0; }));
      std::memset(mapped, 0xff, bytes);
      vk.vkFreeMemory(device, memory, nullptr);
    }
  }
}

TEST_F(MemoryTest, FreedMemoryCanBeHadAgain) {
  VkPhysicalDeviceMemoryProperties properties;
  vk.vkGetPhysicalDeviceMemoryProperties(physical_device, &properties);
  VkMemoryAllocateInfo info = allocationOf(properties.memoryHeaps[0].size / 4);
  for (int i = 0; i < 8; ++i) {
    VkDeviceMemory memory = VK_NULL_HANDLE;
    ASSERT_EQ(vk.vkAllocateMemory(device, &info, nullptr, &memory), VK_SUCCESS);
    vk.vkFreeMemory(device, memory, nullptr);
  }
}

}  // namespace
}  // namespace api_test
