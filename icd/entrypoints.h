// SPDX-License-Identifier: Apache-2.0

// Declares icd::vkFoo for every ENTRY of entrypoints.def, with the type that vulkan.h gives it,
// and looks commands up by name.
#pragma once

#include <optional>
#include <string_view>
#include <type_traits>

#include "icd/extensions.h"
#include "icd/vulkan.h"

namespace icd {

#define ENTRY(level, name, gate) std::remove_pointer_t<PFN_##name> name;
#define ALIAS(level, name, target, gate)
#define STUB(level, name, gate)
#include "icd/entrypoints.def"

// What the first parameter of a command is.
enum class CommandLevel : uint8_t { Global, Instance, PhysicalDevice, Device };

struct Command {
  CommandLevel level;
  Gate gate;
  PFN_vkVoidFunction function;  // guarded: no exception leaves it
};

// Nothing for a name that no row has.
std::optional<Command> findCommand(std::string_view name);

}  // namespace icd
