// SPDX-License-Identifier: Apache-2.0

// The kernels of suite_bench: which there are, and their C++. A kernel NAME is the file
// kernels/NAME.comp, whose header says on what it runs and in which spellings (the format of
// tests/kernels/README.md), a C++ function of the same algorithm, and a row here that joins them.
// kernels/NAME.ispc and kernels/NAME.cl stand beside it where there are such files.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bench {

// The kernel's push constants, word by word.
struct Push {
  const uint32_t* words;
  uint32_t operator[](size_t index) const { return words[index]; }
  float real(size_t index) const { return std::bit_cast<float>(words[index]); }
};

// Calls a function that takes the push constants and then each buffer by a pointer of its type, in
// the order of the file's header.
using PeerCall = void (*)(Push push, std::byte* const* buffers);

template <auto kFunction>
struct Peer;
template <typename... Pointers, void (*kFunction)(Push, Pointers...)>
struct Peer<kFunction> {
  static constexpr size_t kBuffers = sizeof...(Pointers);
  static void call(Push push, std::byte* const* buffers) {
    [&]<size_t... kIndex>(std::index_sequence<kIndex...>) {
      kFunction(push, reinterpret_cast<Pointers>(buffers[kIndex])...);
    }(std::index_sequence_for<Pointers...>());
  }
};

struct KernelRow {
  const char* name;
  size_t buffers;  // that the function takes
  PeerCall peer;
};

template <auto kFunction>
constexpr KernelRow kernelRow(const char* name) {
  return {name, Peer<kFunction>::kBuffers, Peer<kFunction>::call};
}

struct KernelGroup {
  const char* name;
  std::span<const KernelRow> rows;
};

#define KERNEL_GROUP(name) std::span<const KernelRow> name##Kernels();
#include "bench/suite/groups.def"
#undef KERNEL_GROUP

std::vector<KernelGroup> kernelGroups();

}  // namespace bench
