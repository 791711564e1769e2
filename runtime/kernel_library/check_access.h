// SPDX-License-Identifier: Apache-2.0

// Calls of kernels that check their accesses to memory (TESSERA_CHECK=memory). Kernels test most
// accesses by themselves and call where a test fails, or where it says too little; what is wrong
// with an access, if anything, is decided here.
#pragma once

#include <cstdint>

#include "runtime/kernel_abi.h"

namespace rt {

// Who runs the code.
struct CheckedWorkgroup {
  uint32_t id[3];
  uint32_t subgroup;  // that the stream is; kNoSubgroup where it is the whole workgroup
};
inline constexpr uint32_t kNoSubgroup = ~0u;

// A number for each lane: that of lane l is values[l * step].
struct LaneNumbers {
  const uint64_t* values;
  uint64_t step;  // 0: all lanes have the same
  uint64_t of(uint32_t lane) const { return values[lane * step]; }
};

enum class AccessKind : uint8_t { Load, Store, Atomic };
enum class AccessedMemory : uint8_t {
  Buffer,
  NullableBuffer,  // whose descriptor may be null
  RobustBuffer,    // of which anything outside may be accessed
  Variable,
  TensorBlock,  // of a buffer, through a tensor layout
};

// An access of lanes, each to `bytes` bytes at base + offset, of an object with `size` bytes from
// its base on.
struct CheckedAccess {
  const CheckedWorkgroup* workgroup;
  const uint8_t* live;          // of each lane: 0 where it takes no part
  const uint32_t* invocations;  // LocalInvocationIndex of each lane
  const uint8_t* within;        // of each lane: 0 where an index is past its array; null: none is
  LaneNumbers base, offset, size;
  uint64_t bytes;
  uint64_t alignment;  // that addresses must have, in bytes; of checkAddresses
  uint32_t lanes;
  AccessKind kind;
  AccessedMemory memory;  // of checkBounds
};

// The bounds of an object.
void checkBounds(const DispatchArgs* dispatch, const char* site, const CheckedAccess* access);

// A store to what is declared as not writable.
void checkReadOnly(const DispatchArgs* dispatch, const char* site, const CheckedAccess* access);

// An access by device addresses, which `offset` has. `allowed[l]` becomes 0 where lane l must not
// carry it out; `known` becomes the addresses of a buffer that a lane was found to access, begin
// and end.
void checkAddresses(const DispatchArgs* dispatch, const char* site, const CheckedAccess* access,
                    uint8_t* allowed, uint64_t* known);

// How a matrix lies: its lines, rows or columns, as bits of a number.
struct MatrixForm {
  uint32_t lines;   // 16 bits
  uint32_t length;  // of a line, in components: 16 bits
  uint32_t bytes;   // of a component: 8 bits
  bool by_columns;  // lines are columns
  bool is_store;
  bool by_address;    // of a device address, without an object
  bool may_leave;     // the object: only its alignment is checked
  bool is_unaligned;  // it needs no more than its components' alignment
  constexpr uint64_t pack() const {
    return uint64_t{lines} | uint64_t{length} << 16 | uint64_t{bytes} << 32 |
           uint64_t{by_columns} << 40 | uint64_t{is_store} << 41 | uint64_t{by_address} << 42 |
           uint64_t{may_leave} << 43 | uint64_t{is_unaligned} << 44;
  }
  static constexpr MatrixForm unpack(uint64_t form) {
    return {static_cast<uint32_t>(form & 0xffff),
            static_cast<uint32_t>(form >> 16 & 0xffff),
            static_cast<uint32_t>(form >> 32 & 0xff),
            (form >> 40 & 1) != 0,
            (form >> 41 & 1) != 0,
            (form >> 42 & 1) != 0,
            (form >> 43 & 1) != 0,
            (form >> 44 & 1) != 0};
  }
};

// A cooperative matrix whose first component lies `offset` bytes into an object of `size` bytes,
// and whose lines are `stride` bytes apart.
void checkMatrix(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y, uint32_t z,
                 uint32_t subgroup, const std::byte* base, uint64_t offset, uint64_t size,
                 int64_t stride, uint64_t form);

// Bytes that may be accessed from `address` on, where `size` of them are an object: those to the
// end of the allocation of memory that it lies in. For CheckAction::Report.
uint64_t accessibleBytes(const DispatchArgs* dispatch, const std::byte* address, uint64_t size);

// Bytes from a device address to the end of the buffer that it lies in; 0: it lies in none.
uint64_t addressedBytes(const DispatchArgs* dispatch, const std::byte* address);

}  // namespace rt
