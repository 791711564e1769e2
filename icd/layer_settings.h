// SPDX-License-Identifier: Apache-2.0

// VK_EXT_layer_settings: the configuration, given by the program. The driver's name stands where
// that of a layer would.
#pragma once

#include <vector>

#include "icd/vulkan.h"
#include "runtime/config.h"

namespace icd {

// What the chain of a VkInstanceCreateInfo sets for this driver. Loaders that do not know the
// extension hide it, but pass the structure on: it counts whether the extension is enabled or not.
std::vector<rt::Setting> layerSettings(const void* chain);

}  // namespace icd
