// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/check_host.h"

#include <optional>

#include "runtime/kernel_library/site_report.h"
#include "runtime/kernel_library/tensor_elements.h"

namespace rt {

namespace {

// Null: the host has written nothing, or nobody is to know.
const HostWrites* hostWritesOf(const DispatchArgs* dispatch) {
  const Checker* checker = dispatch->checker;
  const bool is_any =
      checker != nullptr && checker->host_writes.count.load(std::memory_order_relaxed) != 0;
  return is_any ? &checker->host_writes : nullptr;
}

void describe(const SiteReport& report, const std::string& access, bool is_store, uint64_t written,
              Finding& finding) {
  finding.what = access + ofObject(finding.site) + (is_store ? " meets" : " reads") +
                 " what the host has written since the submission";
  finding.is_store = is_store;
  describeBuffer(report.checker().memory(), written, finding);
}

}  // namespace

void hostAccess(const DispatchArgs* dispatch, const char* site, const CheckedAccess* access) {
  guarded(dispatch, [&] {
    const HostWrites* writes = hostWritesOf(dispatch);
    if (writes == nullptr) return;
    for (uint32_t lane = 0; lane < access->lanes; ++lane) {
      if (access->live[lane] == 0) continue;
      const uint64_t address = access->base.of(lane) + access->offset.of(lane);
      const std::optional<uint64_t> written = writes->find(address, access->bytes);
      if (!written) continue;
      const SiteReport report(dispatch, site, *access->workgroup);
      report.add(FindingKind::HostAccess, [&](Finding& finding) {
        finding.actor->invocation = access->invocations[lane];
        finding.actor->subgroup = access->invocations[lane] / finding.site.subgroup_size;
        const char* kinds[] = {"a load of ", "a store of ", "an atomic operation on "};
        describe(report, kinds[static_cast<size_t>(access->kind)] + bytesText(access->bytes),
                 access->kind != AccessKind::Load, *written, finding);
      });
      return;
    }
  });
}

void hostMatrix(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y, uint32_t z,
                uint32_t subgroup, uint64_t address, int64_t stride, uint64_t packed_form) {
  guarded(dispatch, [&] {
    const HostWrites* writes = hostWritesOf(dispatch);
    if (writes == nullptr) return;
    const MatrixForm form = MatrixForm::unpack(packed_form);
    for (uint32_t line = 0; line < form.lines; ++line) {
      const std::optional<uint64_t> written = writes->find(
          address + static_cast<uint64_t>(stride) * line, uint64_t{form.length} * form.bytes);
      if (!written) continue;
      const SiteReport report(dispatch, site, {{x, y, z}, subgroup});
      report.add(FindingKind::HostAccess, [&](Finding& finding) {
        describe(report, form.is_store ? "a store of a matrix" : "a load of a matrix",
                 form.is_store, *written, finding);
      });
      return;
    }
  });
}

void hostTensor(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y, uint32_t z,
                uint32_t subgroup, uint64_t address, const TensorForm* form,
                const TensorState* state, uint32_t is_store) {
  guarded(dispatch, [&] {
    const HostWrites* writes = hostWritesOf(dispatch);
    if (writes == nullptr) return;
    const TensorElements elements(*form, *state, is_store != 0);
    for (uint32_t k = 0; k < form->rows * form->columns; ++k) {
      const std::optional<uint32_t> element = elements.of(k / form->columns, k % form->columns);
      if (!element) continue;
      const std::optional<uint64_t> written =
          writes->find(address + uint64_t{*element} * form->component_bytes, form->component_bytes);
      if (!written) continue;
      const SiteReport report(dispatch, site, {{x, y, z}, subgroup});
      report.add(FindingKind::HostAccess, [&](Finding& finding) {
        describe(report, is_store != 0 ? "a store of a matrix" : "a load of a matrix",
                 is_store != 0, *written, finding);
      });
      return;
    }
  });
}

}  // namespace rt
