// SPDX-License-Identifier: Apache-2.0

// What the compiler says that it has not made fast (remarks.def). No LLVM type appears here.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace jit {

enum class RemarkKind : uint8_t {
#define REMARK(id, name, what) id,
#include "jit/base/remarks.def"
#undef REMARK
};

struct RemarkRow {
  std::string_view name;  // in remarks
  std::string_view what;  // it is of
};

// By RemarkKind.
inline constexpr RemarkRow kRemarkRows[] = {
#define REMARK(id, name, what) {name, what},
#include "jit/base/remarks.def"
#undef REMARK
};

// How many of each kind there are.
using RemarkCounts = std::array<uint32_t, std::size(kRemarkRows)>;

struct Remark {
  RemarkKind kind;
  std::string pass;    // that looked at it, ours or LLVM's
  std::string reason;  // why it is so
  std::string file;    // where in the shader; line is 0 where the module does not say
  uint32_t line;
  uint32_t column;
};

// For people: a line each, `FILE:LINE:COLUMN: NAME: REASON [PASS]`, equal ones once with their
// number; the location is missing where the module does not say it.
std::string describeRemarks(std::span<const Remark> remarks);

// In LLVM's own format of optimization records, which its tools read.
std::string remarksAsYaml(std::span<const Remark> remarks);

}  // namespace jit
