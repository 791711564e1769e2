// SPDX-License-Identifier: Apache-2.0

// Dispatches on a timeline: one event on the queue's track, and one for the share of each worker.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/dispatch.h"
#include "runtime/trace/trace.h"

namespace rt {

// From its making to its end.
class DispatchEvents final : public DispatchObserver {
 public:
  // `commands`: the name of the command buffer; empty: it has none. `labels`: those that the
  // dispatch is inside of, the outermost first.
  DispatchEvents(Trace& trace, const KernelImage& kernel, const DispatchArgs& args,
                 std::string_view commands, const std::vector<std::string>& labels);

  void take(const DispatchShare& share) noexcept override;

 private:
  Trace& trace_;
  const std::string name_;
  TraceSpan span_;
};

}  // namespace rt
