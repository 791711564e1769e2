// SPDX-License-Identifier: Apache-2.0

// What a kernel for debuggers keeps at the start of its stream's frame (ir/kernel_frame.h): which
// invocations run the current code, and whose values variables are shown of. Debuggers see it as
// the variable `tessera`, and may set `lane`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace jit {

struct DebugFrame {
  const void* dispatch;  // an rt::DispatchArgs
  const void* shared;    // the workgroup's memory
  // The same for all of the kernel, but for `first` and `width` in a stream as wide as the
  // workgroup. The current code is that of `width` lanes from `first` on: of the stream, or, in a
  // wide one, of one subgroup.
  uint32_t first, width;
  uint32_t subgroup_size;
  uint32_t lanes;                          // of a stream
  uint32_t quads;                          // 1: lanes are 2x2 invocations in x and y, four by four
  std::array<uint32_t, 3> workgroup_size;  // in invocations
  // The lane of the stream that variables are shown of: the one that was chosen, as long as it is
  // live, and else the first that is.
  uint32_t lane;
  uint32_t stream;                    // the number of the stream in the workgroup
  std::array<uint32_t, 3> workgroup;  // WorkgroupId
  std::array<uint32_t, 3> workgroup_count;
  // Which of the `width` lanes are live: bit l % 64 of word l / 64.
  std::array<uint64_t, 16> live;
};

// Of each stream of a workgroup, on the kernel's stack: the variable `tessera_streams`. Kernels
// without barriers have none: their streams run one after the other.
struct DebugStream {
  // `at`, where it is not the line of the barrier that the stream waits at.
  enum State : int32_t { kRuns = 0, kHasEnded = -1, kHasNotBegun = -2 };
  const DebugFrame* frame;
  int32_t at;
};

}  // namespace jit
