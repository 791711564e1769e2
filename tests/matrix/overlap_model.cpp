// SPDX-License-Identifier: Apache-2.0

#include "tests/matrix/overlap_model.h"

#include <cstring>

namespace matrices::overlaps {
namespace {

using kernels::ElementKind;

uint64_t masked(ElementType type, uint64_t bits) {
  const uint32_t width = kernels::elementInfo(type).bits;
  return width == 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

// An integer's bits with its sign in all 64.
uint64_t extended(ElementType type, uint64_t bits) {
  const kernels::ElementInfo& info = kernels::elementInfo(type);
  if (info.kind != ElementKind::Signed) return bits;
  const uint32_t unused = 64 - info.bits;
  return static_cast<uint64_t>(static_cast<int64_t>(bits << unused) >> unused);
}

class Machine {
 public:
  Machine(const Program& program, Contents contents)
      : program_(program), contents_(std::move(contents)) {}

  Contents run() {
    for (workgroup_ = 0; workgroup_ < program_.workgroups; ++workgroup_) {
      values_.assign(program_.subgroups, std::vector<Matrix>(program_.values.size()));
      run(program_.main);
    }
    return std::move(contents_);
  }

 private:
  using Matrix = std::vector<uint64_t>;  // bits, row-major

  void run(const Block& block) {
    for (const Statement& statement : block.statements)
      std::visit([this](const auto& s) { step(s); }, statement);
  }

  // Null outside of what is bound.
  std::byte* at(Path path, uint32_t offset, uint32_t bytes) {
    const uint32_t place = workgroup_ * program_.part() + offset;
    const uint32_t bound = program_.bound(path);
    if (bound != 0 && place + bytes > bound) return nullptr;
    return &contents_.memory[static_cast<size_t>(memoryOf(path))].at(place);
  }

  const MatrixType& type(ValueId id) const { return program_.values[id]; }
  // A workgroup's matrix is kept as its first subgroup's.
  Matrix& value(ValueId id, uint32_t subgroup) {
    return values_[type(id).scope == Scope::Workgroup ? 0 : subgroup][id];
  }

  template <typename F>
  void forEachOwner(ValueId id, F f) {
    const uint32_t owners = type(id).scope == Scope::Workgroup ? 1 : program_.subgroups;
    for (uint32_t s = 0; s < owners; ++s) f(s);
  }

  // Of each element in memory: where it is, and its bits in the matrix.
  template <typename F>
  void forEachElement(const Place& place, ValueId id, F f) {
    const uint32_t bytes = kernels::elementInfo(type(id).component).bytes();
    forEachOwner(id, [&](uint32_t s) {
      const uint32_t start = homeOf(program_, place, s) + place.offset + counter_ * place.loop_step;
      for (uint32_t row = 0; row < type(id).rows; ++row) {
        for (uint32_t column = 0; column < type(id).columns; ++column) {
          const auto distance = distanceOf(place, bytes, row, column);
          std::byte* element = distance ? at(place.path, start + *distance, bytes) : nullptr;
          f(element, bytes, value(id, s)[row * type(id).columns + column]);
        }
      }
    });
  }

  void step(const Load& s) {
    forEachOwner(s.result,
                 [&](uint32_t owner) { value(s.result, owner).assign(type(s.result).size(), 0); });
    forEachElement(s.place, s.result, [](const std::byte* element, uint32_t bytes, uint64_t& bits) {
      if (element) std::memcpy(&bits, element, bytes);
    });
  }

  void step(const Store& s) {
    forEachElement(s.place, s.value, [](std::byte* element, uint32_t bytes, const uint64_t& bits) {
      if (element) std::memcpy(element, &bits, bytes);
    });
  }

  void step(const Double& s) {
    forEachOwner(s.result, [&](uint32_t owner) {
      Matrix made = value(s.operand, owner);
      for (uint64_t& bits : made) bits = masked(type(s.result).component, bits + bits);
      value(s.result, owner) = std::move(made);
    });
  }

  void step(const Product& s) {
    forEachOwner(s.result, [&](uint32_t owner) {
      const Matrix &a = value(s.a, owner), &b = value(s.b, owner), &c = value(s.c, owner);
      Matrix made(s.row.m * s.row.n);
      for (uint32_t i = 0; i < s.row.m; ++i) {
        for (uint32_t j = 0; j < s.row.n; ++j) {
          uint64_t sum = extended(s.row.c, c[i * s.row.n + j]);
          for (uint32_t k = 0; k < s.row.k; ++k)
            sum += extended(s.row.a, a[i * s.row.k + k]) * extended(s.row.b, b[k * s.row.n + j]);
          made[i * s.row.n + j] = masked(s.row.result, sum);
        }
      }
      value(s.result, owner) = std::move(made);
    });
  }

  uint32_t read(Path path, uint32_t offset) {
    uint32_t word = 0;
    if (const std::byte* from = at(path, offset, 4)) std::memcpy(&word, from, 4);
    return word;
  }
  void write(Path path, uint32_t offset, uint32_t word) {
    if (std::byte* to = at(path, offset, 4)) std::memcpy(to, &word, 4);
  }

  void step(const LaneCopy& s) {
    for (uint32_t lane = 0; lane < program_.invocations(); ++lane) {
      const uint32_t moved = lane * s.step + counter_ * s.loop_step;
      const uint32_t from = s.from_offset + moved, to = s.to_offset + moved;
      std::vector<uint32_t> words;
      for (uint32_t k = 0; k < s.words; ++k) {
        words.push_back(read(s.from, from + 4 * k));
        if (s.form == LaneCopy::Form::WordByWord) write(s.to, to + 4 * k, words.back());
      }
      for (uint32_t k = 0; k < s.words && s.form != LaneCopy::Form::WordByWord; ++k)
        write(s.to, to + 4 * k, words[k]);
    }
  }

  void step(const LaneAtomic& s) {
    for (uint32_t lane = 0; lane < program_.invocations(); ++lane) {
      const uint32_t moved = lane * s.step + counter_ * s.loop_step;
      const uint32_t before = read(s.path, s.offset + moved);
      write(s.path, s.offset + moved, s.exchanges ? s.operand : before + s.operand);
      write(s.result_path, s.result_offset + moved, before);
    }
  }

  void step(const Barrier&) {}

  void step(const Repeat& s) {
    auto move = [&](ValueId from, ValueId to) {
      forEachOwner(to, [&](uint32_t owner) { value(to, owner) = value(from, owner); });
    };
    if (s.carried) move(s.carried->initial, s.carried->inner);
    for (counter_ = 0; counter_ < s.count; ++counter_) {
      run(s.body[0]);
      if (s.carried) move(s.carried->next, s.carried->inner);
    }
    counter_ = 0;
    if (s.carried) move(s.carried->inner, s.carried->result);
  }

  void step(const Only& s) {
    if (s.truth) run(s.body[0]);
  }

  const Program& program_;
  Contents contents_;
  std::vector<std::vector<Matrix>> values_;  // of each subgroup of the workgroup
  uint32_t workgroup_ = 0, counter_ = 0;
};

}  // namespace

Contents compute(const Program& program, Contents contents) {
  contents.memory[static_cast<size_t>(Memory::Shared)] =
      contents.memory[static_cast<size_t>(Memory::OtherBuffer)];
  return Machine(program, std::move(contents)).run();
}

}  // namespace matrices::overlaps
