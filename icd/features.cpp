// SPDX-License-Identifier: Apache-2.0

#include "icd/features.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "icd/chain.h"

namespace icd {
namespace {

// Of VkPhysicalDeviceFeatures, which has flags alone, or of a structure with sType and pNext.
template <class Structure>
constexpr bool kIsChained = requires(Structure structure) { structure.pNext; };

// Whether these are all members, in their order: then they are the structure's flags one after the
// other. Padding behind them is no flag.
template <class Structure>
consteval bool areAllMembers(std::span<const Feature> features) {
  size_t offset = kIsChained<Structure> ? kPayloadOffset : 0;
  for (const Feature& feature : features) {
    if (feature.offset != offset) return false;
    offset += sizeof(VkBool32);
  }
  return features.size() == memberCount<Structure>() - (kIsChained<Structure> ? 2 : 0);
}

template <class Structure, auto kMake>
struct Members {
  static constexpr auto kFeatures = kMake();
  static_assert(areAllMembers<Structure>(kFeatures), "a row lacks members, or has another order");
};

constexpr FeatureStructure kStructures[] = {
#define STRUCTURE(Structure, type, kind, ...)                              \
  {type, #Structure, FeatureStructure::Kind::kind, Members<Structure, [] { \
     using Of = Structure;                                                 \
     return std::to_array<Feature>({__VA_ARGS__});                         \
   }>::kFeatures},
#define STRUCTURE_OF_NAME(name, TYPE, kind, ...) \
  STRUCTURE(VkPhysicalDevice##name, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE, kind, __VA_ARGS__)
#define HAS(member) {#member, offsetof(Of, member), true},
#define LACKS(member) {#member, offsetof(Of, member), false},

#define CORE(members)                                                                        \
  STRUCTURE(VkPhysicalDeviceFeatures, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, Version, \
            members)
#define VERSION(name, TYPE, groups) STRUCTURE_OF_NAME(name, TYPE, Version, groups)
#define TAKEN_OVER(name, TYPE, members) members
#define NEW(members) members
#define FEATURES(name, TYPE, members) STRUCTURE_OF_NAME(name, TYPE, Other, members)
#include "icd/features.def"

// What versions have taken over, as structures.
#define HAS(member) {#member, offsetof(Of, member), true},
#define LACKS(member) {#member, offsetof(Of, member), false},
#define CORE(members)
#define VERSION(name, TYPE, groups) groups
#define TAKEN_OVER(name, TYPE, members) STRUCTURE_OF_NAME(name, TYPE, TakenOver, members)
#define NEW(members)
#define FEATURES(name, TYPE, members)
#include "icd/features.def"
#undef STRUCTURE_OF_NAME
#undef STRUCTURE
};

static_assert(isEachOnce(kStructures, &FeatureStructure::type),
              "two rows of features.def have one type");

void fillFlags(const FeatureStructure& structure, VkBool32* flags) {
  for (const Feature& feature : structure.features) *flags++ = feature.is_supported;
}

const Feature* findMissing(const FeatureStructure& structure, const VkBool32* requested) {
  for (const Feature& feature : structure.features) {
    if (*requested++ != VK_FALSE && !feature.is_supported) return &feature;
  }
  return nullptr;
}

}  // namespace

std::span<const FeatureStructure> featureStructures() { return kStructures; }

void DeviceFeatures::restrict(
    const std::function<bool(const FeatureStructure&, const Feature&)>& keeps) {
  std::vector<std::vector<Feature>> flags;
  std::vector<FeatureStructure> restricted;
  for (const FeatureStructure& structure : structures()) {
    std::vector<Feature>& own =
        flags.emplace_back(structure.features.begin(), structure.features.end());
    for (Feature& feature : own) feature.is_supported &= keeps(structure, feature);
    restricted.push_back(structure);
    restricted.back().features = own;  // which stays where it is when its vector moves
  }
  flags_ = std::move(flags);
  structures_ = std::move(restricted);
}

const FeatureStructure* DeviceFeatures::find(VkStructureType type) const {
  auto found = std::ranges::find(structures(), type, &FeatureStructure::type);
  return found == structures().end() ? nullptr : &*found;
}

VkPhysicalDeviceFeatures DeviceFeatures::core() const {
  VkPhysicalDeviceFeatures features;
  fillFlags(structures()[0], reinterpret_cast<VkBool32*>(&features));
  return features;
}

void DeviceFeatures::fill(void* chain) const {
  for (auto* link = static_cast<VkBaseOutStructure*>(chain); link != nullptr; link = link->pNext) {
    const FeatureStructure* structure = find(link->sType);
    if (structure == nullptr) continue;
    auto* flags = reinterpret_cast<std::byte*>(link) + kPayloadOffset;
    fillFlags(*structure, reinterpret_cast<VkBool32*>(flags));
  }
}

const Feature* DeviceFeatures::findUnsupported(const VkDeviceCreateInfo& info) const {
  if (info.pEnabledFeatures != nullptr) {
    auto* flags = reinterpret_cast<const VkBool32*>(info.pEnabledFeatures);
    if (const Feature* missing = findMissing(structures()[0], flags)) return missing;
  }
  for (auto* link = static_cast<const VkBaseInStructure*>(info.pNext); link != nullptr;
       link = link->pNext) {
    const FeatureStructure* structure = find(link->sType);
    if (structure == nullptr) continue;
    auto* flags = reinterpret_cast<const std::byte*>(link) + kPayloadOffset;
    auto* missing = findMissing(*structure, reinterpret_cast<const VkBool32*>(flags));
    if (missing != nullptr) return missing;
  }
  return nullptr;
}

}  // namespace icd
