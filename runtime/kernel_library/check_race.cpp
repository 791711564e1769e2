// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/check_race.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "runtime/kernel_library/site_report.h"
#include "runtime/kernel_library/tensor_elements.h"

namespace rt {

namespace {

RaceDetector* detectorOf(const DispatchArgs* dispatch) {
  return dispatch->checker != nullptr ? &dispatch->checker->races() : nullptr;
}

RaceAccess accessOf(uint32_t flags) {
  return {.is_store = (flags & kRaceStores) != 0,
          .is_atomic = (flags & kRaceAtomic) != 0,
          .is_matrix = false,
          .is_private = (flags & kRacePrivate) != 0,
          .scope = static_cast<RaceAccess::Scope>(flags >> kRaceScopeShift & 3)};
}

RaceMemories releasesOf(uint32_t flags) {
  return {.buffers = (flags & kRaceReleases) != 0, .shared = (flags & kRaceReleasesShared) != 0};
}

RaceMemories acquiresOf(uint32_t flags) {
  return {.buffers = (flags & kRaceAcquires) != 0, .shared = (flags & kRaceAcquiresShared) != 0};
}

// Of lanes that do the same to one address.
RaceActor together(const CheckedAccess& access, uint32_t first, uint32_t last,
                   uint32_t subgroup_size) {
  if (first == last) return static_cast<RaceActor>(access.invocations[first]);
  const uint32_t subgroup = access.invocations[first] / subgroup_size;
  if (subgroup != access.invocations[last] / subgroup_size) return kWorkgroupActor;
  return static_cast<RaceActor>(kSubgroupActor + subgroup);
}

uint64_t addressOf(const CheckedAccess& access, uint32_t lane) {
  return access.base.of(lane) + access.offset.of(lane);
}

// How many live lanes from `first` on are invocations one after the other with accesses side by
// side; 0: it is not live.
uint32_t sideBySide(const CheckedAccess& access, uint32_t first) {
  if (access.live[first] == 0) return 0;
  uint32_t lane = first + 1;
  for (uint64_t address = addressOf(access, first) + access.bytes;
       lane < access.lanes && access.live[lane] != 0 && addressOf(access, lane) == address &&
       access.invocations[lane] == access.invocations[first] + (lane - first);
       ++lane)
    address += access.bytes;
  return lane - first;
}

// Of lanes that store the same value to the same place, which are one access: of the first one the
// last one, and of others kSameAsFirst. Empty if there are none.
constexpr uint32_t kSameAsFirst = ~0u;
std::vector<uint32_t> lastOfSame(const CheckedAccess& access, const uint64_t* values,
                                 uint64_t value_step) {
  std::vector<uint32_t> lanes;
  lanes.reserve(access.lanes);
  for (uint32_t lane = 0; lane < access.lanes; ++lane)
    if (access.live[lane] != 0) lanes.push_back(lane);
  auto place = [&](uint32_t lane) {
    return std::tuple(addressOf(access, lane), values[lane * value_step], lane);
  };
  std::sort(lanes.begin(), lanes.end(),
            [&](uint32_t a, uint32_t b) { return place(a) < place(b); });
  auto isSame = [&](uint32_t a, uint32_t b) {
    return addressOf(access, a) == addressOf(access, b) &&
           values[a * value_step] == values[b * value_step];
  };
  if (std::adjacent_find(lanes.begin(), lanes.end(), isSame) == lanes.end()) return {};
  std::vector<uint32_t> last(access.lanes, kSameAsFirst);
  for (size_t k = 0, first = 0; k < lanes.size(); ++k) {
    if (!isSame(lanes[first], lanes[k])) first = k;
    last[lanes[first]] = lanes[k];
  }
  return last;
}

}  // namespace

void raceBegin(const DispatchArgs* dispatch, uint32_t x, uint32_t y, uint32_t z, uint32_t stream,
               uint32_t subgroup_size) {
  guarded(dispatch, [&] {
    if (RaceDetector* races = detectorOf(dispatch))
      races->beginStream({x, y, z}, stream, subgroup_size);
  });
}

void raceAccess(const DispatchArgs* dispatch, const char* site, const CheckedAccess* access,
                uint32_t stream, uint32_t flags, const uint64_t* values, uint64_t value_step) {
  guarded(dispatch, [&] {
    RaceDetector* races = detectorOf(dispatch);
    if (races == nullptr) return;
    const RaceAccess kind = accessOf(flags);
    const uint32_t number = races->siteOf(site);
    const bool is_shared = (flags & kRaceShared) != 0;
    const auto bytes = static_cast<uint32_t>(access->bytes);
    const bool is_one_address = access->base.step == 0 && access->offset.step == 0;
    if (races->reportsSameValues()) values = nullptr;
    const bool is_one_value = !races->reportsSameValues() && (values == nullptr || value_step == 0);
    const bool is_together = is_one_address && (kind.is_atomic || is_one_value || !kind.is_store);
    auto accessBy = [&](RaceActor actor, uint32_t lane, uint32_t count) {
      const RaceLines lines{.address = addressOf(*access, lane),
                            .bytes = bytes * count,
                            .lane_bytes = count == 1 ? 0 : bytes,
                            .values = values != nullptr ? values + lane * value_step : nullptr,
                            .value_step = value_step};
      races->access(kind, actor, stream, number, lines, is_shared);
    };
    if (is_together) {
      std::optional<uint32_t> first;
      uint32_t last = 0;
      for (uint32_t lane = 0; lane < access->lanes; ++lane) {
        if (access->live[lane] == 0) continue;
        if (!first) first = lane;
        last = lane;
      }
      if (!first) return;
      accessBy(together(*access, *first, last, races->subgroupSize()), *first, 1);
    }
    if (is_together && !kind.is_atomic) return;
    if ((flags & kRaceWeak) != 0) races->releaseWithoutAvailability();
    if (!kind.is_atomic && kind.is_store && values != nullptr &&
        sideBySide(*access, 0) != access->lanes) {
      const std::vector<uint32_t> last = lastOfSame(*access, values, value_step);
      for (uint32_t lane = 0; lane < last.size(); ++lane)
        if (access->live[lane] != 0 && last[lane] != kSameAsFirst)
          accessBy(together(*access, lane, last[lane], races->subgroupSize()), lane, 1);
      if (!last.empty()) return;
    }
    for (uint32_t lane = 0; lane < access->lanes;) {
      const uint32_t count = kind.is_atomic ? access->live[lane] : sideBySide(*access, lane);
      if (count != 0 && !is_together)
        accessBy(static_cast<RaceActor>(access->invocations[lane]), lane, count);
      if (count != 0 && kind.is_atomic)
        races->synchronize(static_cast<RaceActor>(access->invocations[lane]), stream,
                           addressOf(*access, lane), kind.is_store, (flags & kRaceLoads) != 0,
                           releasesOf(flags), acquiresOf(flags));
      lane += std::max(count, 1u);
    }
  });
}

void raceLanes(const DispatchArgs* dispatch, const char* site, uint32_t stream, uint32_t flags,
               uint64_t address, uint32_t bytes, uint32_t lanes, uint32_t first_invocation,
               const uint64_t* values, uint64_t value_step) {
  guarded(dispatch, [&] {
    RaceDetector* races = detectorOf(dispatch);
    if (races == nullptr) return;
    // What the kernel is about to load, while the detector waits for its own memory.
    for (uint64_t at = 0; at < uint64_t{bytes} * lanes; at += 64)
      __builtin_prefetch(reinterpret_cast<const void*>(address + at));
    races->access(accessOf(flags), static_cast<RaceActor>(first_invocation), stream,
                  races->siteOf(site),
                  {.address = address,
                   .bytes = bytes * lanes,
                   .lane_bytes = bytes,
                   .values = races->reportsSameValues() ? nullptr : values,
                   .value_step = value_step},
                  (flags & kRaceShared) != 0);
  });
}

void raceMatrix(const DispatchArgs* dispatch, const char* site, uint32_t stream, uint32_t subgroup,
                uint64_t address, int64_t stride, uint64_t packed_form, uint32_t flags) {
  guarded(dispatch, [&] {
    RaceDetector* races = detectorOf(dispatch);
    if (races == nullptr) return;
    const MatrixForm form = MatrixForm::unpack(packed_form);
    RaceAccess kind = accessOf(flags);
    kind.is_matrix = true;
    const uint32_t number = races->siteOf(site);
    const RaceActor actor = subgroup == kNoSubgroup
                                ? kWorkgroupActor
                                : static_cast<RaceActor>(kSubgroupActor + subgroup);
    const uint32_t bytes = form.length * form.bytes;
    races->access(kind, actor, stream, number,
                  {.address = address, .bytes = bytes, .count = form.lines, .stride = stride},
                  (flags & kRaceShared) != 0);
  });
}

void raceTensor(const DispatchArgs* dispatch, const char* site, uint32_t stream, uint32_t subgroup,
                uint64_t address, const TensorForm* form, const TensorState* state,
                uint32_t flags) {
  guarded(dispatch, [&] {
    RaceDetector* races = detectorOf(dispatch);
    if (races == nullptr) return;
    RaceAccess kind = accessOf(flags);
    kind.is_matrix = true;
    const uint32_t number = races->siteOf(site);
    const RaceActor actor = subgroup == kNoSubgroup
                                ? kWorkgroupActor
                                : static_cast<RaceActor>(kSubgroupActor + subgroup);
    const TensorElements elements(*form, *state, kind.is_store);
    for (uint32_t row = 0; row < form->rows; ++row)
      for (uint32_t column = 0; column < form->columns; ++column)
        if (const std::optional<uint32_t> element = elements.of(row, column))
          races->access(kind, actor, stream, number,
                        {.address = address + uint64_t{*element} * form->component_bytes,
                         .bytes = form->component_bytes},
                        (flags & kRaceShared) != 0);
  });
}

void raceBarrier(const DispatchArgs* dispatch, uint32_t stream, RaceBarrier barrier,
                 uint32_t flags) {
  guarded(dispatch, [&] {
    RaceDetector* races = detectorOf(dispatch);
    if (races == nullptr) return;
    const bool shared = (flags & kRaceOrdersShared) != 0,
               buffers = (flags & kRaceOrdersBuffers) != 0;
    switch (barrier) {
      case RaceBarrier::Workgroup:
        return races->passBarrier(stream, shared, buffers, (flags & kRaceWeak) == 0);
      case RaceBarrier::Arrival:
        return races->arriveAtBarrier(stream);
      case RaceBarrier::Subgroup:
        return races->passSubgroupBarrier(stream, shared, buffers);
    }
  });
}

void raceFence(const DispatchArgs* dispatch, const CheckedAccess* access, uint32_t stream,
               uint32_t flags) {
  guarded(dispatch, [&] {
    RaceDetector* races = detectorOf(dispatch);
    if (races == nullptr) return;
    if ((flags & kRaceWeak) != 0) races->releaseWithoutAvailability();
    for (uint32_t lane = 0; lane < access->lanes; ++lane)
      if (access->live[lane] != 0)
        races->fence(static_cast<RaceActor>(access->invocations[lane]), stream, releasesOf(flags),
                     acquiresOf(flags));
  });
}

}  // namespace rt
