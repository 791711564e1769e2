// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/check_float.h"

#include <algorithm>
#include <vector>

#include "runtime/kernel_library/checked_numbers.h"
#include "runtime/kernel_library/site_report.h"

namespace rt {

namespace {

struct WrongLanes {
  std::vector<uint32_t> lanes;
  uint32_t component = 0;  // of the first
};

}  // namespace

void checkNumbers(const DispatchArgs* dispatch, const char* site, const CheckedAccess* access,
                  const std::byte* numbers, const CheckedOperation* operation) {
  guarded(dispatch, [&] {
    if (dispatch->checker == nullptr) return;
    const CheckedNumbers checked(numbers, *operation);
    auto isLive = [&](uint32_t lane) { return access->live[lane] != 0; };
    std::array<WrongLanes, std::size(kFindings)> found{};
    for (uint32_t lane = 0; lane < operation->lanes; ++lane) {
      if (!isLive(lane)) continue;
      checked.findIn(lane, isLive, [&](CheckedNumbers::Wrong wrong) {
        WrongLanes& of = found[static_cast<size_t>(wrong.kind)];
        if (of.lanes.empty()) of.component = wrong.component;
        if (of.lanes.empty() || of.lanes.back() != lane) of.lanes.push_back(lane);
      });
    }
    const SiteReport report(dispatch, site, *access->workgroup);
    for (size_t k = 0; k < found.size(); ++k) {
      const WrongLanes& of = found[k];
      if (of.lanes.empty()) continue;
      const auto kind = static_cast<FindingKind>(k);
      report.add(kind, [&](Finding& finding) {
        finding.what = checked.describe(of.lanes[0], {kind, of.component});
        auto subgroupOf = [&](uint32_t lane) {
          return access->invocations[lane] / finding.site.subgroup_size;
        };
        Actor& actor = *finding.actor;
        actor.invocation = access->invocations[of.lanes[0]];
        actor.subgroup = subgroupOf(of.lanes[0]);
        const auto count = std::ranges::count(of.lanes, *actor.subgroup, subgroupOf);
        actor.others = static_cast<uint32_t>(count - 1);
      });
    }
  });
}

}  // namespace rt
