// SPDX-License-Identifier: Apache-2.0

#include "runtime/event.h"

namespace rt {

Event::Event(bool is_set) : timeline_(std::make_shared<Timeline>(0, is_set ? 0 : 1)) {}

TimelinePoint Event::point() const { return {timeline_, timeline_->target().load()}; }

bool Event::isSet() const { return timeline_->value() >= timeline_->target().load(); }

void Event::set() { timeline_->signal(timeline_->target().load()); }

void Event::reset() {
  uint64_t target = timeline_->target().load();
  const uint64_t value = timeline_->value();
  // Whoever was faster has reset it too.
  if (value >= target) timeline_->target().compare_exchange_strong(target, value + 1);
}

}  // namespace rt
