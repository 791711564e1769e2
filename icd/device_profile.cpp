// SPDX-License-Identifier: Apache-2.0

#include "icd/device_profile.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "icd/device_profile_file.h"
#include "icd/vulkan.h"
#include "jit/base/json.h"

namespace icd {
namespace {

using jit::Json;
using Members = Json::Object;
using jit::coopmat::Component;
using jit::coopmat::Mapping;
using jit::coopmat::Scope;

using Value = decltype(ProfileProperty::value);

template <typename Named>
using Names = std::span<const std::pair<std::string_view, Named>>;

constexpr std::pair<std::string_view, Component> kComponentTypes[] = {
    {"VK_COMPONENT_TYPE_FLOAT16_KHR", Component::F16},
    {"VK_COMPONENT_TYPE_BFLOAT16_KHR", Component::BF16},
    {"VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT", Component::E4M3},
    {"VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT", Component::E5M2},
    {"VK_COMPONENT_TYPE_FLOAT32_KHR", Component::F32},
    {"VK_COMPONENT_TYPE_FLOAT64_KHR", Component::F64},
    {"VK_COMPONENT_TYPE_SINT8_KHR", Component::S8},
    {"VK_COMPONENT_TYPE_UINT8_KHR", Component::U8},
    {"VK_COMPONENT_TYPE_SINT16_KHR", Component::S16},
    {"VK_COMPONENT_TYPE_UINT16_KHR", Component::U16},
    {"VK_COMPONENT_TYPE_SINT32_KHR", Component::S32},
    {"VK_COMPONENT_TYPE_UINT32_KHR", Component::U32},
    {"VK_COMPONENT_TYPE_SINT64_KHR", Component::S64},
    {"VK_COMPONENT_TYPE_UINT64_KHR", Component::U64}};

constexpr std::pair<std::string_view, Scope> kScopes[] = {
    {"VK_SCOPE_SUBGROUP_KHR", Scope::Subgroup}, {"VK_SCOPE_WORKGROUP_KHR", Scope::Workgroup}};

constexpr std::pair<std::string_view, Mapping> kMappings[] = {
    {"native", Mapping::Native}, {"nvidia", Mapping::Nvidia}, {"ptx", Mapping::Ptx}};

// Reads on after what is wrong, which it replaces by something harmless, and keeps the first of it.
class Reader {
 public:
  explicit Reader(const Json& root) : root_(root) {}

  DeviceProfile read(const std::string& wanted) {
    const Members& capabilities = membersOf(root_.find("capabilities"), "capabilities");
    const Members& profiles = membersOf(root_.find("profiles"), "profiles");
    for (const auto& [name, set] : capabilities) readSet(name, set);
    const std::string name = choose(profiles, wanted);
    DeviceProfile profile{.name = name, .api_version = 0};
    if (problem_.empty()) readRequirements(profiles, name, profile);
    return profile;
  }

  const std::string& problem() const { return problem_; }

 private:
  void complain(const std::string& where, const std::string& what) {
    if (problem_.empty()) problem_ = where + " " + what;
  }

  const Members& membersOf(const Json* json, const std::string& where) {
    static const Members none;
    if (json == nullptr) {
      complain("it has no", "\"" + where + "\", as every file of Vulkan profiles has");
      return none;
    }
    if (json->members() == nullptr) complain(where, "must be an object");
    return json->members() != nullptr ? *json->members() : none;
  }

  const std::vector<Json>& elementsOf(const Json& json, const std::string& where) {
    static const std::vector<Json> none;
    if (json.elements() == nullptr) complain(where, "must be an array");
    return json.elements() != nullptr ? *json.elements() : none;
  }

  std::string textOf(const Json& json, const std::string& where) {
    if (json.text() == nullptr) complain(where, "must be a text");
    return json.text() != nullptr ? *json.text() : "";
  }

  bool boolean(const Json& json, const std::string& where) {
    if (json.boolean() == nullptr) complain(where, "must be true or false");
    return json.boolean() != nullptr && *json.boolean();
  }

  uint64_t natural(const Json& json, const std::string& where, uint64_t least, uint64_t most) {
    const Json::Number* number = json.number();
    const std::optional<uint64_t> value = number != nullptr ? number->natural : std::nullopt;
    if (value && *value >= least && *value <= most) return *value;
    complain(where, "must be a whole number from " + std::to_string(least) + " to " +
                        std::to_string(most));
    return least;
  }

  template <typename Named>
  Named named(const Json& json, const std::string& where, Names<Named> names) {
    const std::string text = textOf(json, where);
    const auto found = std::ranges::find(names, text, &std::pair<std::string_view, Named>::first);
    if (found != names.end()) return found->second;
    std::string all;
    for (const auto& [name, value] : names) all += (all.empty() ? "" : ", ") + std::string(name);
    complain(where, "is \"" + text + "\", which there is not; it takes " + all);
    return names.front().second;
  }

  void readSet(const std::string& name, const Json& json) {
    CapabilitySet& set = sets_.emplace_back();
    set.name = name;
    const std::string where = "capabilities." + name;
    for (const auto& [key, value] : membersOf(&json, where)) {
      const std::string there = where + "." + key;
      if (key == "extensions") {
        auto& extensions = set.extensions.emplace();
        for (const auto& [extension, version] : membersOf(&value, there))
          extensions.push_back(extension);
      } else if (key == "features") {
        auto& features = set.features.emplace();
        for (const auto& [structure, members] : membersOf(&value, there))
          for (const auto& [member, is_on] : membersOf(&members, there + "." + structure))
            features.push_back(
                {structure, member, boolean(is_on, there + "." + structure + "." + member)});
      } else if (key == "properties") {
        for (const auto& [structure, members] : membersOf(&value, there))
          readProperties(set, structure, members, there + "." + structure);
      } else {
        set.others.push_back(key);
      }
    }
    if (const Json* own = root_.find("tessera"))
      if (const Json* more = own->find(name)) readOwn(set, *more, "tessera." + name);
  }

  // A structure in one is part of it ("limits").
  void readProperties(CapabilitySet& set, const std::string& structure, const Json& json,
                      const std::string& where) {
    for (const auto& [member, value] : membersOf(&json, where)) {
      const std::string there = where + "." + member;
      if (value.members() != nullptr) {
        readProperties(set, structure, value, there);
        continue;
      }
      const std::vector<Json>* elements = value.elements();
      if (elements == nullptr) {
        set.properties.push_back({structure, member, valueOf(value, there)});
        continue;
      }
      std::vector<std::string> bits;
      for (size_t i = 0; i < elements->size(); ++i) {
        const Json& element = (*elements)[i];
        if (element.text() != nullptr)
          bits.push_back(*element.text());
        else
          set.properties.push_back(
              {structure, member + "[" + std::to_string(i) + "]", valueOf(element, there)});
      }
      if (!bits.empty() || elements->empty())
        set.properties.push_back({structure, member, std::move(bits)});
    }
  }

  Value valueOf(const Json& json, const std::string& where) {
    if (const bool* flag = json.boolean()) return *flag;
    if (const std::string* text = json.text()) return valueOf(*text);
    if (json.isNull()) return std::monostate{};
    if (const Json::Number* number = json.number()) {
      if (number->natural) return *number->natural;
      return std::monostate{};
    }
    complain(where, "must be a number, true, false, a text, or an array of them");
    return std::monostate{};
  }

  // A name, or a number as old files of gpuinfo.org have it.
  static Value valueOf(const std::string& text) {
    uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && at == end) return number;
    return std::vector{text};
  }

  // What the schema has no words for.
  void readOwn(CapabilitySet& set, const Json& json, const std::string& where) {
    for (const auto& [key, value] : membersOf(&json, where)) {
      const std::string there = where + "." + key;
      if (key == "componentLayout") {
        set.component_layout = named<Mapping>(value, there, kMappings);
      } else if (key == "VkCooperativeMatrixPropertiesKHR") {
        auto& rows = set.matrices.emplace();
        for (const Json& row : elementsOf(value, there)) rows.push_back(readMatrix(row, there));
      } else if (key == "VkCooperativeMatrixFlexibleDimensionsPropertiesNV") {
        auto& rows = set.flexible_matrices.emplace();
        for (const Json& row : elementsOf(value, there)) rows.push_back(readFlexible(row, there));
      } else {
        complain(there,
                 "is not known; what there may be is componentLayout, "
                 "VkCooperativeMatrixPropertiesKHR and "
                 "VkCooperativeMatrixFlexibleDimensionsPropertiesNV");
      }
    }
  }

  const Json& memberOf(const Json& row, const char* name, const std::string& where) {
    static const Json null{Json::Null{}};
    const Json* member = row.find(name);
    if (member == nullptr) complain(where, std::string("has a row without ") + name);
    return member != nullptr ? *member : null;
  }

  template <typename Row>
  void readTypes(Row& to, const Json& row, const std::string& where) {
    auto type = [&](const char* name) {
      return named<Component>(memberOf(row, name, where), where + "." + name, kComponentTypes);
    };
    to.a = type("AType"), to.b = type("BType"), to.c = type("CType");
    to.result = type("ResultType");
    to.saturating =
        boolean(memberOf(row, "saturatingAccumulation", where), where + ".saturatingAccumulation");
    to.scope = named<Scope>(memberOf(row, "scope", where), where + ".scope", kScopes);
  }

  uint32_t sizeOf(const Json& row, const char* name, const std::string& where, uint32_t least) {
    constexpr uint32_t kMost = 1 << 16;  // beyond any device's
    return static_cast<uint32_t>(
        natural(memberOf(row, name, where), where + "." + name, least, kMost));
  }

  jit::coopmat::Shape readMatrix(const Json& row, const std::string& where) {
    jit::coopmat::Shape shape{};
    shape.m = sizeOf(row, "MSize", where, 1);
    shape.n = sizeOf(row, "NSize", where, 1);
    shape.k = sizeOf(row, "KSize", where, 1);
    readTypes(shape, row, where);
    return shape;
  }

  jit::coopmat::FlexibleShape readFlexible(const Json& row, const std::string& where) {
    jit::coopmat::FlexibleShape shape{};
    shape.m = sizeOf(row, "MGranularity", where, 1);
    shape.n = sizeOf(row, "NGranularity", where, 1);
    shape.k = sizeOf(row, "KGranularity", where, 1);
    readTypes(shape, row, where);
    shape.invocations = sizeOf(row, "workgroupInvocations", where, 0);
    return shape;
  }

  std::string choose(const Members& profiles, const std::string& wanted) {
    std::string all;
    for (const auto& [name, profile] : profiles) all += (all.empty() ? "" : ", ") + name;
    if (profiles.empty()) complain("it", "has no profile");
    if (wanted.empty() && profiles.size() > 1)
      complain("it", "has several profiles; say which one with :PROFILE behind the file: " + all);
    if (wanted.empty()) return profiles.empty() ? "" : profiles.front().name;
    if (std::ranges::find(profiles, wanted, &jit::JsonMember::name) == profiles.end())
      complain("it", "has no profile " + wanted + "; what it has is " + all);
    return wanted;
  }

  void readRequirements(const Members& profiles, const std::string& name, DeviceProfile& to) {
    const std::string where = "profiles." + name;
    const auto found = std::ranges::find(profiles, name, &jit::JsonMember::name);
    if (found == profiles.end()) return complain(where, "is required, but is not in this file");
    if (std::ranges::count(seen_, name) != 0) return;  // also where profiles require each other
    seen_.push_back(name);
    const Json* version = found->value.find("api-version");
    if (version == nullptr) return complain(where, "has no \"api-version\"");
    to.api_version = std::max(to.api_version, versionOf(*version, where + ".api-version"));
    if (const Json* required = found->value.find("profiles"))
      for (const Json& other : elementsOf(*required, where + ".profiles"))
        readRequirements(profiles, textOf(other, where + ".profiles"), to);
    const Json* capabilities = found->value.find("capabilities");
    if (capabilities == nullptr) return complain(where, "has no \"capabilities\"");
    for (const Json& element : elementsOf(*capabilities, where + ".capabilities")) {
      std::vector<CapabilitySet>& ways = to.requirements.emplace_back();
      if (element.elements() == nullptr)
        addSet(element, where + ".capabilities", ways);
      else
        for (const Json& way : *element.elements()) addSet(way, where + ".capabilities", ways);
      if (ways.empty()) complain(where + ".capabilities", "has an empty array of alternatives");
    }
  }

  void addSet(const Json& json, const std::string& where, std::vector<CapabilitySet>& ways) {
    const std::string name = textOf(json, where);
    const auto found = std::ranges::find(sets_, name, &CapabilitySet::name);
    if (found == sets_.end()) return complain(where, "names " + name + ", which is not there");
    ways.push_back(*found);
  }

  // "1.3.204"
  uint32_t versionOf(const Json& json, const std::string& where) {
    const std::string text = textOf(json, where);
    uint32_t parts[3] = {};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (uint32_t& part : parts) {
      at = std::from_chars(at, end, part).ptr;
      if (&part != &parts[2] && at != end && *at == '.') ++at;
    }
    if (at != end || parts[0] != 1 || parts[1] >= 1 << 10 || parts[2] >= 1 << 12)
      complain(where, "is \"" + text + "\"; it must be as in \"1.3.204\"");
    return VK_MAKE_API_VERSION(0, 1, parts[1] & 0x3ff, parts[2] & 0xfff);
  }

  const Json& root_;
  std::vector<CapabilitySet> sets_;
  std::vector<std::string> seen_;
  std::string problem_;
};

}  // namespace

std::variant<DeviceProfile, std::string> readProfile(const std::string& value) {
  std::variant<ProfileText, std::string> text = findProfile(value);
  if (auto* problem = std::get_if<std::string>(&text)) return std::move(*problem);
  const ProfileText& found = std::get<ProfileText>(text);
  const std::string subject = "TESSERA_IMITATE=" + value;
  const std::variant<Json, std::string> json = jit::parseJson(found.text);
  if (auto* problem = std::get_if<std::string>(&json))
    return subject + " is not JSON: " + *problem + "; it takes a file of Vulkan profiles";
  Reader reader(std::get<Json>(json));
  DeviceProfile profile = reader.read(found.profile);
  if (!reader.problem().empty()) return subject + ": " + reader.problem();
  return profile;
}

}  // namespace icd
