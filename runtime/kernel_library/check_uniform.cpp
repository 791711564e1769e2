// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/check_uniform.h"

#include <cstring>
#include <string>

#include "runtime/check/barrier_record.h"
#include "runtime/kernel_library/site_report.h"

namespace rt {

namespace {

// A workgroup runs on one thread from its begin to its end.
thread_local BarrierRecord barriers;

std::string nameOf(UniformRule rule) {
  switch (rule) {
    case UniformRule::Barrier:
      return "a barrier of the workgroup";
    case UniformRule::SubgroupBarrier:
      return "a barrier of the subgroup";
    case UniformRule::Matrix:
      return "an operation on a cooperative matrix";
  }
  return {};
}

std::string nameOf(UniformOperand operand) {
  switch (operand) {
    case UniformOperand::Pointer:
      return "the pointer of a cooperative matrix";
    case UniformOperand::Stride:
      return "the stride of a cooperative matrix";
    case UniformOperand::Tensor:
      return "the tensor layout or view of a cooperative matrix";
    case UniformOperand::Lane:
      return "the invocation that a broadcast reads";
    case UniformOperand::Delta:
      return "the distance of a rotation";
    case UniformOperand::Ballot:
      return "a ballot";
    case UniformOperand::Descriptor:
      return "an index into an array of descriptors, without NonUniform,";
  }
  return {};
}

}  // namespace

void checkPresence(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y,
                   uint32_t z, uint32_t subgroup, uint32_t rule, uint32_t present,
                   uint32_t existing) {
  if (present == existing) return;
  guarded(dispatch, [&] {
    if (dispatch->checker == nullptr) return;
    const CheckedWorkgroup workgroup{{x, y, z}, subgroup};
    const auto needed = static_cast<UniformRule>(rule);
    SiteReport(dispatch, site, workgroup)
        .add(needed == UniformRule::Matrix ? FindingKind::DivergentMatrix
                                           : FindingKind::DivergentBarrier,
             [&](Finding& finding) {
               finding.what = nameOf(needed) + " is reached by " + std::to_string(present) +
                              " of " + std::to_string(existing) + " invocations";
             });
  });
}

void checkOperand(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y,
                  uint32_t z, uint32_t subgroup, uint32_t operand, uint32_t differs) {
  if (differs == 0) return;
  guarded(dispatch, [&] {
    if (dispatch->checker == nullptr) return;
    const CheckedWorkgroup workgroup{{x, y, z}, subgroup};
    SiteReport(dispatch, site, workgroup)
        .add(FindingKind::NonuniformOperand, [&](Finding& finding) {
          finding.what = nameOf(static_cast<UniformOperand>(operand)) +
                         " is not the same for all invocations" + ofObject(finding.site);
        });
  });
}

void checkSources(const DispatchArgs* dispatch, const char* sites, uint32_t x, uint32_t y,
                  uint32_t z, uint32_t origins, uint32_t invocation) {
  guarded(dispatch, [&] {
    if (dispatch->checker == nullptr) return;
    const CheckedWorkgroup workgroup{{x, y, z}, kNoSubgroup};
    for (; origins != 0; origins >>= 1, sites += std::strlen(sites) + 1) {
      if ((origins & 1) == 0) continue;
      SiteReport(dispatch, sites, workgroup)
          .add(FindingKind::InactiveSource, [&](Finding& finding) {
            finding.actor->invocation = invocation;
            finding.actor->subgroup = invocation / finding.site.subgroup_size;
            finding.what =
                "a value is used that was read from an invocation of the subgroup that is not "
                "active, or not there";
          });
    }
  });
}

uint32_t checkSpin(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y,
                   uint32_t z, uint32_t subgroup, uint32_t for_lane, uint64_t tries) {
  bool is_over = false;
  guarded(dispatch, [&] {
    if (dispatch->checker == nullptr) return;
    const CheckedWorkgroup workgroup{{x, y, z}, subgroup};
    const SiteReport report(dispatch, site, workgroup);
    const std::string what = for_lane != 0
                                 ? "waits for an invocation that cannot go on before the loop ends"
                                 : "waits for a workgroup that need not begin before this one ends";
    report.add(
        for_lane != 0 ? FindingKind::SpinLane : FindingKind::SpinWorkgroup, [&](Finding& finding) {
          const std::string& object = finding.site.object;
          finding.what = "a loop " + (object.empty() ? "" : "that looks at " + object + " ") + what;
          finding.details.push_back("nothing has changed in " + std::to_string(tries) +
                                    " rounds of the loop");
        });
    is_over = tries >= kMostSpinTries;
    if (is_over) report.checker().stop("a loop " + what);
  });
  return is_over ? 1 : 0;
}

void beginBarriers(const DispatchArgs* dispatch, uint32_t stream, uint32_t streams) {
  if (stream == 0) guarded(dispatch, [&] { barriers.begin(streams); });
}

void comeToBarrier(const DispatchArgs* dispatch, const char* site, uint32_t stream,
                   uint32_t may_differ, uint32_t waits) {
  guarded(dispatch, [&] { barriers.arrive(stream, site, may_differ != 0, waits != 0); });
}

void endBarriers(const DispatchArgs* dispatch, uint32_t x, uint32_t y, uint32_t z,
                 uint32_t stream) {
  guarded(dispatch, [&] {
    const std::vector<BarrierRecord::Site> wrong = barriers.end(stream);
    if (dispatch->checker == nullptr) return;
    const CheckedWorkgroup workgroup{{x, y, z}, kNoSubgroup};
    for (BarrierRecord::Site site : wrong)
      SiteReport(dispatch, site, workgroup)
          .add(FindingKind::DivergentBarrier, [&](Finding& finding) {
            finding.what =
                "subgroups of the workgroup do not come to a barrier equally often, or in "
                "the same order";
          });
  });
}

}  // namespace rt
