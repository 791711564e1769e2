// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/checker.h"

namespace rt {

bool Checker::isNews(FindingKind kind, std::string_view site) {
  std::string place(site);
  place += static_cast<char>(kind);
  std::lock_guard lock(mutex_);
  if (!places_.insert(std::move(place)).second) return false;
  return count_.fetch_add(1, std::memory_order_relaxed) < options_.most_findings;
}

void Checker::report(const Finding& finding) {
  {
    std::lock_guard lock(reporting_);
    sink_(finding);
  }
  const bool is_memory = rowOf(finding.kind).check == Check::Memory;
  if (is_memory && options_.action == CheckAction::DeviceLost) stop_(headOf(finding));
}

}  // namespace rt
