// SPDX-License-Identifier: Apache-2.0

#include "icd/imitated_properties.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <span>
#include <string_view>
#include <utility>

#include "icd/limits.h"
#include "icd/structure_names.h"

namespace icd {
namespace {

struct NamedBit {
  std::string_view name;
  uint32_t bit;
};

#define NAMED(bit) {#bit, bit}
constexpr NamedBit kStageNames[] = {NAMED(VK_SHADER_STAGE_COMPUTE_BIT),
                                    {"VK_SHADER_STAGE_ALL", VK_SHADER_STAGE_COMPUTE_BIT}};
constexpr NamedBit kOperationNames[] = {NAMED(VK_SUBGROUP_FEATURE_BASIC_BIT),
                                        NAMED(VK_SUBGROUP_FEATURE_VOTE_BIT),
                                        NAMED(VK_SUBGROUP_FEATURE_ARITHMETIC_BIT),
                                        NAMED(VK_SUBGROUP_FEATURE_BALLOT_BIT),
                                        NAMED(VK_SUBGROUP_FEATURE_SHUFFLE_BIT),
                                        NAMED(VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT),
                                        NAMED(VK_SUBGROUP_FEATURE_CLUSTERED_BIT),
                                        NAMED(VK_SUBGROUP_FEATURE_QUAD_BIT),
                                        NAMED(VK_SUBGROUP_FEATURE_PARTITIONED_BIT_EXT),
                                        NAMED(VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV),
                                        NAMED(VK_SUBGROUP_FEATURE_ROTATE_BIT),
                                        NAMED(VK_SUBGROUP_FEATURE_ROTATE_BIT_KHR),
                                        NAMED(VK_SUBGROUP_FEATURE_ROTATE_CLUSTERED_BIT),
                                        NAMED(VK_SUBGROUP_FEATURE_ROTATE_CLUSTERED_BIT_KHR)};
constexpr NamedBit kIndependenceNames[] = {
    NAMED(VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY),
    NAMED(VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL),
    NAMED(VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE),
    NAMED(VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY_KHR),
    NAMED(VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL_KHR),
    NAMED(VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE_KHR)};
#undef NAMED

// Structures of extensions, which share no names of members with versions. What is not among them
// is a version's, or was before the version.
#define TEXT(name) #name
constexpr std::string_view kOtherStructures[] = {
#define PROPERTIES(member, name, TYPE, ...) TEXT(VkPhysicalDevice##name),
#define COMPUTED(member, name, TYPE, call)
#define TAKEN_OVER(name, TYPE, member, first, last)
#include "icd/properties.def"
};

constexpr const char* kVersions = "";

#define PROPERTIES(member, name, TYPE, ...)                               \
  constexpr std::string_view structureOf(const VkPhysicalDevice##name&) { \
    return TEXT(VkPhysicalDevice##name);                                  \
  }
#define COMPUTED(member, name, TYPE, call)
#define TAKEN_OVER(name, TYPE, member, first, last)
#include "icd/properties.def"
#undef TEXT
template <typename Structure>
constexpr std::string_view structureOf(const Structure&) {
  return kVersions;
}

// Of a profile's structure one of the above; any for a version's that took more of them over than
// this driver knows as one.
bool isOf(std::string_view structure, std::string_view own) {
  if (structure == "VkPhysicalDeviceVulkan14Properties") return true;
  const auto found = findStructureNamed(kOtherStructures, structure, std::identity());
  return own == (found == std::end(kOtherStructures) ? kVersions : *found);
}

// Ours stay, or say how fast something is and not what there is.
bool staysOurs(std::string_view member) {
  constexpr std::string_view kIdentity[] = {"apiVersion",
                                            "driverVersion",
                                            "vendorID",
                                            "deviceID",
                                            "deviceType",
                                            "deviceName",
                                            "pipelineCacheUUID",
                                            "deviceUUID",
                                            "driverUUID",
                                            "deviceLUID",
                                            "driverID",
                                            "driverName",
                                            "driverInfo",
                                            "major",
                                            "minor",
                                            "subminor",
                                            "patch",
                                            "deviceNodeMask",
                                            "deviceLUIDValid",
                                            "shaderBinaryUUID",
                                            "shaderBinaryVersion"};
  const std::string_view name = member.substr(0, member.find('['));
  return std::ranges::find(kIdentity, name) != std::end(kIdentity) ||
         name.starts_with("integerDotProduct");
}

using Value = decltype(ProfileProperty::value);

class Imitator {
 public:
  explicit Imitator(std::span<const ProfileProperty> wanted)
      : wanted_(wanted), is_matched_(wanted.size()) {}

  template <std::unsigned_integral Limit, typename Structure>
  void most(const Structure& structure, const char* name, Limit& limit) {
    mostOf(structureOf(structure), name, limit);
  }
  template <typename Structure>
  void mostEach(const Structure& structure, const char* name, uint32_t (&limits)[3]) {
    constexpr const char* kIndices[] = {"[0]", "[1]", "[2]"};
    for (int i = 0; i < 3; ++i)
      mostOf(structureOf(structure), std::string(name) + kIndices[i], limits[i]);
  }

  template <typename Structure>
  void alignment(const Structure& structure, const char* name, VkDeviceSize& limit) {
    const std::optional<uint64_t> wish = number(structureOf(structure), name, false);
    if (!wish) return;
    if (!std::has_single_bit(*wish)) return refuse(name, *wish, "a power of two");
    if (*wish < limit) lack(name, *wish, limit);
    limit = std::max(limit, *wish);
  }

  template <typename Structure>
  void flag(const Structure& structure, const char* name, VkBool32& flag) {
    bool is_on = false;
    const std::vector<const Value*> values = valuesOf(structureOf(structure), name);
    if (values.empty()) return;
    for (const Value* value : values) {
      const bool* on = std::get_if<bool>(value);
      if (on == nullptr) return refuse(name, "true or false");
      is_on |= *on;
    }
    if (is_on && flag == VK_FALSE) lacks_.push_back(name);
    flag = flag != VK_FALSE && is_on;
  }

  template <typename Structure>
  void bits(const Structure& structure, const char* name, uint32_t& bits,
            std::span<const NamedBit> names) {
    uint32_t wish = 0;
    std::string missing;
    const std::vector<const Value*> values = valuesOf(structureOf(structure), name);
    if (values.empty()) return;
    for (const Value* value : values) {
      if (const auto* number = std::get_if<uint64_t>(value)) {
        wish |= static_cast<uint32_t>(*number);
        if ((wish & ~bits) != 0) missing = " some bits";
      } else if (const auto* texts = std::get_if<std::vector<std::string>>(value)) {
        for (const std::string& text : *texts) {
          const auto found = std::ranges::find(names, text, &NamedBit::name);
          if (found != names.end())
            wish |= found->bit;
          else
            missing += " " + text;
        }
      } else {
        return refuse(name, "an array of the names of bits");
      }
    }
    if (!missing.empty()) lacks_.push_back(std::string(name) + missing);
    bits &= wish;
  }

  template <typename Structure, typename Enum>
  void choice(const Structure& structure, const char* name, Enum& choice,
              std::span<const NamedBit> names) {
    for (const Value* value : valuesOf(structureOf(structure), name)) {
      const auto* texts = std::get_if<std::vector<std::string>>(value);
      const auto found = texts != nullptr && texts->size() == 1
                             ? std::ranges::find(names, texts->front(), &NamedBit::name)
                             : names.end();
      if (found == names.end())
        return refuse(name, "a name such as " + std::string(names.front().name));
      choice = static_cast<Enum>(found->bit);
    }
  }

  template <typename Structure>
  void raised(const Structure& structure, const char* name, uint32_t& amount) {
    const std::optional<uint64_t> wish = number(structureOf(structure), name, false);
    if (!wish) return;
    if (*wish > UINT16_MAX) return refuse(name, *wish, "at most 65535");
    amount = std::max(amount, static_cast<uint32_t>(*wish));
  }

  // Each size in between can be had.
  void subgroups(Properties& to, bool keeps_size) {
    uint32_t& size = to.v11.subgroupSize;
    uint32_t& least = to.v13.minSubgroupSize;
    uint32_t& greatest = to.v13.maxSubgroupSize;
    if (const auto wish = number(kVersions, "subgroupSize", false)) {
      const bool is_here = std::has_single_bit(*wish) && *wish >= least && *wish <= greatest;
      if (!is_here) lack("subgroupSize", *wish, size);
      if (is_here && !keeps_size) size = static_cast<uint32_t>(*wish);
    }
    if (const auto wish = number(kVersions, "minSubgroupSize", false)) {
      if (*wish < least) lack("minSubgroupSize", *wish, least);
      if (std::has_single_bit(*wish) && *wish >= least && *wish <= greatest)
        least = static_cast<uint32_t>(*wish);
    }
    mostOf(kVersions, "maxSubgroupSize", greatest);
    least = std::min(least, size);
    greatest = std::max(greatest, size);
    to.subgroup.subgroupSize = size;
    to.subgroup.supportedStages = to.v11.subgroupSupportedStages;
    to.subgroup.supportedOperations = to.v11.subgroupSupportedOperations;
    to.subgroup.quadOperationsInAllStages = to.v11.subgroupQuadOperationsInAllStages;
  }

  // The rest of what the profile has, if it promises anything.
  void listUnmatched() {
    for (size_t i = 0; i < wanted_.size(); ++i) {
      const ProfileProperty& property = wanted_[i];
      if (is_matched_[i] || staysOurs(property.member)) continue;
      const auto* flag = std::get_if<bool>(&property.value);
      const auto* number = std::get_if<uint64_t>(&property.value);
      if ((flag != nullptr && !*flag) || (number != nullptr && *number == 0)) continue;
      const std::string name = property.member.substr(0, property.member.find('['));
      if (std::ranges::find(lacks_, name) == lacks_.end()) lacks_.push_back(name);
    }
  }

  void finish(ImitatedProperties& result) && {
    result.lacks = std::move(lacks_);
    result.problem = std::move(problem_);
  }

 private:
  std::vector<const Value*> valuesOf(std::string_view structure, std::string_view name) {
    std::vector<const Value*> values;
    for (size_t i = 0; i < wanted_.size(); ++i) {
      std::string_view member = wanted_[i].member;
      // The other names in VkPhysicalDeviceSubgroupProperties.
      if (member == "supportedStages") member = "subgroupSupportedStages";
      if (member == "supportedOperations") member = "subgroupSupportedOperations";
      if (member == "quadOperationsInAllStages") member = "subgroupQuadOperationsInAllStages";
      if (member != name || !isOf(wanted_[i].structure, structure)) continue;
      is_matched_[i] = true;
      values.push_back(&wanted_[i].value);
    }
    return values;
  }

  // The largest, or the smallest.
  std::optional<uint64_t> number(std::string_view structure, const std::string& name,
                                 bool is_largest) {
    std::optional<uint64_t> best;
    for (const Value* value : valuesOf(structure, name)) {
      const auto* number = std::get_if<uint64_t>(value);
      if (number == nullptr) {
        refuse(name, "a whole number from 0");
        return std::nullopt;
      }
      if (!best || (is_largest ? *number > *best : *number < *best)) best = *number;
    }
    return best;
  }

  template <std::unsigned_integral Limit>
  void mostOf(std::string_view structure, const std::string& name, Limit& limit) {
    const std::optional<uint64_t> wish = number(structure, name, true);
    if (!wish) return;
    if (*wish > limit) lack(name, *wish, limit);
    limit = static_cast<Limit>(std::min<uint64_t>(limit, *wish));
  }

  void lack(const std::string& name, uint64_t wish, uint64_t own) {
    lacks_.push_back(name + " " + std::to_string(wish) + " (here " + std::to_string(own) + ")");
  }
  void refuse(const std::string& name, const std::string& rule) {
    if (!problem_) problem_ = "the property " + name + " must be " + rule;
  }
  void refuse(const std::string& name, uint64_t wish, const std::string& rule) {
    if (!problem_)
      problem_ = "the property " + name + " is " + std::to_string(wish) + "; it must be " + rule;
  }

  const std::span<const ProfileProperty> wanted_;
  std::vector<bool> is_matched_;
  std::vector<std::string> lacks_;
  std::optional<std::string> problem_;
};

}  // namespace

ImitatedProperties imitateProperties(const Properties& own,
                                     const std::vector<ProfileProperty>& wanted,
                                     bool keeps_subgroup_size) {
  ImitatedProperties result{.properties = own, .lacks = {}, .problem = {}};
  Properties& to = result.properties;
  Imitator imitator(wanted);
#define MOST(structure, member) imitator.most(to.structure, #member, to.structure.member);
#define MOST_EACH(structure, member) imitator.mostEach(to.structure, #member, to.structure.member);
#define ALIGNMENT(structure, member) imitator.alignment(to.structure, #member, to.structure.member);
#include "icd/shaped_limits.def"
#define MOST(structure, member) imitator.most(to.structure, #member, to.structure.member);
#define ALIGNMENT(structure, member) imitator.alignment(to.structure, #member, to.structure.member);
#define FLAG(structure, member) imitator.flag(to.structure, #member, to.structure.member);
#define BITS(structure, member, names) \
  imitator.bits(to.structure, #member, to.structure.member, names);
#define CHOICE(structure, member, names) \
  imitator.choice(to.structure, #member, to.structure.member, names);
#define RAISED(structure, member) imitator.raised(to.structure, #member, to.structure.member);
#include "icd/imitated_properties.def"
  imitator.subgroups(to, keeps_subgroup_size);
  imitator.listUnmatched();
  std::move(imitator).finish(result);
  return result;
}

}  // namespace icd
