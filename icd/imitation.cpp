// SPDX-License-Identifier: Apache-2.0

#include "icd/imitation.h"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "icd/api_version.h"
#include "icd/imitated_properties.h"
#include "icd/structure_names.h"

namespace icd {
namespace {

using jit::coopmat::FlexibleShape;
using jit::coopmat::Shape;
using jit::coopmat::Tables;

using Sets = std::span<const CapabilitySet* const>;

bool has(const ExtensionSet& extensions, Extension extension) {
  return extensions.test(static_cast<size_t>(extension));
}

// Those that no set speaks of are as they are.
ExtensionSet imitateExtensions(Sets sets, std::vector<std::string>& lacks) {
  bool speaks = false;
  std::set<std::string> wanted;
  for (const CapabilitySet* set : sets) {
    speaks |= set->extensions.has_value();
    if (set->extensions) wanted.insert(set->extensions->begin(), set->extensions->end());
  }
  if (!speaks) return allExtensions();
  ExtensionSet extensions;
  for (const std::string& name : wanted) {
    const auto device = findExtension(ExtensionKind::Device, name);
    if (device) extensions.set(static_cast<size_t>(*device));
    if (!device && !findExtension(ExtensionKind::Instance, name)) lacks.push_back(name);
  }
  return extensions;
}

// What a feature is, whatever the structure that has it is called: members of versions, and of what
// versions took over, are known by their names alone.
std::string identityOf(const FeatureStructure& structure, std::string_view member) {
  const bool is_of_version = structure.kind != FeatureStructure::Kind::Other;
  return std::string(is_of_version ? "" : structure.name) + "." + std::string(member);
}

// The identities of what a profile means; none for what is in no structure of this driver.
std::vector<std::string> identitiesOf(const ProfileFeature& wanted) {
  std::vector<std::string> identities;
  const std::span<const FeatureStructure> all = featureStructures();
  // Has members of many structures here.
  const bool is_newest = wanted.structure == "VkPhysicalDeviceVulkan14Features";
  const auto found = findStructureNamed(all, wanted.structure, &FeatureStructure::name);
  for (auto structure = all.begin(); structure != all.end(); ++structure) {
    if (structure != found && !is_newest) continue;
    if (std::ranges::find(structure->features, wanted.member, &Feature::name) !=
        structure->features.end())
      identities.push_back(identityOf(*structure, wanted.member));
  }
  return identities;
}

DeviceFeatures imitateFeatures(Sets sets, std::vector<std::string>& lacks) {
  bool speaks = false;
  std::set<std::string> supported, wanted, missing;
  for (const FeatureStructure& structure : featureStructures())
    for (const Feature& feature : structure.features)
      if (feature.is_supported) supported.insert(identityOf(structure, feature.name));
  for (const CapabilitySet* set : sets) {
    speaks |= set->features.has_value();
    if (!set->features) continue;
    for (const ProfileFeature& feature : *set->features) {
      if (!feature.is_on) continue;
      const std::vector<std::string> identities = identitiesOf(feature);
      wanted.insert(identities.begin(), identities.end());
      if (std::ranges::none_of(identities, [&](auto& one) { return supported.contains(one); }))
        missing.insert(feature.member);
    }
  }
  lacks.insert(lacks.end(), missing.begin(), missing.end());
  DeviceFeatures features;
  if (!speaks) return features;
  features.restrict([&](const FeatureStructure& structure, const Feature& feature) {
    return wanted.contains(identityOf(structure, feature.name));
  });
  return features;
}

bool isHere(const Shape& shape) {
  return jit::coopmat::hasShape(shape) || jit::coopmat::isFlexible(shape);
}

// Whether all multiples are here.
bool isHere(const FlexibleShape& row) {
  return std::ranges::any_of(jit::coopmat::flexibleShapes(), [&](const FlexibleShape& own) {
    return own.a == row.a && own.b == row.b && own.c == row.c && own.result == row.result &&
           own.saturating == row.saturating && row.m % own.m == 0 && row.n % own.n == 0 &&
           row.k % own.k == 0;
  });
}

template <typename Row>
void keepPossible(const std::vector<Row>& wanted, std::vector<Row>& rows,
                  std::vector<std::string>& lacks) {
  for (const Row& row : wanted) {
    if (isHere(row))
      rows.push_back(row);
    else
      lacks.push_back(describe(row));
  }
}

// The tables of the sets, in their order, or those of this driver; none without the extensions that
// they belong to.
Tables imitateMatrices(Sets sets, const ExtensionSet& extensions, const Properties& properties,
                       std::vector<std::string>& lacks) {
  Tables tables = jit::coopmat::ownTables();
  bool has_fixed = false, has_flexible = false;
  for (const CapabilitySet* set : sets) {
    if (set->matrices && !std::exchange(has_fixed, true)) tables.fixed.clear();
    if (set->matrices) keepPossible(*set->matrices, tables.fixed, lacks);
    if (set->flexible_matrices && !std::exchange(has_flexible, true)) tables.flexible.clear();
    if (set->flexible_matrices) keepPossible(*set->flexible_matrices, tables.flexible, lacks);
  }
  tables.nv = jit::coopmat::nvShapesOf(tables.fixed);
  if (!has(extensions, Extension::NV_cooperative_matrix)) tables.nv.clear();
  if (!has(extensions, Extension::KHR_cooperative_matrix)) tables.fixed.clear();
  if (!has(extensions, Extension::NV_cooperative_matrix2) &&
      !has(extensions, Extension::EXT_cooperative_matrix_maintenance1))
    tables.flexible.clear();
  const auto& limits = properties.cooperative_matrix2;
  tables.max_dimension = limits.cooperativeMatrixFlexibleDimensionsMaxDimension;
  tables.max_workgroup = limits.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize;
  tables.reserved_shared_bytes = limits.cooperativeMatrixWorkgroupScopeReservedSharedMemory;
  return tables;
}

// Of sets that all are to be there.
std::variant<Imitation, std::string> imitateSets(Sets sets, const Properties& own,
                                                 bool keeps_subgroup_size) {
  std::vector<ProfileProperty> wanted;
  for (const CapabilitySet* set : sets)
    wanted.insert(wanted.end(), set->properties.begin(), set->properties.end());
  ImitatedProperties properties = imitateProperties(own, wanted, keeps_subgroup_size);
  if (properties.problem) return std::move(*properties.problem);
  ImitationLacks lacks{.extensions = {},
                       .features = {},
                       .properties = std::move(properties.lacks),
                       .matrices = {},
                       .others = {}};
  const ExtensionSet extensions = imitateExtensions(sets, lacks.extensions);
  DeviceFeatures features = imitateFeatures(sets, lacks.features);
  Tables tables = imitateMatrices(sets, extensions, properties.properties, lacks.matrices);
  std::optional<jit::coopmat::Mapping> layout;
  for (const CapabilitySet* set : sets) {
    if (set->component_layout) layout = set->component_layout;
    for (const std::string& other : set->others)
      if (std::ranges::find(lacks.others, other) == lacks.others.end())
        lacks.others.push_back(other);
  }
  return Imitation{.properties = properties.properties,
                   .extensions = extensions,
                   .features = std::move(features),
                   .matrices = std::move(tables),
                   .component_layout = layout,
                   .lacks = std::move(lacks)};
}

// Of alternatives the first that lacks least.
std::variant<std::vector<const CapabilitySet*>, std::string> chooseSets(
    const DeviceProfile& profile, const Properties& own) {
  std::vector<const CapabilitySet*> sets;
  for (const std::vector<CapabilitySet>& ways : profile.requirements) {
    const CapabilitySet* best = &ways.front();
    size_t least = SIZE_MAX;
    for (const CapabilitySet& way : ways) {
      const CapabilitySet* const only[] = {&way};
      auto imitation = imitateSets(only, own, false);
      if (auto* problem = std::get_if<std::string>(&imitation)) return std::move(*problem);
      const size_t count = std::get<Imitation>(imitation).lacks.count();
      if (count < least) least = count, best = &way;
    }
    if (std::ranges::find(sets, best) == sets.end()) sets.push_back(best);
  }
  return sets;
}

std::string versionText(uint32_t version) {
  return std::to_string(VK_API_VERSION_MAJOR(version)) + "." +
         std::to_string(VK_API_VERSION_MINOR(version));
}

void list(const char* what, const std::vector<std::string>& names, rt::Log& log) {
  if (names.empty()) return;
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  log.info(std::string("not imitated, ") + what + ": " + all);
}

}  // namespace

std::variant<Imitation, std::string> imitate(const std::string& value, const Properties& own,
                                             bool keeps_subgroup_size) {
  std::variant<DeviceProfile, std::string> read = readProfile(value);
  if (auto* problem = std::get_if<std::string>(&read)) return std::move(*problem);
  const DeviceProfile& profile = std::get<DeviceProfile>(read);
  const std::string subject = "TESSERA_IMITATE=" + value + ": ";
  auto chosen = chooseSets(profile, own);
  if (auto* problem = std::get_if<std::string>(&chosen)) return subject + *problem;
  const auto& sets = std::get<std::vector<const CapabilitySet*>>(chosen);
  auto result = imitateSets(sets, own, keeps_subgroup_size);
  if (auto* problem = std::get_if<std::string>(&result)) return subject + *problem;
  auto& imitation = std::get<Imitation>(result);
  uint32_t& version = imitation.properties.v10.properties.apiVersion;
  if (VK_API_VERSION_MINOR(profile.api_version) > VK_API_VERSION_MINOR(version))
    imitation.lacks.others.push_back("Vulkan " + versionText(profile.api_version));
  version = std::min(version, profile.api_version);
  return result;
}

void reportImitation(const std::string& value, const ImitationLacks& lacks, rt::Log& log) {
  const std::string subject = "TESSERA_IMITATE=" + value;
  if (lacks.count() == 0) {
    log.info(subject + ": all of it is imitated");
    return;
  }
  std::string counts;
  auto count = [&](size_t number, const char* what) {
    if (number != 0) counts += (counts.empty() ? "" : ", ") + std::to_string(number) + " " + what;
  };
  count(lacks.extensions.size(), "extensions");
  count(lacks.features.size(), "features");
  count(lacks.properties.size(), "properties");
  count(lacks.matrices.size(), "multiplications of matrices");
  count(lacks.others.size(), "other things");
  log.warning(subject + ": this driver lacks some of what that device has: " + counts +
              (log.level() < rt::LogLevel::Info ? "; TESSERA_LOG=info lists them" : ""));
  list("extensions", lacks.extensions, log);
  list("features", lacks.features, log);
  list("properties", lacks.properties, log);
  list("multiplications of matrices", lacks.matrices, log);
  list("other things", lacks.others, log);
}

}  // namespace icd
