// SPDX-License-Identifier: Apache-2.0

// Calls of kernels that check what invocations have to do together (TESSERA_CHECK=uniform).
#pragma once

#include <cstdint>

#include "runtime/kernel_abi.h"

namespace rt {

// What needs all invocations of its scope.
enum class UniformRule : uint32_t { Barrier, SubgroupBarrier, Matrix };

// `present` of a scope's `existing` invocations have come to the site; nothing is wrong where that
// is all of them. `subgroup`: kNoSubgroup where the scope is the workgroup.
void checkPresence(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y,
                   uint32_t z, uint32_t subgroup, uint32_t rule, uint32_t present,
                   uint32_t existing);

// What must be the same for all invocations that take part.
enum class UniformOperand : uint32_t { Pointer, Stride, Tensor, Lane, Delta, Ballot, Descriptor };

// `differs`: 0: it is the same, and nothing is wrong.
void checkOperand(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y,
                  uint32_t z, uint32_t subgroup, uint32_t operand, uint32_t differs);

// Values that are used have come from invocations that are not active: a bit of `origins` for each
// of `sites`, descriptions one behind the other, that has read one. `invocation`: that uses one,
// its LocalInvocationIndex.
void checkSources(const DispatchArgs* dispatch, const char* sites, uint32_t x, uint32_t y,
                  uint32_t z, uint32_t origins, uint32_t invocation);

// A loop has looked at the same memory `tries` times, and nothing has changed: no other workgroup
// runs meanwhile. `for_lane`: it waits for an invocation that waits for the loop. Whether the
// kernel shall return, as it would wait for ever; the device is lost then.
uint32_t checkSpin(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y,
                   uint32_t z, uint32_t subgroup, uint32_t for_lane, uint64_t tries);

// After so many tries, a power of two, checkSpin is called, and then every so many.
inline constexpr uint64_t kSpinTries = uint64_t{1} << 17;
// So many more are no wait that ends by itself.
inline constexpr uint64_t kMostSpinTries = uint64_t{1} << 24;

// Barriers of workgroups of several streams, see BarrierRecord. The first stream begins the
// workgroup.
void beginBarriers(const DispatchArgs* dispatch, uint32_t stream, uint32_t streams);
void comeToBarrier(const DispatchArgs* dispatch, const char* site, uint32_t stream,
                   uint32_t may_differ, uint32_t waits);
void endBarriers(const DispatchArgs* dispatch, uint32_t x, uint32_t y, uint32_t z, uint32_t stream);

}  // namespace rt
