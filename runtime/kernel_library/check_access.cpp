// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/check_access.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "runtime/kernel_library/site_report.h"
#include "runtime/quantity.h"

namespace rt {

namespace {

// Lanes with the same kind of finding.
struct Found {
  uint32_t lane = 0, count = 0;
};
using FoundKinds = std::array<Found, std::size(kFindings)>;

void add(FoundKinds& found, FindingKind kind, uint32_t lane) {
  Found& of = found[static_cast<size_t>(kind)];
  if (of.count++ == 0) of.lane = lane;
}

std::string accessText(const CheckedAccess& access) {
  const char* kinds[] = {"a load of ", "a store of ", "an atomic operation on "};
  return kinds[static_cast<size_t>(access.kind)] + bytesText(access.bytes);
}

void setActor(Finding& finding, const CheckedAccess& access, const Found& found) {
  Actor& actor = *finding.actor;
  actor.invocation = access.invocations[found.lane];
  actor.subgroup = *actor.invocation / finding.site.subgroup_size;
  actor.others = found.count - 1;
  finding.is_store = access.kind != AccessKind::Load;
}

// What is wrong with an access that is not inside.
FindingKind kindOf(const CheckedAccess& access, uint32_t lane) {
  if (access.memory == AccessedMemory::Variable) return FindingKind::VariableBounds;
  if (access.memory == AccessedMemory::TensorBlock) return FindingKind::TensorBounds;
  if (access.size.of(lane) != 0) return FindingKind::BufferBounds;
  // A dynamic descriptor's offset, of 32 bits, may have been added to a null address.
  return access.base.of(lane) >> 32 == 0 ? FindingKind::NullDescriptor
                                         : FindingKind::DescriptorBounds;
}

std::string boundsText(FindingKind kind, const CheckedAccess& access, uint32_t lane,
                       const CheckSite& site) {
  const std::string what = accessText(access), object = ofObject(site);
  const uint64_t offset = access.offset.of(lane), size = access.size.of(lane);
  switch (kind) {
    case FindingKind::ArrayBounds:
      return what + object + " with an index past the end of its array, at byte " +
             std::to_string(offset) + " of " + std::to_string(size);
    case FindingKind::DescriptorBounds:
      return what + object + " through a descriptor past the end of its array of descriptors";
    case FindingKind::NullDescriptor:
      return what + object + " through a descriptor that is null, or was never written";
    case FindingKind::TensorBounds:
      return what + ", a block of a tensor, " + offsetText(offset, size) + object;
    default:
      return what + " " + offsetText(offset, size) + object;
  }
}

}  // namespace

void checkBounds(const DispatchArgs* dispatch, const char* site, const CheckedAccess* access) {
  guarded(dispatch, [&] {
    if (dispatch->checker == nullptr) return;
    FoundKinds found{};
    for (uint32_t lane = 0; lane < access->lanes; ++lane) {
      if (access->live[lane] == 0) continue;
      const uint64_t offset = access->offset.of(lane), size = access->size.of(lane);
      const bool is_inside = offset <= size && access->bytes <= size - offset;
      const bool is_allowed = access->memory == AccessedMemory::RobustBuffer ||
                              (access->memory == AccessedMemory::NullableBuffer && size == 0);
      if (!is_inside) {
        if (!is_allowed) add(found, kindOf(*access, lane), lane);
      } else if (access->within != nullptr && access->within[lane] == 0) {
        add(found, FindingKind::ArrayBounds, lane);
      }
    }
    const SiteReport report(dispatch, site, *access->workgroup);
    for (size_t k = 0; k < found.size(); ++k) {
      if (found[k].count == 0) continue;
      const auto kind = static_cast<FindingKind>(k);
      report.add(kind, [&](Finding& finding) {
        const uint32_t lane = found[k].lane;
        setActor(finding, *access, found[k]);
        finding.what = boundsText(kind, *access, lane, finding.site);
        if (access->memory != AccessedMemory::Variable && access->size.of(lane) != 0) {
          const uint64_t base = access->base.of(lane);
          describeBuffer(report.checker().memory(), base, finding);
          finding.address = base + access->offset.of(lane);
        }
      });
    }
  });
}

void checkReadOnly(const DispatchArgs* dispatch, const char* site, const CheckedAccess* access) {
  guarded(dispatch, [&] {
    if (dispatch->checker == nullptr) return;
    FoundKinds found{};
    for (uint32_t lane = 0; lane < access->lanes; ++lane)
      if (access->live[lane] != 0) add(found, FindingKind::ReadOnly, lane);
    const Found& of = found[static_cast<size_t>(FindingKind::ReadOnly)];
    if (of.count == 0) return;
    const SiteReport report(dispatch, site, *access->workgroup);
    report.add(FindingKind::ReadOnly, [&](Finding& finding) {
      setActor(finding, *access, of);
      finding.what =
          std::string(access->kind == AccessKind::Store ? "a store" : "an atomic operation") +
          " to what the shader declares as not writable" + ofObject(finding.site);
      describeBuffer(report.checker().memory(),
                     access->base.of(of.lane) + access->offset.of(of.lane), finding);
    });
  });
}

void checkAddresses(const DispatchArgs* dispatch, const char* site, const CheckedAccess* access,
                    uint8_t* allowed, uint64_t* known) {
  guarded(dispatch, [&] {
    std::fill_n(allowed, access->lanes, uint8_t{dispatch->checker == nullptr});
    if (dispatch->checker == nullptr) return;
    const SiteReport report(dispatch, site, *access->workgroup);
    const MemoryMap& memory = report.checker().memory();
    const bool carries_out = report.checker().options().action == CheckAction::Report;
    FoundKinds found{};
    std::optional<MemoryMap::Range> buffer;  // of the lane before
    for (uint32_t lane = 0; lane < access->lanes; ++lane) {
      allowed[lane] = 1;
      if (access->live[lane] == 0) continue;
      const uint64_t address = access->offset.of(lane);
      if (access->within != nullptr && access->within[lane] == 0)
        add(found, FindingKind::ArrayBounds, lane);
      if (address % access->alignment != 0) add(found, FindingKind::Alignment, lane);
      if (buffer && buffer->contains(address, access->bytes)) continue;
      if (auto other = memory.bufferAt(address, access->bytes)) {
        buffer = other;
        continue;
      }
      add(found, FindingKind::Address, lane);
      allowed[lane] = carries_out && memory.allocationAt(address, access->bytes) ? 1 : 0;
    }
    if (buffer) {
      known[0] = buffer->begin;
      known[1] = buffer->end;
    }
    auto complete = [&](FindingKind kind, auto text) {
      const Found& of = found[static_cast<size_t>(kind)];
      if (of.count == 0) return;
      report.add(kind, [&](Finding& finding) {
        setActor(finding, *access, of);
        finding.address = access->offset.of(of.lane);
        finding.what = accessText(*access) + " at device address " +
                       describeAddress(finding.address) + text(finding.address);
        if (kind != FindingKind::Address) describeBuffer(memory, finding.address, finding);
      });
    };
    complete(FindingKind::Address, [&](uint64_t address) {
      if (const auto part = memory.bufferAt(address, 1))
        return ", of which " + bytesText(part->end - address) + " are in " +
               memory.describe("buffer", part->object);
      return ", in no buffer: " + memory.describeNeighbourhood(address);
    });
    complete(FindingKind::ArrayBounds,
             [](uint64_t) { return std::string(", with an index past the end of its array"); });
    complete(FindingKind::Alignment, [&](uint64_t) {
      return ", which is no multiple of " + std::to_string(access->alignment);
    });
  });
}

uint64_t accessibleBytes(const DispatchArgs* dispatch, const std::byte* address, uint64_t size) {
  if (dispatch->checker == nullptr || size == 0) return size;
  const auto begin = reinterpret_cast<uintptr_t>(address);
  const auto allocation = dispatch->checker->memory().allocationAt(begin, 1);
  return allocation ? std::max(size, allocation->end - begin) : size;
}

uint64_t addressedBytes(const DispatchArgs* dispatch, const std::byte* address) {
  const auto begin = reinterpret_cast<uintptr_t>(address);
  if (dispatch->checker == nullptr) return ~uint64_t{0};
  const auto buffer = dispatch->checker->memory().bufferAt(begin, 1);
  return buffer ? buffer->end - begin : 0;
}

namespace {

// The first component that is outside, and how many are.
struct OutsideComponents {
  uint32_t line = 0, position = 0;
  uint64_t count = 0;
};

OutsideComponents outsideOf(const MatrixForm& form, uint64_t offset, uint64_t size,
                            int64_t stride) {
  OutsideComponents outside;
  for (uint32_t line = 0; line < form.lines; ++line) {
    const uint64_t begin = offset + static_cast<uint64_t>(stride) * line;
    uint32_t inside = 0;  // from the first component on
    if (begin < size)
      inside = static_cast<uint32_t>(std::min<uint64_t>((size - begin) / form.bytes, form.length));
    if (inside == form.length) continue;
    if (outside.count == 0) outside = {line, inside, 0};
    outside.count += form.length - inside;
  }
  return outside;
}

}  // namespace

void checkMatrix(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y, uint32_t z,
                 uint32_t subgroup, const std::byte* base, uint64_t offset, uint64_t size,
                 int64_t stride, uint64_t packed_form) {
  guarded(dispatch, [&] {
    if (dispatch->checker == nullptr) return;
    const CheckedWorkgroup workgroup{{x, y, z}, subgroup};
    const MatrixForm form = MatrixForm::unpack(packed_form);
    const uint64_t line_bytes = uint64_t{form.length} * form.bytes;
    const uint64_t address = reinterpret_cast<uintptr_t>(base) + offset;
    const SiteReport report(dispatch, site, workgroup);
    const MemoryMap& memory = report.checker().memory();
    if (form.by_address) {
      const auto buffer = memory.bufferAt(address, 1);
      size = buffer ? buffer->bytes() : 0;
      offset = size != 0 ? address - buffer->begin : 0;
    }
    // No stride or size is so large that these overflow, or they are outside without them.
    constexpr uint64_t kMost = uint64_t{1} << 47;
    const bool is_inside =
        0 <= stride && static_cast<uint64_t>(stride) < kMost && offset < kMost &&
        offset + static_cast<uint64_t>(stride) * (form.lines - 1) + line_bytes <= size;
    const char* access = form.is_store ? "a store of a matrix" : "a load of a matrix";
    if (!is_inside && !form.may_leave) {
      const OutsideComponents outside = outsideOf(form, offset, size, stride);
      if (outside.count != 0)
        report.add(FindingKind::MatrixBounds, [&](Finding& finding) {
          const uint32_t row = form.by_columns ? outside.position : outside.line;
          const uint32_t column = form.by_columns ? outside.line : outside.position;
          const uint64_t at = offset + static_cast<uint64_t>(stride) * outside.line +
                              uint64_t{outside.position} * form.bytes;
          finding.what = std::string(access) + " leads outside" + ofObject(finding.site) +
                         ": row " + std::to_string(row) + ", column " + std::to_string(column) +
                         " " + offsetText(at, size);
          const uint32_t rows = form.by_columns ? form.length : form.lines;
          const uint32_t columns = form.by_columns ? form.lines : form.length;
          finding.details.push_back(
              std::to_string(outside.count) + " of " + std::to_string(rows * uint64_t{columns}) +
              " elements of a " + std::to_string(rows) + "x" + std::to_string(columns) +
              " matrix are outside, its stride is " + std::to_string(stride) + " bytes");
          finding.is_store = form.is_store;
          describeBuffer(memory, address, finding);
        });
    }
    // VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986; SPV_NV_cooperative_matrix has no such
    // rule.
    const uint64_t alignment =
        form.is_unaligned ? form.bytes : std::min<uint64_t>(16, line_bytes & -line_bytes);
    const bool is_aligned =
        address % alignment == 0 && static_cast<uint64_t>(stride) % alignment == 0;
    if (!is_aligned)
      report.add(FindingKind::MatrixAlignment, [&](Finding& finding) {
        const bool is_pointer = address % alignment != 0;
        finding.what = std::string(access) + ofObject(finding.site) + " whose " +
                       (is_pointer ? "pointer, byte " + std::to_string(offset) + ","
                                   : "stride, " + std::to_string(stride) + " bytes,") +
                       " is no multiple of " + bytesText(alignment);
        finding.is_store = form.is_store;
        describeBuffer(memory, address, finding);
      });
  });
}

}  // namespace rt
