// SPDX-License-Identifier: Apache-2.0

#include "icd/layer_settings.h"

#include <span>
#include <string>
#include <string_view>

#include "icd/api_version.h"
#include "icd/chain.h"

namespace icd {
namespace {

// Integers count as their text; no setting is a list, a boolean or a real number.
std::optional<std::string> textOf(const VkLayerSettingEXT& setting) {
  if (setting.valueCount != 1) return std::nullopt;
  switch (setting.type) {
    case VK_LAYER_SETTING_TYPE_STRING_EXT:
      return *static_cast<const char* const*>(setting.pValues);
    case VK_LAYER_SETTING_TYPE_INT32_EXT:
      return std::to_string(*static_cast<const int32_t*>(setting.pValues));
    case VK_LAYER_SETTING_TYPE_INT64_EXT:
      return std::to_string(*static_cast<const int64_t*>(setting.pValues));
    case VK_LAYER_SETTING_TYPE_UINT32_EXT:
      return std::to_string(*static_cast<const uint32_t*>(setting.pValues));
    case VK_LAYER_SETTING_TYPE_UINT64_EXT:
      return std::to_string(*static_cast<const uint64_t*>(setting.pValues));
    default:
      return std::nullopt;
  }
}

}  // namespace

std::vector<rt::Setting> layerSettings(const void* chain) {
  std::vector<rt::Setting> result;
  auto* info = findInChain<VkLayerSettingsCreateInfoEXT>(
      chain, VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT);
  if (info == nullptr) return result;
  for (const VkLayerSettingEXT& setting : std::span(info->pSettings, info->settingCount)) {
    if (std::string_view(setting.pLayerName) != kDriverName) continue;
    result.push_back({.name = setting.pSettingName, .value = textOf(setting)});
  }
  return result;
}

}  // namespace icd
