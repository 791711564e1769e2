// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/check_uninit.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "runtime/kernel_library/site_report.h"

namespace rt {

namespace {

FindingKind findingOf(Decision decision) {
  switch (decision) {
    case Decision::Branch:
      return FindingKind::UninitBranch;
    case Decision::Address:
      return FindingKind::UninitAddress;
    case Decision::Atomic:
      return FindingKind::UninitAtomic;
    default:
      return FindingKind::UninitStore;
  }
}

std::string decisionText(Decision decision, const CheckSite& site) {
  const std::string& object = site.object;
  switch (decision) {
    case Decision::Branch:
      return "a branch depends on a value that nobody has set";
    case Decision::Address:
      return "an address" + (object.empty() ? std::string() : " in " + object) +
             " depends on a value that nobody has set";
    case Decision::Atomic:
      return "an atomic operation" + (object.empty() ? std::string() : " on " + object) +
             " has an operand that nobody has set, or memory that nobody has written";
    default:
      return "a value that nobody has set is stored" +
             (object.empty() ? std::string() : " to " + object);
  }
}

}  // namespace

void uninitFound(const DispatchArgs* dispatch, const char* site, const CheckedAccess* access,
                 uint32_t decision) {
  guarded(dispatch, [&] {
    if (dispatch->checker == nullptr) return;
    uint32_t lane = access->lanes, count = 0;
    for (uint32_t l = 0; l < access->lanes; ++l) {
      if (access->live[l] == 0 || access->within[l] != 0) continue;
      lane = std::min(lane, l);
      ++count;
    }
    if (count == 0) return;
    const SiteReport report(dispatch, site, *access->workgroup);
    const auto decides = static_cast<Decision>(decision);
    report.add(findingOf(decides), [&](Finding& finding) {
      Actor& actor = *finding.actor;
      actor.invocation = access->invocations[lane];
      actor.subgroup = *actor.invocation / finding.site.subgroup_size;
      actor.others = count - 1;
      finding.what = decisionText(decides, finding.site);
      finding.is_store = decides == Decision::Store;
    });
  });
}

void uninitFoundTogether(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y,
                         uint32_t z, uint32_t subgroup, uint32_t decision, uint32_t is_undefined) {
  if (is_undefined == 0) return;
  guarded(dispatch, [&] {
    if (dispatch->checker == nullptr) return;
    const CheckedWorkgroup workgroup{{x, y, z}, subgroup};
    const SiteReport report(dispatch, site, workgroup);
    const auto decides = static_cast<Decision>(decision);
    report.add(findingOf(decides), [&](Finding& finding) {
      finding.what = decisionText(decides, finding.site);
      finding.is_store = decides == Decision::Store;
    });
  });
}

namespace {

// "rows 3, 5 to 7"
std::string linesText(const char* what, uint64_t lines) {
  std::string text;
  for (unsigned first = 0; first < 64; ++first) {
    if ((lines >> first & 1) == 0) continue;
    unsigned last = first;
    while (last + 1 < 64 && (lines >> (last + 1) & 1) != 0) ++last;
    text += (text.empty() ? what : ", ") + std::to_string(first);
    if (last != first) text += " to " + std::to_string(last);
    first = last;
  }
  return text;
}

}  // namespace

void uninitMatrix(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y,
                  uint32_t z, uint32_t subgroup, uint64_t rows, uint64_t columns) {
  if ((rows | columns) == 0) return;
  guarded(dispatch, [&] {
    if (dispatch->checker == nullptr) return;
    const CheckedWorkgroup workgroup{{x, y, z}, subgroup};
    const SiteReport report(dispatch, site, workgroup);
    report.add(FindingKind::UninitStore, [&](Finding& finding) {
      finding.what = "a matrix with elements that nobody has set is stored" +
                     (finding.site.object.empty() ? std::string() : " to " + finding.site.object);
      const std::string in_rows = linesText("rows ", rows);
      const std::string in_columns = linesText("columns ", columns);
      finding.details.push_back("undefined elements are in " + in_rows +
                                (in_rows.empty() || in_columns.empty() ? "" : ", ") + in_columns);
      finding.is_store = true;
    });
  });
}

uint64_t undefinedLines(const std::byte* shadow, uint64_t packed) {
  const ShadowForm form = ShadowForm::unpack(packed);
  uint64_t lines = 0;
  const uint64_t row_bytes = uint64_t{form.columns} * form.bytes;
  for (uint32_t row = 0; row < form.rows; ++row) {
    const std::byte* begin = shadow + row * row_bytes;
    for (uint64_t byte = 0; byte < row_bytes; ++byte) {
      if (begin[byte] == std::byte{0}) continue;
      const uint64_t line = form.asks_for_columns ? byte / form.bytes : row;
      lines |= uint64_t{1} << line % 64;
      if (!form.asks_for_columns) break;
    }
  }
  return lines;
}

void undefineLines(std::byte* shadow, uint64_t packed, uint64_t rows, uint64_t columns) {
  if ((rows | columns) == 0) return;
  const ShadowForm form = ShadowForm::unpack(packed);
  const uint64_t row_bytes = uint64_t{form.columns} * form.bytes;
  for (uint32_t row = 0; row < form.rows; ++row) {
    std::byte* begin = shadow + row * row_bytes;
    if ((rows >> row % 64 & 1) != 0) {
      std::memset(begin, 0xff, row_bytes);
      continue;
    }
    for (uint32_t column = 0; column < form.columns; ++column)
      if ((columns >> column % 64 & 1) != 0)
        std::memset(begin + uint64_t{column} * form.bytes, 0xff, form.bytes);
  }
}

}  // namespace rt
