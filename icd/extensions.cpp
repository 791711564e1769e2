// SPDX-License-Identifier: Apache-2.0

#include "icd/extensions.h"

#include <algorithm>
#include <vector>

#include "icd/enumerate.h"

namespace icd {
namespace {

struct Row {
  Extension extension;
  ExtensionKind kind;
  std::string_view name;
  uint32_t version;
};

constexpr Row kRows[] = {
#define EXTENSION(kind, name, MACRO) \
  {Extension::name, ExtensionKind::kind, "VK_" #name, VK_##MACRO##_SPEC_VERSION},
#include "icd/extensions.def"
};

}  // namespace

ExtensionKind kindOf(Extension extension) { return kRows[static_cast<size_t>(extension)].kind; }

std::optional<Extension> findExtension(ExtensionKind kind, std::string_view name) {
  auto row = std::ranges::find_if(kRows, [&](const Row& candidate) {
    return candidate.kind == kind && candidate.name == name;
  });
  if (row == std::end(kRows)) return std::nullopt;
  return row->extension;
}

ExtensionSet allExtensions() { return ~ExtensionSet{}; }

VkResult enumerateExtensions(ExtensionKind kind, const ExtensionSet& available, uint32_t* count,
                             VkExtensionProperties* out) {
  std::vector<VkExtensionProperties> properties;
  for (const Row& row : kRows) {
    if (row.kind != kind || !available.test(static_cast<size_t>(row.extension))) continue;
    VkExtensionProperties& entry = properties.emplace_back();
    std::ranges::copy(row.name, entry.extensionName);
    entry.specVersion = row.version;
  }
  return enumerate<VkExtensionProperties>(properties, count, out);
}

VkResult enableExtensions(ExtensionKind kind, const ExtensionSet& available,
                          std::span<const char* const> names, ExtensionSet* enabled,
                          std::string_view* missing) {
  for (const char* name : names) {
    std::optional<Extension> extension = findExtension(kind, name);
    if (!extension || !available.test(static_cast<size_t>(*extension))) {
      *missing = name;
      return VK_ERROR_EXTENSION_NOT_PRESENT;
    }
    enabled->set(static_cast<size_t>(*extension));
  }
  return VK_SUCCESS;
}

}  // namespace icd
