// A resettable flag over a timeline: fences, and events.
#pragma once

#include <memory>
#include <mutex>

#include "runtime/timeline.h"

namespace rt {

// Thread-safe. A fence is an Event whose point() is among the signals of a submission.
class Event {
 public:
  explicit Event(bool is_set = false);

  bool isSet() const;
  void set();
  void reset();

  // What is reached when the event is next set (or now, if it is set); signalling it sets the
  // event. A reset makes a new point; the old one stays reached for those who have it.
  TimelinePoint point() const;

 private:
  std::shared_ptr<Timeline> timeline_;
  mutable std::mutex mutex_;
  uint64_t target_;  // set when the timeline has reached it
};

}  // namespace rt
