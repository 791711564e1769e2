// SPDX-License-Identifier: Apache-2.0

// The gate that modules pass before anything of them is compiled.
#pragma once

#include <llvm/Support/Error.h>
#include <spirv/unified1/spirv.hpp11>

#include <cstdint>
#include <span>
#include <string_view>

namespace jit::spirv {

// As in capabilities.def; No for those without a row.
enum class Support : uint8_t { No, ByUse, Has };
Support supportOf(spv::Capability capability);

// Unsupported, naming the capability, when capabilities.def does not have it.
llvm::Error checkCapability(spv::Capability capability);
// Unsupported, naming the extension, when capabilities.def does not list it.
llvm::Error checkExtension(std::string_view name);

// Whether a module declares a capability that cooperative matrices come with. `words` may be
// anything; what is no module declares none, or all the same.
bool declaresMatrices(std::span<const uint32_t> words);

}  // namespace jit::spirv
