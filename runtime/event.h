// SPDX-License-Identifier: Apache-2.0

// A resettable flag over a timeline: fences, and events.
#pragma once

#include <memory>

#include "runtime/timeline.h"

namespace rt {

// Thread-safe. A fence is an Event whose point() is among the signals of a submission. The
// timeline's target is the value that it has when the event is next set (or has, if it is set).
class Event {
 public:
  explicit Event(bool is_set = false);
  explicit Event(std::shared_ptr<Timeline> timeline) : timeline_(std::move(timeline)) {}

  bool isSet() const;
  void set();
  void reset();

  // What is reached when the event is next set (or now, if it is set); signalling it sets the
  // event. A reset makes a new point; the old one stays reached for those who have it.
  TimelinePoint point() const;

 private:
  std::shared_ptr<Timeline> timeline_;
};

}  // namespace rt
