// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/barrier_record.h"

#include <algorithm>

namespace rt {

void BarrierRecord::begin(uint32_t streams) {
  streams_ = running_ = streams;
  counts_.clear();
  rounds_.assign(streams, 0);
  round_ = 0;
  round_site_ = nullptr;
  together_ = {};
}

BarrierRecord::Count& BarrierRecord::countOf(Site site, bool may_differ) {
  const auto found = std::find_if(counts_.begin(), counts_.end(),
                                  [&](const Count& count) { return count.site == site; });
  if (found != counts_.end()) return *found;
  counts_.push_back({site, may_differ, std::vector<uint32_t>(streams_)});
  return counts_.back();
}

void BarrierRecord::arrive(uint32_t stream, Site site, bool may_differ, bool waits) {
  if (stream >= streams_) return;
  ++countOf(site, may_differ).times[stream];
  if (!waits) return;
  if (++rounds_[stream] > round_) {
    round_ = rounds_[stream];
    round_site_ = site;
    round_may_differ_ = may_differ;
  } else if (site != round_site_ && together_ == std::pair<Site, Site>()) {
    together_ = {may_differ ? site : nullptr, round_may_differ_ ? round_site_ : nullptr};
  }
}

std::vector<BarrierRecord::Site> BarrierRecord::end(uint32_t stream) {
  std::vector<Site> wrong;
  if (stream >= streams_ || running_ == 0) return wrong;
  --running_;
  if (running_ != 0) return wrong;
  for (const Count& count : counts_) {
    const bool differs = std::any_of(count.times.begin(), count.times.end(),
                                     [&](uint32_t times) { return times != count.times[0]; });
    if (count.may_differ && differs) wrong.push_back(count.site);
  }
  if (wrong.empty())
    for (Site site : {together_.first, together_.second})
      if (site != nullptr) wrong.push_back(site);
  return wrong;
}

}  // namespace rt
