// SPDX-License-Identifier: Apache-2.0

#include "tests/matrix/overlap_builder.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "tests/matrix/overlap_order.h"
#include "tests/matrix/overlap_setting.h"

namespace matrices::overlaps {
namespace {

bool isInteger(ElementType type) {
  return kernels::elementInfo(type).kind != kernels::ElementKind::Float;
}

class Builder : Setting {
 public:
  Builder(const Facts& facts, uint64_t seed) : Setting(facts, seed) {}

  Program build() {
    order_.emplace(program_);
    for (uint32_t k = random_.between(3, 7); k > 0; --k) statement();
    // What was loaded and moved nowhere yet.
    if (!live_.empty()) add(Store{live_.back(), place(type(live_.back()))});
    return std::move(program_);
  }

 private:
  ValueId newValue(const MatrixType& type) {
    program_.values.push_back(type);
    return static_cast<ValueId>(program_.values.size() - 1);
  }
  const MatrixType& type(ValueId id) const { return program_.values[id]; }

  // A path, mostly to where something was last.
  Path path() {
    if (random_.chance(60)) {
      std::vector<Path> near;
      for (Path path : paths_)
        if (memoryOf(path) == last_memory_) near.push_back(path);
      if (!near.empty()) return random_.of(near);
    }
    const Path chosen = random_.of(paths_);
    last_memory_ = memoryOf(chosen);
    return chosen;
  }

  // Through which words are reached; of the robust ones only where a word is in bounds or not.
  Path wordPath() {
    for (int tries = 0; tries < 8; ++tries) {
      const Path chosen = path();
      if (chosen == Path::Address || program_.unit(chosen).isWord()) return chosen;
    }
    return Path::First;
  }

  Place place(const MatrixType& type) {
    Place place{};
    place.path = path();
    place.scope = type.scope;
    place.column_major = random_.chance(35);
    if (type.scope == Scope::Subgroup && program_.subgroups > 1 && !alone_ && random_.chance(25))
      place.rotation = random_.between(1, program_.subgroups - 1);
    const uint32_t bytes = bytesOf(type.component);
    const uint32_t lines = place.column_major ? type.columns : type.rows;
    const uint32_t length = (place.column_major ? type.rows : type.columns);
    // Vulkan: VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986.
    const uint32_t alignment = facts_.any_alignment ? bytes : std::min(16u, length * bytes);
    const Unit& unit = program_.unit(place.path);
    const uint32_t step = std::max({alignment, unit.bytes(), bytes});
    const uint32_t home = type.scope == Scope::Workgroup ? program_.part() : program_.home;
    uint32_t first_line = 0, first = 0;
    const bool is_tensor =
        facts_.tensors && unit.type == type.component && unit.width == 1 && random_.chance(30);
    if (is_tensor && random_.chance(50)) {
      first_line = random_.between(0, 2);
      first = random_.between(0, 3) * step / bytes;
    }
    const uint32_t line = roundUp((first + length) * bytes, step);
    auto extent = [&](uint32_t stride) {
      return (first_line + lines - 1) * stride + (first + length) * bytes;
    };
    if (extent(line) > home) return this->place(type);  // without these offsets
    place.stride = line;
    for (int tries = 0; tries < 3; ++tries) {
      uint32_t stride = line + step * random_.of({0u, 0u, 1u, 2u, 5u});
      if (random_.chance(15)) stride = 2 * line;
      if (extent(stride) <= home) {
        place.stride = stride;
        break;
      }
    }
    const uint32_t room = (home - extent(place.stride)) / step * step;
    uint32_t travel = 0;
    if (iterations_ != 0 && random_.chance(70)) {
      place.loop_step = std::min(step * random_.of({1u, 1u, 2u, 4u}), place.stride);
      if (random_.chance(30)) place.loop_step = roundUp(place.stride, step);
      travel = (iterations_ - 1) * place.loop_step;
      if (travel > room) place.loop_step = travel = 0;
    }
    // Often a few components from where the last one was.
    place.offset = step * random_.between(0, (room - travel) / step);
    if (random_.chance(70)) {
      int64_t near = last_offset_ / step * step;
      near += static_cast<int64_t>(step) * random_.of({0, 1, 1, 2, -1, -2});
      if (random_.chance(25)) near += place.stride;
      place.offset = static_cast<uint32_t>(std::clamp<int64_t>(near, 0, room - travel));
    }
    last_offset_ = place.offset;
    place.offset_source = random_.of({Source::Constant, Source::Constant, Source::Memory});
    place.stride_source = random_.of({Source::Constant, Source::Constant, Source::Constant,
                                      Source::Specialization, Source::Memory});
    place.is_volatile = random_.chance(3);
    if (is_tensor) {
      Place::Tensor tensor{first_line + lines, first + length, static_cast<int32_t>(first_line),
                           static_cast<int32_t>(first)};
      if (random_.chance(30)) tensor.lines -= random_.between(0, std::min(lines - 1, 3u));
      if (random_.chance(20)) tensor.length -= random_.between(0, std::min(length - 1, 3u));
      if (first_line == 0 && random_.chance(10)) tensor.first_line = -1;
      place.tensor = tensor;
    }
    return place;
  }

  // Adds a statement, with the barrier that it needs. False if it cannot stand anywhere.
  bool add(const Statement& statement) {
    const Order::Need need = order_->needOf(statement);
    if (need == Order::Need::Impossible) return false;
    if (iterations_ != 0 || in_branch_) {
      // Other iterations, and what comes after, are not looked at.
      block_->statements.emplace_back(statement);
      block_->statements.emplace_back(barrier(alone_ ? Scope::Subgroup : strongest()));
      return true;
    }
    if (need == Order::Need::WorkgroupBarrier) addBarrier(strongest());
    if (need == Order::Need::SubgroupBarrier || random_.chance(8))
      addBarrier(random_.chance(75) ? Scope::Subgroup : Scope::Workgroup);
    block_->statements.emplace_back(statement);
    order_->note(statement);
    return true;
  }

  // Where there is one subgroup, its barriers do for the workgroup.
  Scope strongest() {
    const bool is_one = program_.subgroups == 1 && !hasWorkgroupScope();
    return is_one && random_.chance(50) ? Scope::Subgroup : Scope::Workgroup;
  }

  Barrier barrier(Scope scope) {
    using Form = Barrier::Form;
    return {scope,
            random_.chance(80) ? Form::Control : random_.of({Form::DeviceMemory, Form::Fences})};
  }

  void addBarrier(Scope scope) {
    const Barrier made = barrier(scope);
    block_->statements.emplace_back(made);
    // One of a subgroup that is alone is as good as the workgroup's.
    order_->note(program_.subgroups == 1 ? Barrier{Scope::Workgroup, made.form} : made);
  }

  void load(const MatrixType& type) {
    const ValueId value = newValue(type);
    if (add(Load{value, place(type)})) live_.push_back(value);
  }

  void store() {
    if (live_.empty()) return load(random_.of(types_));
    const ValueId value = random_.chance(75) ? live_.back() : random_.of(live_);
    add(Store{value, place(type(value))});
  }

  // A matrix that is loaded, and at once stored unchanged, where nothing else wants it.
  void move() {
    const ValueId value = newValue(random_.of(types_));
    if (add(Load{value, place(type(value))})) add(Store{value, place(type(value))});
  }

  void change() {
    const ValueId value = live_.empty() ? 0 : random_.of(live_);
    if (live_.empty() || !isInteger(type(value).component)) return load(random_.of(types_));
    const ValueId made = newValue(type(value));
    block_->statements.emplace_back(Double{made, value});
    live_.push_back(made);
  }

  bool canMultiply() const {
    return types_.size() >= 4 && !row_.saturating && isInteger(row_.a) && isInteger(row_.b) &&
           isInteger(row_.c) && isInteger(row_.result);
  }

  ValueId some(const MatrixType& wanted) {
    for (ValueId value : live_)
      if (type(value) == wanted && random_.chance(50)) return value;
    const ValueId value = newValue(wanted);
    add(Load{value, place(wanted)});
    live_.push_back(value);
    return value;
  }

  // The new sum.
  ValueId multiply(ValueId c) {
    const ValueId a = some(row_.typeA()), b = some(row_.typeB());
    const ValueId made = newValue(row_.typeResult());
    block_->statements.emplace_back(Product{row_, made, a, b, c});
    live_.push_back(made);
    return made;
  }

  void laneCopy() {
    LaneCopy copy{};
    copy.from = wordPath();
    copy.to = wordPath();
    using Form = LaneCopy::Form;
    copy.form = random_.of({Form::WordByWord, Form::AllFirst});
    copy.words = random_.between(1, 6);
    if (facts_.int64 && facts_.physical_addresses && random_.chance(40)) {
      copy.from = copy.to = Path::Address;
      copy.form = Form::Whole;
    }
    const uint32_t shift = 4 * random_.between(0, copy.words);
    copy.step = 4 * copy.words + (random_.chance(60) ? shift : 4 * random_.between(0, 3));
    if (copy.step * program_.invocations() + shift > program_.part()) return store();
    const uint32_t room = (program_.part() - copy.step * program_.invocations() - shift) / 4;
    copy.from_offset = copy.to_offset = 4 * random_.between(0, room);
    (random_.chance(50) ? copy.from_offset : copy.to_offset) += shift;
    add(copy);
  }

  // Of what robust paths reach nobody knows what an atomic operation gives.
  void laneAtomic() {
    LaneAtomic atomic{};
    std::vector<Path> paths{Path::Other};
    if (!program_.robust) paths.push_back(Path::First);
    if (program_.has_shared) paths.push_back(Path::Shared);
    atomic.path = random_.of(paths);
    atomic.result_path = wordPath();
    atomic.step = 4 * random_.between(1, 3);
    const uint32_t shift = 4 * random_.between(1, 3);
    if (atomic.step * program_.invocations() + shift > program_.part()) return store();
    const uint32_t room = (program_.part() - atomic.step * program_.invocations() - shift) / 4;
    atomic.offset = atomic.result_offset = 4 * random_.between(0, room);
    if (memoryOf(atomic.path) == memoryOf(atomic.result_path)) {
      if (atomic.step == 4) return store();
      atomic.result_offset += 4;
    }
    atomic.exchanges = random_.chance(40);
    atomic.operand = static_cast<uint32_t>(random_.bits());
    atomic.device = random_.chance(50);
    atomic.orders = random_.chance(50);
    add(atomic);
  }

  void repeat() {
    settle();
    Repeat loop{};
    loop.count = random_.between(random_.chance(10) ? 0 : 1, 4);
    loop.source = random_.of({Source::Constant, Source::Memory});
    Block body;
    Block* const outer = std::exchange(block_, &body);
    const std::vector<ValueId> before = live_;
    const bool multiplies = canMultiply() && random_.chance(60);
    if (!before.empty() || multiplies) {
      ValueId initial = before.empty() ? 0 : random_.of(before);
      bool found = !multiplies || (!before.empty() && type(initial) == row_.typeC());
      if (!found) {
        block_ = outer;
        initial = some(row_.typeC());
        settle();
        block_ = &body;
      }
      if (random_.chance(60) || multiplies)
        loop.carried =
            Repeat::Carried{newValue(type(initial)), initial, initial, newValue(type(initial))};
    }
    iterations_ = std::max(loop.count, 1u);
    alone_ = program_.subgroups > 1 && !hasWorkgroupScope() && random_.chance(40);
    if (loop.carried) live_.push_back(loop.carried->inner);
    if (multiplies && row_.c == row_.result) {
      loop.carried->next = multiply(loop.carried->inner);
      if (random_.chance(50)) matrixStatement();
    } else {
      for (uint32_t k = random_.between(2, 3); k > 0; --k) matrixStatement();
      if (loop.carried) loop.carried->next = lastOf(type(loop.carried->inner));
    }
    iterations_ = 0;
    alone_ = false;
    live_ = before;
    if (loop.carried) live_.push_back(loop.carried->result);
    block_ = outer;
    loop.body.push_back(std::move(body));
    block_->statements.emplace_back(std::move(loop));
    settle();
  }

  ValueId lastOf(const MatrixType& wanted) const {
    for (auto value = live_.rbegin(); value != live_.rend(); ++value)
      if (type(*value) == wanted) return *value;
    return 0;  // not reached: the carried one is alive
  }

  void only() {
    settle();
    Only branch{random_.chance(70), {}};
    Block body;
    Block* const outer = std::exchange(block_, &body);
    const std::vector<ValueId> before = live_;
    in_branch_ = true;
    for (uint32_t k = random_.between(1, 2); k > 0; --k) matrixStatement();
    in_branch_ = false;
    live_ = before;
    block_ = outer;
    branch.body.push_back(std::move(body));
    block_->statements.emplace_back(std::move(branch));
    settle();
  }

  // Between what is looked at access by access and what is not.
  void settle() {
    if (iterations_ == 0 && !in_branch_) addBarrier(strongest());
  }

  void matrixStatement() {
    const uint32_t choice = random_.between(0, 99);
    if (choice < 30) return load(random_.of(types_));
    if (choice < 60) return store();
    if (choice < 85) return move();
    if (choice < 90 || alone_) return change();
    laneCopy();
  }

  void statement() {
    const uint32_t choice = random_.between(0, 99);
    if (choice < 25) return load(random_.of(types_));
    if (choice < 40) return store();
    if (choice < 60) return move();
    if (choice < 66) return change();
    if (choice < 78) return laneCopy();
    if (choice < 84) return laneAtomic();
    if (choice < 88) {
      if (canMultiply()) multiply(some(row_.typeC()));
      return;
    }
    if (choice < 95) return repeat();
    only();
  }

  std::optional<Order> order_;
  Block* block_ = &program_.main;
  std::vector<ValueId> live_;
  Memory last_memory_ = Memory::Buffer;
  uint32_t last_offset_ = 0;
  uint32_t iterations_ = 0;  // of the loop around; 0: none
  bool in_branch_ = false;
  bool alone_ = false;  // subgroups keep to their homes
};

}  // namespace

Program generate(const Facts& facts, uint64_t seed) { return Builder(facts, seed).build(); }

}  // namespace matrices::overlaps
