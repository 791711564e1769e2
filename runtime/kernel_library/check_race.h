// SPDX-License-Identifier: Apache-2.0

// Calls of kernels that check for races (TESSERA_CHECK=race). Each access that others may see is
// one call; runtime/check/race_detector.h has what becomes of them.
#pragma once

#include <cstdint>

#include "runtime/kernel_abi.h"
#include "runtime/kernel_library/check_access.h"
#include "runtime/kernel_library/tensor_copy.h"

namespace rt {

// What an access or a barrier is, as bits of a number.
inline constexpr uint32_t kRaceStores = 1;
inline constexpr uint32_t kRaceLoads = 2;
inline constexpr uint32_t kRaceAtomic = 4;
inline constexpr uint32_t kRacePrivate = 8;    // RaceAccess::is_private
inline constexpr uint32_t kRaceShared = 16;    // Workgroup memory
inline constexpr uint32_t kRaceReleases = 32;  // accesses to buffers
inline constexpr uint32_t kRaceAcquires = 64;
inline constexpr uint32_t kRaceReleasesShared = 1024;
inline constexpr uint32_t kRaceAcquiresShared = 2048;
inline constexpr uint32_t kRaceOrdersShared = 128;
inline constexpr uint32_t kRaceOrdersBuffers = 256;
// Of what releases, or of a barrier: it makes nothing available.
inline constexpr uint32_t kRaceWeak = 512;
inline constexpr uint32_t kRaceScopeShift = 16;  // RaceAccess::Scope

// A stream begins to run a workgroup.
void raceBegin(const DispatchArgs* dispatch, uint32_t x, uint32_t y, uint32_t z, uint32_t stream,
               uint32_t subgroup_size);

// An access of lanes. `values`: what they store, one number of up to 8 bytes each, or one for all
// where the step is 0; null: not known.
void raceAccess(const DispatchArgs* dispatch, const char* site, const CheckedAccess* access,
                uint32_t stream, uint32_t flags, const uint64_t* values, uint64_t value_step);

// The same, not atomic, of lanes that all are live, side by side from an address on: `bytes` each.
void raceLanes(const DispatchArgs* dispatch, const char* site, uint32_t stream, uint32_t flags,
               uint64_t address, uint32_t bytes, uint32_t lanes, uint32_t first_invocation,
               const uint64_t* values, uint64_t value_step);

// A load or store of a matrix, of a subgroup or (kNoSubgroup) of the workgroup, at an address.
void raceMatrix(const DispatchArgs* dispatch, const char* site, uint32_t stream, uint32_t subgroup,
                uint64_t address, int64_t stride, uint64_t form, uint32_t flags);

// The same through a tensor layout.
void raceTensor(const DispatchArgs* dispatch, const char* site, uint32_t stream, uint32_t subgroup,
                uint64_t address, const TensorForm* form, const TensorState* state, uint32_t flags);

enum class RaceBarrier : uint32_t { Workgroup, Arrival, Subgroup };
void raceBarrier(const DispatchArgs* dispatch, uint32_t stream, RaceBarrier barrier,
                 uint32_t flags);

// A memory barrier of the access's live lanes.
void raceFence(const DispatchArgs* dispatch, const CheckedAccess* access, uint32_t stream,
               uint32_t flags);

}  // namespace rt
