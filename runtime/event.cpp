#include "runtime/event.h"

namespace rt {

Event::Event(bool is_set) : timeline_(std::make_shared<Timeline>()), target_(is_set ? 0 : 1) {}

TimelinePoint Event::point() const {
  std::lock_guard lock(mutex_);
  return {timeline_, target_};
}

bool Event::isSet() const {
  std::lock_guard lock(mutex_);
  return timeline_->value() >= target_;
}

void Event::set() {
  TimelinePoint next = point();
  next.timeline->signal(next.value);
}

void Event::reset() {
  std::lock_guard lock(mutex_);
  uint64_t value = timeline_->value();
  if (value >= target_) target_ = value + 1;
}

}  // namespace rt
