// SPDX-License-Identifier: Apache-2.0

#include "tests/bounds/program.h"

#include <algorithm>
#include <climits>
#include <set>

#include "tests/bounds/variable.h"

namespace bounds {

namespace {

using matrices::Random;

constexpr uint32_t kStatements = 24;

// Which invocations a statement is for.
struct Guard {
  std::string text;  // empty: all
  std::function<bool(uint32_t)> holds;
};

// Writes the shader, and does to the model's memory what each statement does, one after the other:
// what invocations do to memory that they share is apart, and barriers are between.
class Writer {
 public:
  Writer(Random& random, Program& program) : random_(random), p_(program) {}

  void write() {
    p_.invocations = random_.of({32u, 48u, 64u, 128u});
    p_.subgroup_size = random_.of({8u, 16u, 32u, 64u});
    for (uint32_t k = 0; k < kPushWords; ++k) p_.push.push_back(value());
    declare();
    for (uint32_t k = 0; k < kStatements; ++k) statement();
    for (Variable& variable : variables_) dump(variable);
    finish();
  }

 private:
  uint32_t value() { return static_cast<uint32_t>(random_.bits()) & 0xffffff; }
  void line(const std::string& text) { code_ += "  " + text + "\n"; }

  void declare() {
    uint32_t number = 0;
    auto add = [&](Memory memory) -> Variable& {
      Variable v;
      v.memory = memory;
      v.name = "v" + std::to_string(number++);
      const uint32_t depth = random_.between(1, 3);
      for (uint32_t k = 0; k < depth; ++k) v.dimensions.push_back(random_.between(2, k ? 5 : 9));
      if (random_.chance(40)) {
        v.of_vectors = true;
        v.dimensions.back() = random_.between(2, 4);
      }
      return variables_.emplace_back(std::move(v));
    };
    for (uint32_t k = random_.between(2, 3); k > 0; --k)
      declareIn("shared ", add(Memory::Workgroup));
    for (uint32_t k = random_.between(1, 3); k > 0; --k) declareLocal(add(Memory::Function));
    for (uint32_t k = random_.between(0, 2); k > 0; --k) declareLocal(add(Memory::Private));
    if (random_.chance(50)) declareTable(add(Memory::Table));
    if (random_.chance(50)) {
      Variable& push = add(Memory::Push);
      push.name = "push";
      push.dimensions = {kPushWords};
      push.of_vectors = false;
      push.words = {p_.push};
    }
    if (random_.chance(60)) {
      Variable& buffers = add(Memory::Descriptors);
      buffers.name = "buffers";
      buffers.dimensions = {kDescriptors, kDescriptorWords};
      buffers.of_vectors = false;
      for (uint32_t k = 0; k < kDescriptors; ++k)
        buffers.words.push_back(randomWords(kDescriptorWords));
      p_.buffers = buffers.words;
    } else {
      p_.buffers.assign(kDescriptors, randomWords(kDescriptorWords));
    }
  }

  std::vector<uint32_t> randomWords(uint32_t count) {
    std::vector<uint32_t> words(count);
    for (uint32_t& word : words) word = value();
    return words;
  }

  std::string declaration(const Variable& v) const {
    const size_t arrays = v.dimensions.size() - v.of_vectors;
    std::string text = v.of_vectors ? "uvec" + std::to_string(v.dimensions.back()) : "uint";
    text += " " + v.name;
    for (size_t k = 0; k < arrays; ++k) text += "[" + std::to_string(v.dimensions[k]) + "]";
    return text;
  }

  // The `word`-th word of a variable by indices that are known and in bounds.
  std::string plainly(const Variable& v, uint32_t word) const {
    std::string text = v.name;
    for (size_t k = 0; k < v.dimensions.size(); ++k) {
      text += "[" + std::to_string(word / v.stride(k)) + "]";
      word %= v.stride(k);
    }
    return text;
  }

  void declareIn(const std::string& qualifier, Variable& v) {
    globals_ += qualifier + declaration(v) + ";\n";
    v.words = {randomWords(v.size())};
    for (uint32_t k = 0; k < v.size(); ++k)
      line("if (i == " + std::to_string(k % p_.invocations) + ") " + plainly(v, k) + " = " +
           std::to_string(v.words[0][k]) + "u;");
    line("barrier();");
  }

  void declareLocal(Variable& v) {
    if (v.memory == Memory::Function)
      line(declaration(v) + ";");
    else
      globals_ += declaration(v) + ";\n";
    v.same_for_all = random_.chance(40);
    const std::vector<uint32_t> first = randomWords(v.size());
    v.words.assign(p_.invocations, first);
    for (uint32_t k = 0; k < v.size(); ++k) {
      line(plainly(v, k) + " = " + std::to_string(first[k]) + "u" +
           (v.same_for_all ? ";" : " + i;"));
      for (uint32_t i = 0; i < p_.invocations && !v.same_for_all; ++i) v.words[i][k] += i;
    }
  }

  void declareTable(Variable& v) {
    v.dimensions = {random_.between(2, 20)};
    v.of_vectors = false;
    v.words = {randomWords(v.size())};
    globals_ += "const " + declaration(v) + " = uint[](";
    for (uint32_t k = 0; k < v.size(); ++k)
      globals_ += (k ? ", " : "") + std::to_string(v.words[0][k]) + "u";
    globals_ += ");\n";
  }

  // A number that is an index below `size`, or is not.
  int32_t number(uint32_t size) {
    const auto end = static_cast<int32_t>(size);
    if (random_.chance(55)) return static_cast<int32_t>(random_.between(0, size - 1));
    return random_.of({-1, -2, end, end + 1, 2 * end, 1000, 1 << 20, 0x10000000, INT_MAX, INT_MIN,
                       -0x10000000, static_cast<int32_t>(random_.bits())});
  }

  std::string read(int32_t number) {
    p_.numbers.push_back(static_cast<uint32_t>(number));
    return std::to_string(p_.numbers.size() - 1);
  }

  Index index(uint32_t size, bool may_vary) {
    const int32_t n = number(size);
    switch (random_.between(0, may_vary ? 6 : 3)) {
      case 0: {  // known when the shader is compiled
        const auto inside = static_cast<int64_t>(random_.between(0, size - 1));
        return {std::to_string(inside), [=](uint32_t) { return inside; }};
      }
      case 1: {  // known when the pipeline is made
        p_.constants.push_back(n);
        return {"c" + std::to_string(p_.constants.size() - 1),
                [=](uint32_t) { return int64_t{n}; }};
      }
      case 2:
        return {"int(numbers[" + read(n) + "])", [=](uint32_t) { return int64_t{n}; }};
      case 3: {  // unsigned
        const auto u = static_cast<uint32_t>(n);
        return {"numbers[" + read(n) + "]", [=](uint32_t) { return int64_t{u}; }};
      }
      case 4: {  // counts up with the invocations
        const auto step = static_cast<int32_t>(random_.between(0, 3));
        const int32_t start = random_.chance(70) ? n : -static_cast<int32_t>(random_.between(1, 9));
        return {"(int(numbers[" + read(start) + "]) + i * " + std::to_string(step) + ")",
                [=](uint32_t i) {
                  return int64_t{static_cast<int32_t>(static_cast<uint32_t>(start) +
                                                      i * static_cast<uint32_t>(step))};
                },
                true};
      }
      case 5: {  // in bounds of the dimension, all over it
        const uint32_t factor = random_.between(1, 7);
        return {"(i * " + std::to_string(factor) + " % " + std::to_string(size) + ")",
                [=](uint32_t i) { return int64_t{i * factor % size}; }, true};
      }
      default: {  // some are far away
        const uint32_t period = random_.between(2, 5);
        return {"(i % " + std::to_string(period) + " == 0 ? int(numbers[" + read(n) + "]) : i % " +
                    std::to_string(size) + ")",
                [=](uint32_t i) { return i % period == 0 ? int64_t{n} : int64_t{i % size}; }, true};
      }
    }
  }

  // To an element of some depth.
  std::vector<Index> indices(const Variable& v, size_t depth, bool may_vary) {
    std::vector<Index> result;
    for (size_t k = 0; k < depth; ++k) result.push_back(index(v.dimensions[k], may_vary));
    return result;
  }

  Guard guard() {
    if (random_.chance(60)) return {"", [](uint32_t) { return true; }};
    const uint32_t period = random_.between(2, 4), chosen = random_.between(0, period - 1);
    return {"if (i % " + std::to_string(period) + " == " + std::to_string(chosen) + ") ",
            [=](uint32_t i) { return i % period == chosen; }};
  }

  // Whether no two invocations reach one place: else what is left there is anybody's.
  bool isApart(Variable& v, const std::vector<Index>& places, uint32_t count, const Guard& who) {
    if (v.isLocal()) return true;
    std::set<uint32_t*> reached;
    for (uint32_t i = 0; i < p_.invocations; ++i) {
      uint32_t* place = who.holds(i) ? v.at(i, places, count) : nullptr;
      for (uint32_t k = 0; place != nullptr && k < count; ++k)
        if (!reached.insert(place + k).second) return false;
    }
    return true;
  }

  Variable& chosen(bool to_write) {
    for (;;) {
      Variable& v = variables_[random_.bits() % variables_.size()];
      if (!to_write || v.isWritable()) return v;
    }
  }

  void statement() {
    switch (random_.between(0, 5)) {
      case 0:
      case 1:
        return loadScalar();
      case 2:
      case 3:
        return storeScalar();
      case 4:
        return atomic();
      default:
        return copy();
    }
  }

  // Each invocation's word goes to its own place of the output.
  void give(const std::string& text, const std::vector<uint32_t>& words) {
    line("results[" + std::to_string(p_.output.size()) + " + i] = " + text + ";");
    p_.output.insert(p_.output.end(), words.begin(), words.end());
  }

  void loadScalar() {
    Variable& v = chosen(false);
    const std::vector<Index> places = indices(v, v.dimensions.size(), true);
    const Guard who = guard();
    std::vector<uint32_t> words(p_.invocations, 7);
    for (uint32_t i = 0; i < p_.invocations; ++i) {
      if (!who.holds(i)) continue;
      const uint32_t* place = v.at(i, places, 1);
      words[i] = place != nullptr ? *place : 0;
    }
    line("x = 7;");
    line(who.text + "x = " + at(v, places) + ";");
    give("x", words);
    synchronize(v);
  }

  void storeScalar() {
    Variable& v = chosen(true);
    const bool may_vary = !v.same_for_all;
    const std::vector<Index> places = indices(v, v.dimensions.size(), may_vary);
    const Guard who = may_vary ? guard() : Guard{"", [](uint32_t) { return true; }};
    const bool varies = may_vary && random_.chance(70);
    if (!isApart(v, places, 1, who) && (varies || !v.isWritable())) return;
    const uint32_t written = value();
    for (uint32_t i = 0; i < p_.invocations; ++i) {
      uint32_t* place = who.holds(i) ? v.at(i, places, 1) : nullptr;
      if (place != nullptr) *place = written + (varies ? i : 0);
    }
    line(who.text + at(v, places) + " = " + std::to_string(written) + "u" +
         (varies ? " + i;" : ";"));
    synchronize(v);
  }

  void atomic() {
    Variable& v = chosen(true);
    if (v.isLocal() || v.of_vectors) return;
    const std::vector<Index> places = indices(v, v.dimensions.size(), true);
    const Guard who = guard();
    // What one out of bounds gives is undefined.
    bool gives = isApart(v, places, 1, who);
    const uint32_t added = value();
    std::vector<uint32_t> words(p_.invocations, 7);
    for (uint32_t i = 0; i < p_.invocations; ++i) {
      if (!who.holds(i)) continue;
      uint32_t* place = v.at(i, places, 1);
      gives &= place != nullptr;
      if (place == nullptr) continue;
      words[i] = *place;
      *place += added + i;
    }
    const std::string call = "atomicAdd(" + at(v, places) + ", " + std::to_string(added) + "u + i)";
    line("x = 7;");
    line(who.text + (gives ? "x = " : "") + call + ";");
    if (gives) give("x", words);
    synchronize(v);
  }

  // Of a vector or a row: all of it is inside, or none.
  void copy() {
    Variable& v = chosen(false);
    if (v.dimensions.size() < 2 || v.memory == Memory::Descriptors) return;
    const size_t depth = v.dimensions.size() - 1;
    const uint32_t count = v.dimensions.back();
    const std::vector<Index> from = indices(v, depth, true);
    std::vector<std::vector<uint32_t>> values(p_.invocations, std::vector<uint32_t>(count));
    for (uint32_t i = 0; i < p_.invocations; ++i)
      if (const uint32_t* place = v.at(i, from, count)) values[i].assign(place, place + count);
    const std::string name = "t" + std::to_string(temporaries_++), size = std::to_string(count);
    line((v.of_vectors ? "uvec" + size + " " + name : "uint " + name + "[" + size + "]") + " = " +
         at(v, from) + ";");
    std::string sum;
    std::vector<uint32_t> sums(p_.invocations);
    for (uint32_t k = 0; k < count; ++k) {
      const std::string factor = std::to_string(2 * k + 1);
      sum += (k ? " + " : "") + name + "[" + std::to_string(k) + "] * " + factor + "u";
      for (uint32_t i = 0; i < p_.invocations; ++i) sums[i] += values[i][k] * (2 * k + 1);
    }
    give(sum, sums);
    synchronize(v);
    const std::vector<Index> to = indices(v, depth, true);
    const Guard who = guard();
    if (!v.isWritable() || v.same_for_all || !isApart(v, to, count, who)) return;
    for (uint32_t i = 0; i < p_.invocations; ++i) {
      uint32_t* place = who.holds(i) ? v.at(i, to, count) : nullptr;
      if (place != nullptr) std::copy(values[i].begin(), values[i].end(), place);
    }
    line(who.text + at(v, to) + " = " + name + ";");
    synchronize(v);
  }

  // Reads before this come before writes after it, too.
  void synchronize(const Variable& v) {
    if (v.memory == Memory::Descriptors) line("memoryBarrierBuffer();");
    if (v.memory == Memory::Descriptors || v.memory == Memory::Workgroup) line("barrier();");
  }

  // What is in a variable in the end.
  void dump(Variable& v) {
    if (!v.isWritable() || v.memory == Memory::Descriptors) return;
    line("barrier();");
    for (uint32_t k = 0; k < v.size(); ++k) {
      std::vector<uint32_t> words(p_.invocations);
      for (uint32_t i = 0; i < p_.invocations; ++i) words[i] = v.words[v.isLocal() ? i : 0][k];
      give(plainly(v, k), words);
    }
  }

  void finish() {
    std::string& text = p_.text;
    text = "#version 450\n#extension GL_EXT_nonuniform_qualifier : require\n";
    text += "layout(local_size_x = " + std::to_string(p_.invocations) + ") in;\n";
    text += "layout(binding = 0) writeonly buffer Results { uint results[]; };\n";
    text += "layout(binding = 1) readonly buffer Numbers { uint numbers[]; };\n";
    text += "layout(binding = 2) buffer Words { uint words[]; } buffers[];\n";
    text +=
        "layout(push_constant) uniform Push { uint push[" + std::to_string(kPushWords) + "]; };\n";
    for (size_t k = 0; k < p_.constants.size(); ++k)
      text += "layout(constant_id = " + std::to_string(k) + ") const int c" + std::to_string(k) +
              " = 0;\n";
    text += globals_ + "void main() {\n  const int i = int(gl_LocalInvocationIndex);\n  uint x;\n" +
            code_ + "}\n";
    if (p_.numbers.empty()) p_.numbers.push_back(0);
    p_.changed_buffers = p_.buffers;
    for (const Variable& v : variables_)
      if (v.memory == Memory::Descriptors) p_.changed_buffers = v.words;
  }

  Random& random_;
  Program& p_;
  std::vector<Variable> variables_;
  std::string globals_, code_;
  uint32_t temporaries_ = 0;
};

}  // namespace

Program randomProgram(Random& random) {
  Program program;
  Writer(random, program).write();
  return program;
}

}  // namespace bounds
