// SPDX-License-Identifier: Apache-2.0

// Vectors with an element for each of a stream's lanes.
#pragma once

namespace jit::simt {

// Those of more lanes are a workgroup-wide stream's, outside of what is emitted for its subgroups.
inline constexpr unsigned kMostLanesInRegisters = 64;

}  // namespace jit::simt
