// SPDX-License-Identifier: Apache-2.0

// debugPrintf (NonSemantic.DebugPrintf): what kernels print, formatted and passed on.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace rt {

enum class PrintfKind : uint8_t { Signed, Unsigned, Float, String };

// One argument of a debugPrintf, as generated code describes it.
struct PrintfArgument {
  PrintfKind kind;
  uint8_t bits;        // of a component: 8 to 64; a String is the address of its text
  uint8_t components;  // of a vector; 1
  uint8_t unused;
};
static_assert(sizeof(PrintfArgument) == 4);

// The text that `format` makes of arguments whose components follow each other in `values`,
// `stride` apart: integers extended to 64 bits, floats in the low bits. Conversions are those of
// C, with `v2` to `v4` in front of the letter for vectors (GLSL_EXT_debug_printf) and `l` on either
// side of it for 64 bits. What has no argument, or makes no sense, stands in the text as it is.
std::string formatPrintf(const char* format, std::span<const PrintfArgument> arguments,
                         const uint64_t* values, size_t stride);

// Where the messages of a device's kernels go.
class DebugPrintf {
 public:
  // Called on the threads that run kernels, several at a time; must not throw.
  using Sink = std::function<void(std::string_view)>;

  explicit DebugPrintf(Sink sink) : sink_(std::move(sink)) {}

  void write(std::string_view message) const { sink_(message); }

 private:
  const Sink sink_;
};

// Called by kernels: prints one message for each invocation whose bit in `live` is set, in their
// order. Component c of invocation i is values[c * width + i].
void debugPrintf(const DebugPrintf* output, const char* format, const PrintfArgument* arguments,
                 uint32_t count, const uint64_t* values, uint32_t width, uint64_t live);

}  // namespace rt
