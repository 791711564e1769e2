// SPDX-License-Identifier: Apache-2.0

// What the check of memory does to accesses that it finds, and which memory device addresses lead
// to, however that comes and goes.
#include <gmock/gmock.h>
#include <sys/mman.h>

#include <algorithm>

#include "runtime/pages.h"
#include "tests/api/check_fixture.h"

namespace api_test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::StartsWith;

// Pages of the process's own memory, of which the second is imported, and two buffers in that.
class SharedMemoryTest : public CheckTest {
 protected:
  static constexpr uint32_t kPageWords = rt::kPageBytes / 4, kBufferWords = 64;

  SharedMemoryTest() { device_extensions = {VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME}; }

  void makeBuffers() {
    void* pages = mmap(nullptr, 3 * rt::kPageBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(pages, MAP_FAILED);
    words = {static_cast<uint32_t*>(pages), 3 * kPageWords};
    atEnd([pages] { munmap(pages, 3 * rt::kPageBytes); });
    std::ranges::fill(words, 5);
    const VkImportMemoryHostPointerInfoEXT import{
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
        .pHostPointer = &words[kPageWords]};
    const VkMemoryAllocateInfo allocate{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                        .pNext = &import,
                                        .allocationSize = rt::kPageBytes};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    ASSERT_EQ(vk.vkAllocateMemory(device, &allocate, nullptr, &memory), VK_SUCCESS);
    atEnd([=, this] { vk.vkFreeMemory(device, memory, nullptr); });
    for (uint32_t i = 0; i < 2; ++i) {
      const VkExternalMemoryBufferCreateInfo external{
          .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
          .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT};
      const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                    .pNext = &external,
                                    .size = 4 * kBufferWords,
                                    .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
      ASSERT_EQ(vk.vkCreateBuffer(device, &info, nullptr, &buffers[i]), VK_SUCCESS);
      atEnd([=, this] { vk.vkDestroyBuffer(device, buffers[i], nullptr); });
      ASSERT_EQ(vk.vkBindBufferMemory(device, buffers[i], memory, 4 * kBufferWords * i),
                VK_SUCCESS);
    }
  }
  // Eight words from the first buffer's word `first` on become 7, as far as they do.
  void store(uint32_t first) {
    const VkPipeline pipeline = pipelineOf(infoOf(kStoringShader));
    EXPECT_EQ(dispatch(pipeline, setOf(buffers[0]), first), VK_SUCCESS);
  }
  // Of the imported page.
  std::vector<uint32_t> sevens() const {
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < kPageWords; ++i)
      if (words[kPageWords + i] == 7) found.push_back(i);
    return found;
  }
  void expectOtherPagesUntouched() const {
    EXPECT_THAT(words.first(kPageWords), Each(5u));
    EXPECT_THAT(words.last(kPageWords), Each(5u));
  }

  VkBuffer buffers[2] = {};
  std::span<uint32_t> words;
};

TEST_F(SharedMemoryTest, StoresAreDropped) {
  ASSERT_NO_FATAL_FAILURE(makeBuffers());
  store(kBufferWords - 2);
  finding();
  EXPECT_EQ(sevens(), (std::vector<uint32_t>{62, 63}));
  store(3 * kPageWords);
  expectOtherPagesUntouched();
}

TEST_F(SharedMemoryTest, ReportLetsThemStayInTheAllocation) {
  useCheck("memory", "report");
  restart();
  ASSERT_NO_FATAL_FAILURE(makeBuffers());
  store(kBufferWords - 2);
  EXPECT_THAT(finding().text, HasSubstr("begins at byte 256 of 256"));
  EXPECT_EQ(sevens(), (std::vector<uint32_t>{62, 63, 64, 65, 66, 67, 68, 69}));
  expectOtherPagesUntouched();
}

TEST_F(SharedMemoryTest, ReportLetsNoneLeaveTheAllocation) {
  useCheck("memory", "report");
  restart();
  ASSERT_NO_FATAL_FAILURE(makeBuffers());
  store(kPageWords - 2);
  finding();
  EXPECT_EQ(sevens(), (std::vector<uint32_t>{kPageWords - 2, kPageWords - 1}));
  store(kPageWords);
  store(3 * kPageWords);
  store(~0u - 6);  // before the first buffer, as a number of 32 bits that wraps around or not
  expectOtherPagesUntouched();
}

constexpr const char* kAddressShader = R"(#version 450
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint words[]; };
layout(push_constant) uniform Push { Words at; };
layout(set = 0, binding = 0) buffer Results { uint loaded; };
void main() {
  loaded = at.words[0];
  at.words[1] = 9;
})";

class CheckedAddressTest : public CheckTest {
 protected:
  struct Owned {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VkDeviceAddress address = 0;
    uint32_t* words = nullptr;
  };

  // Of which nobody takes care. Both words are 5.
  Owned makeOwned() {
    Owned made;
    const VkBufferCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = 1 << 20,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
    EXPECT_EQ(vk.vkCreateBuffer(device, &info, nullptr, &made.buffer), VK_SUCCESS);
    const VkMemoryAllocateFlagsInfo flags{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                          .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo allocate{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                        .pNext = &flags,
                                        .allocationSize = 1 << 20};
    EXPECT_EQ(vk.vkAllocateMemory(device, &allocate, nullptr, &made.memory), VK_SUCCESS);
    EXPECT_EQ(vk.vkBindBufferMemory(device, made.buffer, made.memory, 0), VK_SUCCESS);
    void* data = nullptr;
    EXPECT_EQ(vk.vkMapMemory(device, made.memory, 0, VK_WHOLE_SIZE, 0, &data), VK_SUCCESS);
    made.words = static_cast<uint32_t*>(data);
    made.words[0] = made.words[1] = 5;
    made.address = addressOf(made.buffer);
    name(made.buffer, "weights");
    return made;
  }

  // What is loaded at the address.
  uint32_t access(VkDeviceAddress address) {
    const VkPipeline pipeline = pipelineOf(infoOf(kAddressShader));
    const WordBuffer results = makeBuffer(1);
    results.words[0] = 1;
    EXPECT_EQ(dispatch(pipeline, setOf(results.buffer), address), VK_SUCCESS);
    return results.words[0];
  }

  // A load and a store, of a place that is described so.
  void expectFindings(const char* what) {
    const std::vector<Told> all = findings();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_THAT(all[0].text, AllOf(StartsWith("memory: address: a load of 4 bytes at device addr"),
                                   HasSubstr(what), HasSubstr(":7")));
    EXPECT_THAT(all[1].text, AllOf(StartsWith("memory: address: a store of 4 bytes at device addr"),
                                   HasSubstr(what), HasSubstr(":8")));
    for (const Told& told : all)
      EXPECT_EQ(told.id, "VUID-RuntimeSpirv-PhysicalStorageBuffer64-11819");
  }
};

TEST_F(CheckedAddressTest, OfABufferIsRight) {
  const Owned owned = makeOwned();
  EXPECT_EQ(access(owned.address), 5u);
  EXPECT_EQ(owned.words[1], 9u);
  EXPECT_TRUE(findings().empty());
  vk.vkDestroyBuffer(device, owned.buffer, nullptr);
  vk.vkFreeMemory(device, owned.memory, nullptr);
}

TEST_F(CheckedAddressTest, OfADestroyedBufferIsFound) {
  const Owned owned = makeOwned();
  vk.vkDestroyBuffer(device, owned.buffer, nullptr);
  EXPECT_EQ(access(owned.address), 0u);
  expectFindings("into buffer 'weights', which has been destroyed");
  EXPECT_EQ(owned.words[1], 5u);
  vk.vkFreeMemory(device, owned.memory, nullptr);
}

TEST_F(CheckedAddressTest, OfADestroyedBufferIsCarriedOutByReport) {
  useCheck("memory", "report");
  restart();
  const Owned owned = makeOwned();
  vk.vkDestroyBuffer(device, owned.buffer, nullptr);
  EXPECT_EQ(access(owned.address), 5u);
  expectFindings("into buffer 'weights', which has been destroyed");
  EXPECT_EQ(owned.words[1], 9u);
  vk.vkFreeMemory(device, owned.memory, nullptr);
}

// The pages are not there any more: whatever is carried out ends the process.
TEST_F(CheckedAddressTest, OfFreedMemoryIsFound) {
  for (const char* action : {"skip", "report"}) {
    useCheck("memory", action);
    restart();
    const Owned owned = makeOwned();
    vk.vkFreeMemory(device, owned.memory, nullptr);
    EXPECT_EQ(access(owned.address), 0u) << action;
    expectFindings("into buffer 'weights', which has been destroyed or has lost its memory");
    vk.vkDestroyBuffer(device, owned.buffer, nullptr);
  }
}

TEST_F(CheckedAddressTest, OfNothingIsFound) {
  for (const char* action : {"skip", "report"}) {
    useCheck("memory", action);
    restart();
    EXPECT_EQ(access(0), 0u) << action;
    expectFindings("a null address, or one counted from it");
    restart();
    EXPECT_EQ(access(~VkDeviceAddress{0} - 15), 0u) << action;
    expectFindings("no buffer is near it");
  }
}

TEST_F(CheckedAddressTest, AreReusedByBuffersThatComeLater) {
  const Owned owned = makeOwned();
  vk.vkDestroyBuffer(device, owned.buffer, nullptr);
  const VkBufferCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = 1 << 20,
      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
  VkBuffer again = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateBuffer(device, &info, nullptr, &again), VK_SUCCESS);
  ASSERT_EQ(vk.vkBindBufferMemory(device, again, owned.memory, 0), VK_SUCCESS);
  EXPECT_EQ(addressOf(again), owned.address);
  EXPECT_EQ(access(owned.address), 5u);
  EXPECT_TRUE(findings().empty());
  vk.vkDestroyBuffer(device, again, nullptr);
  vk.vkFreeMemory(device, owned.memory, nullptr);
}

}  // namespace
}  // namespace api_test
