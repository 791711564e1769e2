// SPDX-License-Identifier: Apache-2.0

// What the checks that kernels call have in common: reports of one site. Internal to
// runtime/kernel_library.
#pragma once

#include <algorithm>
#include <new>
#include <string>

#include "runtime/check/checker.h"
#include "runtime/kernel_abi.h"
#include "runtime/kernel_library/check_access.h"

namespace rt {

// Generated code knows nothing of exceptions: without memory the device is lost.
template <typename Body>
void guarded(const DispatchArgs* dispatch, Body body) noexcept {
  try {
    body();
  } catch (const std::bad_alloc&) {
    dispatch->checker->giveUp();
  }
}

// What is reported at a site, if it is news. For a dispatch that has a checker.
class SiteReport {
 public:
  SiteReport(const DispatchArgs* dispatch, const char* site, const CheckedWorkgroup& workgroup)
      : checker_(*dispatch->checker), site_(site), workgroup_(workgroup) {}

  Checker& checker() const { return checker_; }

  // `complete` fills in what is the kind's own.
  template <typename Complete>
  void add(FindingKind kind, Complete complete) const {
    if (!checker_.isNews(kind, site_)) return;
    Finding finding{.kind = kind, .what = {}, .site = readSite(site_), .actor = {}, .details = {}};
    Actor& actor = finding.actor.emplace();
    std::copy_n(workgroup_.id, 3, actor.workgroup.begin());
    if (workgroup_.subgroup != kNoSubgroup) actor.subgroup = workgroup_.subgroup;
    complete(finding);
    checker_.report(finding);
  }

 private:
  Checker& checker_;
  const char* site_;
  const CheckedWorkgroup& workgroup_;
};

inline std::string bytesText(uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

// "begins at byte 240 of 240", "begins 12 bytes before the start".
inline std::string offsetText(uint64_t offset, uint64_t size) {
  if (static_cast<int64_t>(offset) < 0)
    return "begins " + bytesText(0 - offset) + " before the start";
  return "begins at byte " + std::to_string(offset) + " of " + std::to_string(size);
}

// " of 'weights' (set 0, binding 1)", or nothing.
inline std::string ofObject(const CheckSite& site) {
  return site.object.empty() ? std::string() : " of " + site.object;
}

// Says which buffer an address is in.
inline void describeBuffer(const MemoryMap& memory, uint64_t address, Finding& finding) {
  finding.address = address;
  const auto buffer = memory.bufferAt(address, 1);
  if (!buffer) return;
  finding.details.push_back(memory.describe("buffer", buffer->object) + " of " +
                            bytesText(buffer->bytes()) + ", byte " +
                            std::to_string(address - buffer->begin));
}

}  // namespace rt
