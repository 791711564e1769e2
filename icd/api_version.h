// SPDX-License-Identifier: Apache-2.0

// The name and the versions that this driver reports.
#pragma once

#include "icd/vulkan.h"

namespace icd {

// 1.3, with the patch of the headers it was built with (which may describe a newer minor).
inline constexpr uint32_t kApiVersion = VK_MAKE_API_VERSION(0, 1, 3, VK_HEADER_VERSION);

// In VkPhysicalDeviceDriverProperties, and where settings name a layer.
inline constexpr const char* kDriverName = "Tessera";

// Of this driver, from the build: TESSERA_VERSION is the text, the other three its numbers.
inline constexpr uint32_t kDriverVersion =
    VK_MAKE_API_VERSION(0, TESSERA_VERSION_MAJOR, TESSERA_VERSION_MINOR, TESSERA_VERSION_PATCH);
inline constexpr const char* kDriverVersionText = TESSERA_VERSION;

}  // namespace icd
