// SPDX-License-Identifier: Apache-2.0

#include "tests/matrix/model.h"

namespace matrices {
namespace {

class Machine {
 public:
  Machine(const Program& program, Promise promise) : program_(program), promise_(promise) {
    for (const Region& region : program.regions) {
      std::vector<Number>& memory = outcome_.memory.emplace_back();
      for (uint64_t bits : region.initial) memory.push_back(numberFromBits(region.component, bits));
    }
  }

  Outcome run() {
    for (workgroup_ = 0; workgroup_ < program_.workgroups; ++workgroup_) {
      for (size_t k = 0; k < program_.regions.size(); ++k) {
        const Region& region = program_.regions[k];
        if (region.storage == Storage::Workgroup)
          outcome_.memory[k].assign(region.bytes / region.componentBytes(), {});
      }
      values_.assign(program_.subgroups, std::vector<Matrix>(program_.values.size()));
      std::vector<uint32_t> all;
      for (uint32_t s = 0; s < program_.subgroups; ++s) all.push_back(s);
      run(program_.main, all);
    }
    for (size_t k = 0; k < program_.regions.size(); ++k) {
      if (program_.regions[k].storage == Storage::Workgroup) outcome_.memory[k].clear();
    }
    return std::move(outcome_);
  }

 private:
  // Statement by statement for all of `subgroups`: barriers stand wherever the order matters.
  void run(const Block& block, const std::vector<uint32_t>& subgroups) {
    for (const Statement& statement : block.statements) {
      if (const auto* branch = std::get_if<Branch>(&statement)) {
        run(*branch, subgroups);
      } else if (const auto* loop = std::get_if<Loop>(&statement)) {
        run(*loop, subgroups);
      } else if (const auto* stage = std::get_if<Stage>(&statement)) {
        run(*stage);
      } else {
        const bool together = scopeOf(statement) == Scope::Workgroup;
        for (uint32_t subgroup : subgroups) {
          subgroup_ = subgroup;
          std::visit([this](const auto& s) { step(s); }, statement);
          if (together) break;
        }
      }
    }
  }

  // Whose matrices a statement is about.
  Scope scopeOf(const Statement& statement) const {
    return std::visit(
        [this](const auto& s) {
          if constexpr (requires { s.operand; }) return type(s.operand).scope;
          if constexpr (requires { s.value; }) return type(s.value).scope;
          if constexpr (requires { s.result; }) return type(s.result).scope;
          return Scope::Subgroup;
        },
        statement);
  }

  void run(const Branch& branch, const std::vector<uint32_t>& subgroups) {
    std::vector<uint32_t> ways[2];
    for (uint32_t s : subgroups) ways[holds(branch.condition, s) ? 0 : 1].push_back(s);
    for (size_t way : {0, 1}) {
      if (ways[way].empty()) continue;
      run(branch.ways[way], ways[way]);
      for (const Branch::Merge& merge : branch.merges) {
        const ValueId chosen = way == 0 ? merge.first : merge.second;
        for (uint32_t s : ways[way]) value(s, merge.result) = value(s, chosen);
      }
    }
  }

  bool holds(const Condition& condition, uint32_t subgroup) const {
    switch (condition.kind) {
      case Condition::Kind::Number:
        return condition.truth;
      case Condition::Kind::SubgroupParity:
        return (subgroup % 2 == 1) == condition.truth;
      case Condition::Kind::WorkgroupParity:
        return (workgroup_ % 2 == 1) == condition.truth;
    }
    return false;
  }

  void run(const Loop& loop, const std::vector<uint32_t>& subgroups) {
    // All at once: what is carried may change places.
    auto move = [&](auto from, auto to) {
      std::vector<Matrix> moved;
      for (const Loop::Carried& c : loop.carried)
        for (uint32_t s : subgroups) moved.push_back(value(s, c.*from));
      size_t next = 0;
      for (const Loop::Carried& c : loop.carried)
        for (uint32_t s : subgroups) value(s, c.*to) = std::move(moved[next++]);
    };
    move(&Loop::Carried::initial, &Loop::Carried::inner);
    counters_.push_back(0);
    for (uint32_t i = 0; i < loop.count; ++i) {
      counters_.back() = i;
      run(loop.body[0], subgroups);
      move(&Loop::Carried::next, &Loop::Carried::inner);
    }
    counters_.pop_back();
    move(&Loop::Carried::inner, &Loop::Carried::result);
  }

  void run(const Stage& stage) {
    const Region& to = program_.regions[stage.to];
    const uint32_t bytes = to.componentBytes();
    const uint32_t from = stage.from_offset + workgroup_ * stage.workgroup_step +
                          (counters_.empty() ? 0 : counters_.back() * stage.loop_step);
    for (uint32_t b = 0; b < stage.bytes; b += bytes) {
      outcome_.memory[stage.to].at((stage.to_offset + b) / bytes) =
          outcome_.memory[stage.from].at((from + b) / bytes);
    }
  }

  // A workgroup's matrix is kept as its first subgroup's.
  Matrix& value(uint32_t subgroup, ValueId id) {
    return values_[type(id).scope == Scope::Workgroup ? 0 : subgroup][id];
  }
  Matrix& value(ValueId id) { return value(subgroup_, id); }
  const MatrixType& type(ValueId id) const { return program_.values[id]; }

  // Null outside of what is bound.
  Number* at(const Place& place, uint32_t row, uint32_t column) {
    const Region& region = program_.regions[place.region];
    const uint32_t of_workgroup = place.scope == Scope::Workgroup ? 1 : program_.subgroups;
    uint32_t instance = (subgroup_ + place.rotation) % of_workgroup;
    if (region.storage != Storage::Workgroup) instance += workgroup_ * of_workgroup;
    const size_t component = componentAt(region, place, instance, counters_, row, column);
    if (region.bound != 0 && (component + 1) * region.componentBytes() > region.bound)
      return nullptr;
    return &outcome_.memory[place.region].at(component);
  }

  template <typename F>
  void eachComponent(const MatrixType& type, F f) {
    for (uint32_t row = 0; row < type.rows; ++row) {
      for (uint32_t column = 0; column < type.columns; ++column) {
        f(row, column, row * type.columns + column);
      }
    }
  }

  template <typename F>
  void map(ValueId result, ValueId operand, F f) {
    Matrix made = value(operand);
    for (Number& number : made) number = f(number);
    value(result) = std::move(made);
  }

  void step(const Load& s) {
    Matrix& result = value(s.result);
    result.resize(type(s.result).size());
    eachComponent(type(s.result), [&](uint32_t row, uint32_t column, uint32_t k) {
      const Number* number = at(s.place, row, column);
      result[k] = number ? *number : numberFromBits(type(s.result).component, 0);
    });
  }

  void step(const Store& s) {
    eachComponent(type(s.value), [&](uint32_t row, uint32_t column, uint32_t k) {
      if (Number* number = at(s.place, row, column)) *number = value(s.value)[k];
    });
  }

  void step(const Splat& s) {
    value(s.result).assign(type(s.result).size(), numberFromBits(type(s.result).component, s.bits));
  }

  void step(const Undefined& s) { value(s.result).assign(type(s.result).size(), {}); }

  void step(const Binary& s) {
    const Matrix &left = value(s.left), &right = value(s.right);
    Matrix made(left.size());
    for (size_t k = 0; k < made.size(); ++k) {
      made[k] = combine(s.operation, type(s.result).component, left[k], right[k], !s.no_contraction,
                        promise_);
    }
    value(s.result) = std::move(made);
  }

  void step(const Negate& s) {
    map(s.result, s.operand,
        [&](const Number& x) { return negated(type(s.result).component, x, promise_); });
  }

  void step(const Scale& s) {
    const ElementType component = type(s.result).component;
    const Number factor = numberFromBits(component, s.bits);
    map(s.result, s.operand, [&](const Number& x) {
      return combine(Arithmetic::Multiply, component, x, factor, true, promise_);
    });
  }

  void step(const Convert& s) {
    const MatrixType &from = type(s.operand), &to = type(s.result);
    if (from.component == to.component) {
      value(s.result) = value(s.operand);
    } else {
      map(s.result, s.operand, [&](const Number& x) {
        return converted(from.component, to.component, x, s.saturate, promise_);
      });
    }
    if (!s.transposed) return;
    const Matrix straight = value(s.result);
    eachComponent(to, [&](uint32_t row, uint32_t column, uint32_t k) {
      value(s.result)[k] = straight[column * from.columns + row];
    });
  }

  void step(const Bitcast& s) { value(s.result) = value(s.operand); }

  void step(const MulAdd& s) {
    value(s.result) = multiplyAdd(s.row, value(s.a), value(s.b), value(s.c), promise_);
  }

  void step(const Pass& s) { value(s.result) = value(s.operand); }

  void step(const ReplaceNegative& s) {
    const ElementType component = type(s.result).component;
    const Number replacement = numberFromBits(component, s.bits);
    map(s.result, s.operand,
        [&](const Number& x) { return replacedIfNegative(component, x, replacement, promise_); });
  }

  void step(const EachElement& s) {
    const Matrix operand = value(s.operand), other = value(s.other);
    const Number number = numberFromBits(type(s.operand).component, s.bits);
    Matrix& result = value(s.result);
    result.resize(operand.size());
    eachComponent(type(s.result), [&](uint32_t row, uint32_t column, uint32_t k) {
      const uint32_t n = (row + 2 * column) % s.every;
      result[k] = n == 0 ? other[k] : n == 1 ? number : operand[k];
    });
  }

  void step(const Reduction& s) {
    using Along = Reduction::Along;
    const MatrixType &from = type(s.operand), &to = type(s.result);
    const Matrix operand = value(s.operand);
    auto combined = [&](uint32_t row, uint32_t rows, uint32_t column, uint32_t columns) {
      std::vector<Number> numbers;
      for (uint32_t r = row; r < row + rows; ++r)
        for (uint32_t c = column; c < column + columns; ++c)
          numbers.push_back(operand[r * from.columns + c]);
      if (!s.sum) return greatestOf(from.component, numbers, promise_);
      Number sum = numberFromBits(from.component, 0);
      for (const Number& x : numbers)
        sum = combine(Arithmetic::Add, from.component, sum, x, true, promise_);
      return sum;
    };
    Matrix& result = value(s.result);
    result.resize(to.size());
    const Number all =
        s.along == Along::Everything ? combined(0, from.rows, 0, from.columns) : Number{};
    eachComponent(to, [&](uint32_t row, uint32_t column, uint32_t k) {
      switch (s.along) {
        case Along::Rows:
          result[k] = column == 0 ? combined(row, 1, 0, from.columns) : result[k - 1];
          break;
        case Along::Columns:
          result[k] = row == 0 ? combined(0, from.rows, column, 1) : result[k - to.columns];
          break;
        case Along::Everything:
          result[k] = all;
          break;
        case Along::Quads:
          result[k] = combined(2 * row, 2, 2 * column, 2);
          break;
      }
    });
  }

  void step(const Holders& s) {
    const bool together = type(s.operand).scope == Scope::Workgroup;
    const uint32_t instance = together ? workgroup_ : workgroup_ * program_.subgroups + subgroup_;
    outcome_.held.push_back({s.held, s.lengths, &s.lanes, &s.indices, instance,
                             together ? program_.invocations() : program_.subgroup_size,
                             type(s.operand), value(s.operand)});
    // The mapping is the device's; the check of it looks at these regions.
    for (uint32_t region : {s.lanes.region, s.indices.region, s.held, s.lengths}) {
      for (Number& number : outcome_.memory[region]) number = {};
    }
  }

  void step(const Barrier&) {}
  void step(const Branch&) {}
  void step(const Loop&) {}
  void step(const Stage&) {}

  const Program& program_;
  Promise promise_;
  Outcome outcome_;
  std::vector<std::vector<Matrix>> values_;  // of each subgroup of the workgroup
  std::vector<uint32_t> counters_;           // of the loops around
  uint32_t workgroup_ = 0, subgroup_ = 0;
};

}  // namespace

size_t componentAt(const Region& region, const Place& place, uint32_t instance,
                   const std::vector<uint32_t>& counters, uint32_t row, uint32_t column) {
  size_t byte = place.offset + size_t{instance} * place.step;
  for (size_t k = 0; k < place.loop_steps.size(); ++k)
    byte += size_t{place.loop_steps[k]} * counters[k];
  const uint32_t line = place.column_major ? column : row;
  const uint32_t in_line = place.column_major ? row : column;
  return (byte + size_t{line} * place.stride) / region.componentBytes() + in_line;
}

Outcome compute(const Program& program, Promise promise) { return Machine(program, promise).run(); }

}  // namespace matrices
