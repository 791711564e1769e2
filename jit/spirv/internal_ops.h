// SPDX-License-Identifier: Apache-2.0

// Opcodes of the driver's own: internal_ops.def.
#pragma once

#include <spirv/unified1/spirv.hpp11>

#include <cstdint>
#include <optional>
#include <string_view>

namespace jit::spirv {

enum class InternalOp : uint32_t {
#define INTERNAL_OP(name) name,
#include "jit/spirv/internal_ops.def"
};

// A module's opcodes have 16 bits.
inline constexpr uint32_t kFirstInternalOp = 1 << 16;

constexpr spv::Op opcode(InternalOp op) {
  return static_cast<spv::Op>(kFirstInternalOp + static_cast<uint32_t>(op));
}

// None for an opcode of SPIR-V's.
constexpr std::optional<InternalOp> internalOp(spv::Op op) {
  if (static_cast<uint32_t>(op) < kFirstInternalOp) return std::nullopt;
  return static_cast<InternalOp>(static_cast<uint32_t>(op) - kFirstInternalOp);
}

// For messages and dumps.
constexpr std::string_view nameOf(InternalOp op) {
  constexpr std::string_view kNames[] = {
#define INTERNAL_OP(name) #name,
#include "jit/spirv/internal_ops.def"
  };
  return kNames[static_cast<uint32_t>(op)];
}

}  // namespace jit::spirv
