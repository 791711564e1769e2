// SPDX-License-Identifier: Apache-2.0

#include "tests/jit/emit/interpreter.h"

#include <algorithm>
#include <memory>

#include "tests/jit/emit/interpreter_invocation.h"
#include "tests/jit/emit/interpreter_subgroup.h"

namespace jit::test {
namespace {

using Waiting = std::vector<std::pair<std::vector<size_t>, Invocation*>>;

// Runs the invocations of one subgroup until all have ended (true) or wait at a barrier. When all
// of them wait, those that are the furthest behind have nobody left to wait for.
bool runSubgroup(std::vector<std::unique_ptr<Invocation>>& invocations, uint32_t subgroup_size) {
  std::vector<Invocation*> running;
  for (const auto& invocation : invocations) running.push_back(invocation.get());
  Waiting waiting;
  bool ended = true;
  while (!running.empty()) {
    for (Invocation* invocation : running) {
      const Invocation::Stop stop = invocation->run();
      if (stop == Invocation::Stop::SubgroupOperation)
        waiting.emplace_back(invocation->position(), invocation);
      if (stop == Invocation::Stop::Barrier) ended = false;
    }
    running.clear();
    if (waiting.empty()) break;
    const auto first = std::min_element(waiting.begin(), waiting.end(), [](auto& a, auto& b) {
                         return a.first < b.first;
                       })->first;
    for (const auto& [position, invocation] : waiting)
      if (position == first) running.push_back(invocation);
    std::erase_if(waiting, [&](const auto& w) { return w.first == first; });
    std::sort(running.begin(), running.end(),
              [](Invocation* a, Invocation* b) { return a->index() < b->index(); });
    runSubgroupOperation(running, subgroup_size);
  }
  return ended;
}

}  // namespace

void interpret(const ParsedModule& module, InterpretedDispatch& dispatch) {
  for (uint32_t id = 0; id < dispatch.workgroups; ++id) {
    InterpretedWorkgroup workgroup{module, dispatch, id, {}};
    const uint32_t size = dispatch.subgroup_size;
    std::vector<std::vector<std::unique_ptr<Invocation>>> subgroups;
    for (uint32_t index = 0; index < workgroup.invocations(); ++index) {
      if (index % size == 0) subgroups.emplace_back();
      subgroups.back().push_back(std::make_unique<Invocation>(workgroup, index));
    }
    for (bool ended = false; !ended;) {
      ended = true;
      for (auto& subgroup : subgroups) ended &= runSubgroup(subgroup, size);
    }
  }
}

}  // namespace jit::test
