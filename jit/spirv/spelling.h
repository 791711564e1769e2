// SPDX-License-Identifier: Apache-2.0

// Names of SPIR-V's enumerants, for messages and dumps.
#pragma once

#include <spirv/unified1/spirv.hpp11>

#include <cstdint>
#include <string>
#include <string_view>

namespace jit::spirv {

// "OpIAdd"; "opcode 4711" when the headers do not know it.
std::string spell(spv::Op op);
std::string spell(spv::Capability capability);
std::string spell(spv::ExecutionMode mode);
std::string spell(spv::ExecutionModel model);
std::string spell(spv::StorageClass storage);
// What the module's author wrote, made safe to print: control characters replaced, length limited.
std::string printable(std::string_view text);

}  // namespace jit::spirv
