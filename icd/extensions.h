// SPDX-License-Identifier: Apache-2.0

// The table of extensions, icd/extensions.def, as an enumeration and as what the queries report.
#pragma once

#include <bitset>
#include <optional>
#include <span>
#include <string_view>

#include "icd/vulkan.h"

namespace icd {

enum class Extension : uint8_t {
#define EXTENSION(kind, name, MACRO) name,
#include "icd/extensions.def"
  kCount
};

using ExtensionSet = std::bitset<static_cast<size_t>(Extension::kCount)>;

enum class ExtensionKind : uint8_t { Instance, Device };

// What must be enabled for a command to resolve: an extension, or nothing for those of a version.
class Gate {
 public:
  constexpr explicit Gate(uint32_t core_version) : core_version_(core_version) {}
  constexpr Gate(Extension extension) : extension_(extension) {}  // NOLINT: rows name extensions
  constexpr bool isCore() const { return extension_ == Extension::kCount; }
  constexpr uint32_t coreVersion() const { return core_version_; }  // as in VK_API_VERSION_1_0
  constexpr Extension extension() const { return extension_; }
  bool isOpen(const ExtensionSet& enabled) const {
    return isCore() || enabled.test(static_cast<size_t>(extension_));
  }

 private:
  Extension extension_ = Extension::kCount;
  uint32_t core_version_ = 0;
};

ExtensionKind kindOf(Extension extension);

// Null for a name that this driver does not have at that level.
std::optional<Extension> findExtension(ExtensionKind kind, std::string_view name);

// All that there are.
ExtensionSet allExtensions();

// vkEnumerate*ExtensionProperties of one kind, as far as they are available.
VkResult enumerateExtensions(ExtensionKind kind, const ExtensionSet& available, uint32_t* count,
                             VkExtensionProperties* out);

// Adds names to the set; VK_ERROR_EXTENSION_NOT_PRESENT at the first that is not available, left in
// *missing. A name may occur twice: clients concatenate lists.
VkResult enableExtensions(ExtensionKind kind, const ExtensionSet& available,
                          std::span<const char* const> names, ExtensionSet* enabled,
                          std::string_view* missing);

}  // namespace icd
