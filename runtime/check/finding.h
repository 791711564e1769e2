// SPDX-License-Identifier: Apache-2.0

// One finding of a check: what, where in the source, by whom.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/check/kinds.h"

namespace rt {

// A line of the source, in a function that was called from the next frame's line. What is not known
// is empty or 0.
struct SourceFrame {
  std::string file;
  uint32_t line = 0, column = 0;
  std::string function;
};

// An instruction of a shader, as its kernel describes it: see describeSite().
struct CheckSite {
  std::string shader;       // name of the pipeline's stage or of the module; may be empty
  std::string instruction;  // "OpStore"
  uint32_t word = 0;        // its position in the module
  std::string object;       // "buffer 'Results' (set 0, binding 1)"; may be empty
  std::array<uint32_t, 3> workgroup_size{1, 1, 1};
  uint32_t subgroup_size = 1;
  std::vector<SourceFrame> frames;  // innermost first; none: the module has no lines
};

// A site as bytes that generated code holds, one string to its terminating zero, and back.
std::string describeSite(const CheckSite& site);
CheckSite readSite(std::string_view description);

// Who did it: a workgroup, one subgroup of it, one of its invocations.
struct Actor {
  std::array<uint32_t, 3> workgroup{};
  std::optional<uint32_t> subgroup;
  std::optional<uint32_t> invocation;  // LocalInvocationIndex; none: several, or all, of it
  uint32_t others = 0;                 // of the same subgroup that did the same at the same time
};

struct Finding {
  FindingKind kind;
  std::string what;  // in words, without a full stop: "a store of 4 bytes at ..."
  CheckSite site;
  std::optional<Actor> actor;
  std::optional<CheckSite> other_site;  // of a race: the access that came first
  std::optional<Actor> other_actor;
  std::vector<std::string> details;  // a line each: the buffer, its memory, elements of a matrix
  uint64_t address = 0;              // of device memory; 0: none
  bool is_store = false;
  std::string id = {};  // of the message; empty: that of the kind
};

// Whether it is about an instruction of a shader, and not about a command of the API.
inline bool hasPlace(const Finding& finding) { return !finding.site.instruction.empty(); }

// The id of its message.
inline std::string_view idOf(const Finding& finding) {
  return finding.id.empty() ? rowOf(finding.kind).id : std::string_view(finding.id);
}

// "workgroup (1, 0, 0), subgroup 0, invocation ..."
std::string describeActor(const Actor& actor, const CheckSite& site);

// "file:line:column", or what of it is known; the position in the module where nothing is.
std::string placeOf(const CheckSite& site);

// "memory: buffer-bounds: a store ...": the first line of the report.
std::string headOf(const Finding& finding);

// The report for people: several lines, no newline at the end.
std::string textOf(const Finding& finding);

}  // namespace rt
