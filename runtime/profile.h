// SPDX-License-Identifier: Apache-2.0

// What the dispatches of a pipeline have cost (TESSERA_PROFILE).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/given_name.h"

namespace rt {

// By the instructions that products are made of, as far as they tell how fast a machine can be.
enum class ProductKind : uint8_t {
  F32,   // fused multiply-adds of f32: f32 and f16, and bf16 and 8-bit floats where that is faster
  F64,   // the same of f64
  Bf16,  // dot products of pairs of bf16 into f32
  Int8,  // dot products of quads of bytes into s32
  Other  // integers of 16 bits and more, and what has no such instruction
};
inline constexpr size_t kProductKinds = 5;

// Multiply-adds of matrices, of all threads. Each thread counts in a line of its own, if there are
// not more of them than lines.
class ProductCounts {
 public:
  void add(ProductKind kind, uint64_t multiply_adds);  // on this thread's behalf
  uint64_t sum(ProductKind kind) const;

 private:
  struct alignas(64) Line {
    std::array<std::atomic<uint64_t>, kProductKinds> counts{};
  };
  std::array<Line, 64> lines_;
};

// Of one pipeline: the sums over its dispatches so far.
struct KernelProfile {
  GivenName given_name;  // the pipeline's; empty: it has none
  std::atomic<uint64_t> runs = 0, workgroups = 0;
  std::atomic<uint64_t> wall_nanoseconds = 0;  // from the first workgroup to the last
  std::atomic<uint64_t> cpu_nanoseconds = 0;   // of all threads, in its workgroups
  // Of the storage and uniform buffers that descriptors of its sets named.
  std::atomic<uint64_t> bound_bytes = 0;
  ProductCounts products;
};

}  // namespace rt
