// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/dispatch_events.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace rt {

DispatchEvents::DispatchEvents(Trace& trace, const KernelImage& kernel, const DispatchArgs& args,
                               std::string_view commands, const std::vector<std::string>& labels)
    : trace_(trace), name_(describe(kernel)), span_(&trace, TraceTrack::Queue, "dispatch", name_) {
  const std::span<const uint32_t> counts = args.workgroup_count;
  span_.add("workgroups", counts);
  const std::span<const uint32_t> base = args.base_workgroup;
  if (std::ranges::any_of(base, [](uint32_t first) { return first != 0; }))
    span_.add("base workgroup", base);
  span_.add("workgroup size", std::span<const uint32_t>(kernel.workgroup_size));
  if (name_ != kernel.name) span_.add("shader", std::string_view(kernel.name));
  if (!commands.empty()) span_.add("command buffer", commands);
  if (!labels.empty()) span_.add("labels", std::span<const std::string>(labels));
}

void DispatchEvents::take(const DispatchShare& share) noexcept {
  TraceArgs args;
  args.add("workgroups", share.workgroups);
  trace_.span(share.is_caller ? TraceTrack::Queue : TraceTrack::Worker, "workgroups", name_,
              share.begin, share.end, args);
}

}  // namespace rt
