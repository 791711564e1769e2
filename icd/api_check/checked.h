// SPDX-License-Identifier: Apache-2.0

// The commands that the check of the API looks at, and how their names are resolved with it.
#pragma once

#include <string_view>
#include <type_traits>

#include "icd/vulkan.h"

namespace icd {

namespace checked {

#define CHECKED(name) std::remove_pointer_t<PFN_##name> name;
#include "icd/api_check/checked_commands.def"

}  // namespace checked

// The function of a command, or of an alias of it; null where the check does not look at it.
PFN_vkVoidFunction findChecked(std::string_view name);

}  // namespace icd
