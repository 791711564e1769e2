// SPDX-License-Identifier: Apache-2.0

// VK_KHR_external_memory_fd and VK_EXT_external_memory_host.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

constexpr VkDeviceSize kBytes = 100'096;  // what a buffer of this size needs, and no huge page
constexpr auto kFile = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

class ExternalMemoryTest : public DeviceTest {
 protected:
  ExternalMemoryTest() {
    device_extensions = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
                         VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME};
  }

  VkResult allocate(const void* chain, VkDeviceSize bytes, VkDeviceMemory* memory) {
    VkMemoryAllocateInfo info{
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = chain, .allocationSize = bytes};
    return vk.vkAllocateMemory(device, &info, nullptr, memory);
  }

  VkDeviceMemory allocateShared(VkDeviceSize bytes = kBytes) {
    VkExportMemoryAllocateInfo shared{.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                      .handleTypes = kFile};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    EXPECT_EQ(allocate(&shared, bytes, &memory), VK_SUCCESS);
    return memory;
  }

  int exportFile(VkDeviceMemory memory) {
    VkMemoryGetFdInfoKHR info{
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, .memory = memory, .handleType = kFile};
    int file = -1;
    EXPECT_EQ(vk.vkGetMemoryFdKHR(device, &info, &file), VK_SUCCESS);
    return file;
  }

  VkResult importFile(int file, VkDeviceMemory* memory, VkDeviceSize bytes = kBytes,
                      VkExternalMemoryHandleTypeFlagBits type = kFile) {
    VkExportMemoryAllocateInfo shared{.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                      .handleTypes = kFile};
    VkImportMemoryFdInfoKHR info{.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                 .pNext = &shared,
                                 .handleType = type,
                                 .fd = file};
    return allocate(&info, bytes, memory);
  }

  VkResult importHost(void* pointer, VkDeviceSize bytes, VkDeviceMemory* memory,
                      VkExternalMemoryHandleTypeFlagBits type =
                          VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT) {
    VkImportMemoryHostPointerInfoEXT info{
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = type,
        .pHostPointer = pointer};
    return allocate(&info, bytes, memory);
  }

  uint32_t* map(VkDeviceMemory memory) {
    void* data = nullptr;
    EXPECT_EQ(vk.vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &data), VK_SUCCESS);
    return static_cast<uint32_t*>(data);
  }

  VkExternalMemoryProperties propertiesOf(VkExternalMemoryHandleTypeFlagBits type) {
    VkPhysicalDeviceExternalBufferInfo info{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
        .handleType = type};
    VkExternalBufferProperties properties{.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
    vk.vkGetPhysicalDeviceExternalBufferProperties(physical_device, &info, &properties);
    return properties.externalMemoryProperties;
  }
};

TEST_F(ExternalMemoryTest, PropertiesSayWhatThereIs) {
  const VkExternalMemoryProperties file =
      propertiesOf(VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT);
  EXPECT_EQ(file.externalMemoryFeatures, VkFlags{VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT |
                                                 VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT});
  EXPECT_EQ(file.exportFromImportedHandleTypes,
            VkFlags{VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT});
  const VkExternalMemoryProperties host =
      propertiesOf(VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT);
  EXPECT_EQ(host.externalMemoryFeatures, VkFlags{VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT});
  EXPECT_EQ(host.exportFromImportedHandleTypes, 0u);
  EXPECT_EQ(propertiesOf(VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT).externalMemoryFeatures,
            0u);
}

// Small memory is a page of its own, large memory aligned to huge pages.
TEST_F(ExternalMemoryTest, AFileIsTheSameMemory) {
  for (VkDeviceSize bytes : {VkDeviceSize{256}, kBytes, VkDeviceSize{5} << 20}) {
    VkDeviceMemory memory = allocateShared(bytes), imported = VK_NULL_HANDLE;
    const int file = exportFile(memory);
    EXPECT_NE(fcntl(file, F_GETFD) & FD_CLOEXEC, 0);
    fill(memory, bytes, 17, kFile);
    ASSERT_EQ(importFile(file, &imported, bytes), VK_SUCCESS);
    uint32_t *first = map(memory), *second = map(imported);
    EXPECT_NE(first, second);
    EXPECT_EQ(second[bytes / 4 - 1], 17u);
    fill(imported, bytes, 18, kFile);
    EXPECT_EQ(first[bytes / 4 - 1], 18u);
    // Holds the memory by itself.
    vk.vkFreeMemory(device, memory, nullptr);
    EXPECT_EQ(second[0], 18u);
    vk.vkFreeMemory(device, imported, nullptr);
  }
}

TEST_F(ExternalMemoryTest, ImportedMemoryCanBeExportedAgain) {
  VkDeviceMemory memory = allocateShared(), imported = VK_NULL_HANDLE, again = VK_NULL_HANDLE;
  ASSERT_EQ(importFile(exportFile(memory), &imported), VK_SUCCESS);
  ASSERT_EQ(importFile(exportFile(imported), &again), VK_SUCCESS);
  map(memory)[5] = 55;
  EXPECT_EQ(map(again)[5], 55u);
  for (VkDeviceMemory each : {memory, imported, again}) vk.vkFreeMemory(device, each, nullptr);
}

// The other process is a child that has the file and nothing else of this one.
TEST_F(ExternalMemoryTest, AnotherProcessSeesTheMemory) {
  VkDeviceMemory memory = allocateShared();
  const int file = exportFile(memory);
  fill(memory, kBytes, 1, kFile);
  const pid_t child = fork();
  if (child == 0) {
    void* data = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    auto* words = static_cast<uint32_t*>(data);
    const bool right = data != MAP_FAILED && words[100] == 1;
    if (right) words[100] = 2;
    _exit(right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(map(memory)[100], 2u);
  close(file);
  vk.vkFreeMemory(device, memory, nullptr);
}

// Memory that is imported counts, but once.
TEST_F(ExternalMemoryTest, ImportedMemoryIsInUse) {
  auto usage = [&] {
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 properties{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
    vk.vkGetPhysicalDeviceMemoryProperties2(physical_device, &properties);
    return budget.heapUsage[0];
  };
  const VkDeviceSize before = usage();
  VkDeviceMemory memory = allocateShared(), imported = VK_NULL_HANDLE;
  ASSERT_EQ(importFile(exportFile(memory), &imported), VK_SUCCESS);
  EXPECT_EQ(usage(), before + 2 * kBytes);
  vk.vkFreeMemory(device, memory, nullptr);
  vk.vkFreeMemory(device, imported, nullptr);
  EXPECT_EQ(usage(), before);
}

// A file that is refused is still the application's.
TEST_F(ExternalMemoryTest, OtherFilesAreRefused) {
  MISUSE_FROM_HERE();
  VkDeviceMemory memory = allocateShared(), imported = VK_NULL_HANDLE;
  const int file = exportFile(memory);
  EXPECT_EQ(importFile(file, &imported, kBytes + 4096), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  EXPECT_EQ(importFile(file, &imported, UINT64_MAX), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  EXPECT_EQ(importFile(file, &imported, kBytes, VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT),
            VK_ERROR_INVALID_EXTERNAL_HANDLE);
  // Anybody could take pages away from this one.
  const int loose = memfd_create("loose", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(loose, 102'400), 0);
  EXPECT_EQ(importFile(loose, &imported), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  EXPECT_EQ(importFile(-1, &imported), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  EXPECT_NE(fcntl(file, F_GETFD), -1);
  close(file);
  close(loose);
  vk.vkFreeMemory(device, memory, nullptr);
}

TEST_F(ExternalMemoryTest, OnlyWhatWasMeantForItIsExported) {
  MISUSE_FROM_HERE();
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(allocate(nullptr, kBytes, &memory), VK_SUCCESS);
  VkMemoryGetFdInfoKHR info{
      .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, .memory = memory, .handleType = kFile};
  int file = -1;
  EXPECT_LT(vk.vkGetMemoryFdKHR(device, &info, &file), 0);
  vk.vkFreeMemory(device, memory, nullptr);
  VkExportMemoryAllocateInfo foreign{.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                     .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT};
  EXPECT_EQ(allocate(&foreign, kBytes, &memory), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  VkMemoryFdPropertiesKHR properties{.sType = VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR};
  EXPECT_EQ(vk.vkGetMemoryFdPropertiesKHR(device, VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT, 0,
                                          &properties),
            VK_ERROR_INVALID_EXTERNAL_HANDLE);
}

TEST_F(ExternalMemoryTest, HostMemoryIsUsedInPlace) {
  VkPhysicalDeviceExternalMemoryHostPropertiesEXT limits{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &limits};
  vk.vkGetPhysicalDeviceProperties2(physical_device, &properties);
  const size_t alignment = limits.minImportedHostPointerAlignment;
  ASSERT_GT(alignment, 0u);
  ASSERT_LE(alignment, 65536u);
  const size_t bytes = 3 * alignment;
  auto* words = static_cast<uint32_t*>(std::aligned_alloc(alignment, bytes));
  VkMemoryHostPointerPropertiesEXT types{.sType =
                                             VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
  ASSERT_EQ(vk.vkGetMemoryHostPointerPropertiesEXT(
                device, VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT, words, &types),
            VK_SUCCESS);
  EXPECT_EQ(types.memoryTypeBits, 1u);
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(importHost(words, bytes, &memory), VK_SUCCESS);
  EXPECT_EQ(map(memory), words);
  fill(memory, bytes, 9, VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT);
  EXPECT_EQ(words[bytes / 4 - 1], 9u);
  vk.vkFreeMemory(device, memory, nullptr);
  words[0] = 10;  // still the application's
  std::free(words);
}

TEST_F(ExternalMemoryTest, HostMemoryThatIsNotThereIsRefused) {
  MISUSE_FROM_HERE();
  VkDeviceMemory memory = VK_NULL_HANDLE;
  void* pages = mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* start = static_cast<char*>(pages);
  EXPECT_LT(importHost(start + 64, 4096, &memory), 0);
  EXPECT_LT(importHost(start, 100, &memory), 0);
  EXPECT_LT(importHost(start, 8192, &memory,
                       VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT),
            0);
  munmap(start + 4096, 4096);
  EXPECT_LT(importHost(start, 8192, &memory), 0);
  munmap(pages, 4096);
  VkMemoryHostPointerPropertiesEXT types{.sType =
                                             VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
  EXPECT_LT(
      vk.vkGetMemoryHostPointerPropertiesEXT(
          device, VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT, pages, &types),
      0);
}

}  // namespace
}  // namespace api_test
