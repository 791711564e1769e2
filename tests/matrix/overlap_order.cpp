// SPDX-License-Identifier: Apache-2.0

#include "tests/matrix/overlap_order.h"

#include <algorithm>

namespace matrices::overlaps {

Order::Order(const Program& program) : program_(program) { forget(Scope::Workgroup); }

void Order::forget(Scope scope) {
  for (uint32_t m = 0; m < kMemories; ++m) {
    since_any_[m].assign(program_.part(), {});
    if (scope == Scope::Workgroup) since_workgroups_[m].assign(program_.part(), {});
  }
}

Order::Agent Order::together(uint32_t subgroup) const {
  return static_cast<Agent>(program_.invocations() + subgroup);
}

int32_t Order::subgroupOf(Agent agent) const {
  if (agent < 0) return -1;
  const auto number = static_cast<uint32_t>(agent);
  return static_cast<int32_t>(number < program_.invocations() ? number / program_.subgroup_size
                                                              : number - program_.invocations());
}

Order::Need Order::between(Agent a, Agent b) const {
  if (a == kNobody || b == kNobody) return Need::Nothing;
  if (a == kSeveral || b == kSeveral || subgroupOf(a) != subgroupOf(b))
    return Need::WorkgroupBarrier;
  const bool is_one = a == b && static_cast<uint32_t>(a) < program_.invocations();
  return is_one ? Need::Nothing : Need::SubgroupBarrier;
}

void Order::addMatrix(std::vector<Touch>& touches, const Place& place, ValueId id,
                      bool writes) const {
  const MatrixType& type = program_.values[id];
  const uint32_t bytes = kernels::elementInfo(type.component).bytes();
  const bool is_shared = type.scope == Scope::Workgroup;
  for (uint32_t s = 0; s < (is_shared ? 1 : program_.subgroups); ++s) {
    const uint32_t start = homeOf(program_, place, s) + place.offset;
    const Agent agent = is_shared ? kSeveral : together(s);
    for (uint32_t row = 0; row < type.rows; ++row) {
      for (uint32_t column = 0; column < type.columns; ++column) {
        const auto distance = distanceOf(place, bytes, row, column);
        if (!distance) continue;
        const uint32_t begin = start + *distance;
        touches.push_back({memoryOf(place.path), begin, begin + bytes, agent, writes});
      }
    }
  }
}

std::vector<Order::Touch> Order::touchesOf(const Statement& statement) const {
  std::vector<Touch> touches;
  if (const auto* load = std::get_if<Load>(&statement)) {
    addMatrix(touches, load->place, load->result, false);
  } else if (const auto* store = std::get_if<Store>(&statement)) {
    addMatrix(touches, store->place, store->value, true);
  }
  auto addWords = [&](Path path, uint32_t offset, uint32_t step, uint32_t words, bool writes) {
    for (uint32_t lane = 0; lane < program_.invocations(); ++lane) {
      const uint32_t begin = offset + lane * step;
      touches.push_back(
          {memoryOf(path), begin, begin + 4 * words, static_cast<Agent>(lane), writes});
    }
  };
  if (const auto* copy = std::get_if<LaneCopy>(&statement)) {
    addWords(copy->from, copy->from_offset, copy->step, copy->words, false);
    addWords(copy->to, copy->to_offset, copy->step, copy->words, true);
  } else if (const auto* atomic = std::get_if<LaneAtomic>(&statement)) {
    addWords(atomic->path, atomic->offset, atomic->step, 1, true);
    addWords(atomic->result_path, atomic->result_offset, atomic->step, 1, true);
  }
  return touches;
}

Order::Need Order::needOf(const Statement& statement) const {
  const std::vector<Touch> touches = touchesOf(statement);
  Need need = Need::Nothing;
  Bytes own[kMemories];
  for (const Touch& touch : touches) {
    const auto m = static_cast<size_t>(touch.memory);
    own[m].resize(program_.part());
    for (uint32_t b = touch.begin; b < touch.end; ++b) {
      const Byte &recent = since_any_[m].at(b), &earlier = since_workgroups_[m].at(b);
      need = std::max(need, between(touch.agent, recent.writer));
      if (touch.writes) need = std::max(need, between(touch.agent, recent.reader));
      for (Agent other : {earlier.writer, touch.writes ? earlier.reader : kNobody})
        if (between(touch.agent, other) == Need::WorkgroupBarrier) need = Need::WorkgroupBarrier;
      if (touch.writes) {
        Agent& writer = own[m][b].writer;
        if (writer != kNobody && writer != touch.agent) return Need::Impossible;
        writer = touch.agent;
      }
    }
  }
  for (const Touch& touch : touches) {
    for (uint32_t b = touch.begin; b < touch.end; ++b) {
      const Agent writer = own[static_cast<size_t>(touch.memory)][b].writer;
      if (writer != kNobody && writer != touch.agent) return Need::Impossible;
    }
  }
  return need;
}

void Order::note(const Statement& statement) {
  auto add = [&](Agent& agent, Agent other) {
    if (agent == kNobody || agent == other) {
      agent = other;
    } else {
      const int32_t subgroup = subgroupOf(agent);
      const bool agree = subgroup >= 0 && subgroup == subgroupOf(other);
      agent = agree ? together(static_cast<uint32_t>(subgroup)) : kSeveral;
    }
  };
  for (const Touch& touch : touchesOf(statement)) {
    for (Bytes* bytes : {since_any_, since_workgroups_}) {
      for (uint32_t b = touch.begin; b < touch.end; ++b) {
        Byte& byte = bytes[static_cast<size_t>(touch.memory)].at(b);
        add(touch.writes ? byte.writer : byte.reader, touch.agent);
      }
    }
  }
}

}  // namespace matrices::overlaps
