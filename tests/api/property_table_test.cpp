// SPDX-License-Identifier: Apache-2.0

// Each row of icd/properties.def: the structure is written as far as it is an answer, and no memory
// behind it.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

struct Row {
  std::string structure;
  VkStructureType type;
  size_t bytes, answered;  // of the structure, and up to where there is an answer
};

const Row kRows[] = {
#define PROPERTIES(member, name, TYPE, ...)                            \
  {"VkPhysicalDevice" #name, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE, \
   sizeof(VkPhysicalDevice##name), sizeof(VkPhysicalDevice##name)},
#define COMPUTED(member, name, TYPE, call) PROPERTIES(member, name, TYPE, )
#define TAKEN_OVER(name, TYPE, member, first, last)                    \
  {"VkPhysicalDevice" #name, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE, \
   sizeof(VkPhysicalDevice##name),                                     \
   offsetof(VkPhysicalDevice##name, last) + sizeof(VkPhysicalDevice##name::last)},
#include "icd/properties.def"
};

// The list of layered APIs goes to the client's array.
size_t answeredBytes(const Row& row) {
  using List = VkPhysicalDeviceLayeredApiPropertiesListKHR;
  if (row.type != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LAYERED_API_PROPERTIES_LIST_KHR)
    return row.answered;
  return offsetof(List, layeredApiCount) + sizeof(List::layeredApiCount);
}

class PropertyTableTest : public InstanceTest {
 protected:
  // The structure after a query, and memory behind it; before, all bytes were `byte`, but those of
  // the structure that are no answer.
  std::vector<unsigned char> ask(const Row& row, unsigned char byte) {
    std::vector<unsigned char> bytes(row.bytes + 64, byte);
    const size_t answered = answeredBytes(row);
    std::memset(&bytes[answered], 0, row.bytes - answered);
    auto* structure = reinterpret_cast<VkBaseOutStructure*>(bytes.data());
    structure->sType = row.type;
    structure->pNext = nullptr;
    VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                           .pNext = structure};
    const bool is_core = row.type == properties.sType;
    vk.vkGetPhysicalDeviceProperties2(
        physical_device,
        is_core ? reinterpret_cast<VkPhysicalDeviceProperties2*>(structure) : &properties);
    return bytes;
  }
};

TEST_F(PropertyTableTest, EachIsAnswered) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.structure);
    const auto zeros = ask(row, 0), ones = ask(row, 0xff);
    constexpr size_t kFirst = sizeof(VkBaseOutStructure);
    const size_t answered = answeredBytes(row);
    EXPECT_TRUE(
        std::equal(zeros.begin() + kFirst, zeros.begin() + answered, ones.begin() + kFirst));
    auto isUntouched = [](unsigned char byte) { return byte == 0xff; };
    EXPECT_TRUE(std::all_of(ones.begin() + row.bytes, ones.end(), isUntouched));
  }
}

}  // namespace
}  // namespace api_test
