// SPDX-License-Identifier: Apache-2.0

// What a client must know of a module to make pipelines of it: its compute entry points and the
// bindings of its variables. Of a broken module, as much as can be read; the compiler judges it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "jit/compiler.h"

namespace tools {

struct ModuleInterface {
  std::vector<std::string> compute_entry_points;
  // Every binding of a buffer once, each in the memory of its set behind the ones before, and with
  // a descriptor's room behind its own. Arrays of unknown or specializable length get a few
  // elements.
  std::vector<jit::BindingLayout> bindings;
};

ModuleInterface interfaceOf(std::span<const uint32_t> words);

}  // namespace tools
