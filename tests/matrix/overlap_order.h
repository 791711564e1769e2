// SPDX-License-Identifier: Apache-2.0

// Which invocations touched which bytes since barriers: what must stand between two accesses.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/matrix/overlap_program.h"

namespace matrices::overlaps {

class Order {
 public:
  enum class Need : uint8_t { Nothing, SubgroupBarrier, WorkgroupBarrier, Impossible };

  explicit Order(const Program& program);

  // What must come before the statement, one that accesses memory, so that nothing races.
  // Impossible: its invocations would race with each other.
  Need needOf(const Statement& statement) const;
  void note(const Statement& statement);
  void note(const Barrier& barrier) { forget(barrier.scope); }

 private:
  // An invocation by its number, a subgroup together, or several subgroups.
  using Agent = int32_t;
  static constexpr Agent kNobody = -1, kSeveral = -2;

  struct Byte {
    Agent reader = kNobody, writer = kNobody;
  };
  using Bytes = std::vector<Byte>;

  struct Touch {
    Memory memory;
    uint32_t begin, end;
    Agent agent;
    bool writes;
  };
  std::vector<Touch> touchesOf(const Statement& statement) const;
  void addMatrix(std::vector<Touch>& touches, const Place& place, ValueId id, bool writes) const;
  Agent together(uint32_t subgroup) const;
  int32_t subgroupOf(Agent agent) const;
  Need between(Agent a, Agent b) const;
  void forget(Scope scope);

  const Program& program_;
  // Since any barrier, and since one of the workgroup.
  Bytes since_any_[kMemories], since_workgroups_[kMemories];
};

}  // namespace matrices::overlaps
