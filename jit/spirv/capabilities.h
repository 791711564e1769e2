// SPDX-License-Identifier: Apache-2.0

// The gate that modules pass before anything of them is compiled.
#pragma once

#include <llvm/Support/Error.h>
#include <spirv/unified1/spirv.hpp11>

#include <cstdint>
#include <string_view>

namespace jit::spirv {

// As in capabilities.def; No for those without a row.
enum class Support : uint8_t { No, ByUse, Has };
Support supportOf(spv::Capability capability);

// Unsupported, naming the capability, when capabilities.def does not have it.
llvm::Error checkCapability(spv::Capability capability);
// Unsupported, naming the extension, when capabilities.def does not list it.
llvm::Error checkExtension(std::string_view name);

}  // namespace jit::spirv
