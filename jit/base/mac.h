// SPDX-License-Identifier: Apache-2.0

// Message authentication codes: who has not the key can make none for bytes of his own. By them the
// driver knows that code, which applications keep for it, is what it gave them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace jit {

using Mac = std::array<uint8_t, 32>;

// What a code is for: no code of one purpose is one of another.
enum class MacPurpose : uint8_t { CacheUuid, GlobalBinaryKey, PipelineCache, PipelineBinary };

// Of the parts, one behind the other; where one ends and the next begins makes no difference.
// BLAKE3 in its keyed mode, as LLVM has it inside.
Mac macOf(std::span<const uint8_t, 32> key, MacPurpose purpose,
          std::initializer_list<std::span<const std::byte>> parts);

// Takes as long wherever they differ, so that a code cannot be found byte by byte.
bool areEqual(const Mac& a, const Mac& b);

}  // namespace jit
