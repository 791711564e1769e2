// SPDX-License-Identifier: Apache-2.0

// debugPrintf (NonSemantic.DebugPrintf): what kernels print, formatted and passed on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/kernel_library/number_formats.h"

namespace rt {

enum class PrintfKind : uint8_t { Signed, Unsigned, Float, String, CooperativeMatrix };

// One argument of a debugPrintf, as generated code describes it.
struct PrintfArgument {
  PrintfKind kind;
  uint8_t bits;        // of a component: 8 to 64; of what is an address, 64
  uint8_t components;  // that lie in the values: of a vector, or of a matrix column by column; 1
  // Of a CooperativeMatrix, whose value is the address of its elements, row by row; of others 0.
  NumberFormat format = {};
  uint16_t rows = 0, columns = 0;  // of a matrix of either kind; 0: it is none
};
static_assert(sizeof(PrintfArgument) == 8);

// No message is longer. One that would be ends with a note that says so.
inline constexpr size_t kMaxPrintfMessage = size_t{16} << 20;

// The text that `format` makes of arguments whose components follow each other in `values`,
// `stride` apart: integers extended to 64 bits, floats in the low bits. Conversions are those of
// C, with `v2` to `v4` in front of the letter for vectors (GLSL_EXT_debug_printf) and `l` on either
// side of it for 64 bits. What has no argument, or makes no sense, stands in the text as it is.
//
// A conversion of numbers prints a matrix whole: on lines of its own, a row on each, with ", "
// between the elements, all as wide as the widest.
std::string formatPrintf(const char* format, std::span<const PrintfArgument> arguments,
                         const uint64_t* values, size_t stride);

// Where the messages of a device's kernels go, those with which they abort among them.
class DebugPrintf {
 public:
  // Called on the threads that run kernels, several at a time; must not throw.
  using Sink = std::function<void(std::string_view)>;

  // Ends the device, for a reason in words; the message of a shader that aborts. In the same way.
  using Abort = std::function<void(const std::string& reason, std::span<const std::byte> message)>;

  explicit DebugPrintf(Sink sink, Abort abort = {})
      : sink_(std::move(sink)), abort_(std::move(abort)) {}

  void write(std::string_view message) const { sink_(message); }
  void abort(const std::string& reason, std::span<const std::byte> message) const {
    if (abort_) abort_(reason, message);
  }

 private:
  const Sink sink_;
  const Abort abort_;
};

// Called by kernels: prints one message for each invocation whose bit in `live` is set, in their
// order. Component c of invocation i is values[c * width + i].
void debugPrintf(const DebugPrintf* output, const char* format, const PrintfArgument* arguments,
                 uint32_t count, const uint64_t* values, uint32_t width, uint64_t live);

}  // namespace rt
