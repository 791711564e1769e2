// SPDX-License-Identifier: Apache-2.0

// Each row of icd/features.def: what it has is answered, no more than the structure is written, and
// what it lacks is refused by its name.
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

struct Member {
  std::string name;
  bool is_there;
};

struct Row {
  std::string structure;
  VkStructureType type;
  size_t bytes;
  std::vector<Member> members;
};

const Row kRows[] = {
#define HAS(member) {#member, true},
#define LACKS(member) {#member, false},
#define CORE(...)                                \
  {"VkPhysicalDeviceFeatures2",                  \
   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, \
   sizeof(VkPhysicalDeviceFeatures2),            \
   {__VA_ARGS__}},
#define FEATURES(name, TYPE, ...)            \
  {"VkPhysicalDevice" #name,                 \
   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE, \
   sizeof(VkPhysicalDevice##name),           \
   {__VA_ARGS__}},
#define VERSION(name, TYPE, groups) FEATURES(name, TYPE, groups)
#define TAKEN_OVER(name, TYPE, members) members
#define NEW(members) members
#include "icd/features.def"

#define HAS(member) {#member, true},
#define LACKS(member) {#member, false},
#define CORE(...)
#define FEATURES(...)
#define VERSION(name, TYPE, groups) groups
#define TAKEN_OVER(name, TYPE, members)      \
  {"VkPhysicalDevice" #name,                 \
   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE, \
   sizeof(VkPhysicalDevice##name),           \
   {members}},
#define NEW(members)
#include "icd/features.def"
};

// The structure of a row with all flags off, and memory behind it.
class Structure {
 public:
  explicit Structure(const Row& row) : words_((row.bytes + kBehind) / sizeof(VkBool32), VK_FALSE) {
    auto* base = reinterpret_cast<VkBaseOutStructure*>(words_.data());
    base->sType = row.type;
    base->pNext = nullptr;
  }

  void* get() { return words_.data(); }
  VkBool32& flag(size_t place) {
    return words_[sizeof(VkBaseOutStructure) / sizeof(VkBool32) + place];
  }
  void fill(VkBool32 value) {
    for (size_t i = 0; i < flags(); ++i) flag(i) = value;
  }
  // Of the members and of what lies behind them.
  size_t flags() const { return words_.size() - sizeof(VkBaseOutStructure) / sizeof(VkBool32); }

 private:
  static constexpr size_t kBehind = 32;
  std::vector<VkBool32> words_;
};

class FeatureTableTest : public InstanceTest {
 protected:
  VkResult create(const void* features, const VkPhysicalDeviceFeatures* core = nullptr) {
    return tryDevice(vk, physical_device, features, core);
  }
};

TEST_F(FeatureTableTest, EachIsAnswered) {
  constexpr VkBool32 kUntouched = 77;
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.structure);
    Structure structure(row);
    structure.fill(kUntouched);
    VkPhysicalDeviceFeatures2 features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                       .pNext = structure.get()};
    const bool is_core = row.type == features.sType;
    vk.vkGetPhysicalDeviceFeatures2(
        physical_device,
        is_core ? static_cast<VkPhysicalDeviceFeatures2*>(structure.get()) : &features);
    for (size_t i = 0; i < structure.flags(); ++i) {
      if (i < row.members.size()) {
        EXPECT_EQ(structure.flag(i), VkBool32{row.members[i].is_there}) << row.members[i].name;
      } else {
        EXPECT_EQ(structure.flag(i), kUntouched) << "behind the members";
      }
    }
  }
}

TEST_F(FeatureTableTest, WhatIsThereCanBeEnabled) {
  MISUSE_FROM_HERE();  // the extensions of the structures are not enabled
  for (const Row& row : kRows) {
    Structure structure(row);
    for (size_t i = 0; i < row.members.size(); ++i) structure.flag(i) = row.members[i].is_there;
    EXPECT_EQ(create(structure.get()), VK_SUCCESS) << row.structure;
  }
}

TEST_F(FeatureTableTest, WhatIsNotThereIsRefusedByName) {
  MISUSE_FROM_HERE();
  for (const Row& row : kRows) {
    for (size_t i = 0; i < row.members.size(); ++i) {
      if (row.members[i].is_there) continue;
      SCOPED_TRACE(row.structure + " " + row.members[i].name);
      const std::string message = "the feature " + row.members[i].name + " is not supported";
      Structure structure(row);
      structure.flag(i) = VK_TRUE;
      EXPECT_EQ(create(structure.get()), VK_ERROR_FEATURE_NOT_PRESENT);
      EXPECT_TRUE(wasTold(message));
      if (row.type != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) continue;
      const auto* core = static_cast<VkPhysicalDeviceFeatures2*>(structure.get());
      EXPECT_EQ(create(nullptr, &core->features), VK_ERROR_FEATURE_NOT_PRESENT);
      EXPECT_TRUE(wasTold(message));
    }
  }
}

}  // namespace
}  // namespace api_test
