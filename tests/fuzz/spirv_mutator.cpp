// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/spirv_mutator.h"

#include <algorithm>
#include <iterator>
#include <map>
#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/spirv.hpp11>

#include "tests/jit/emit/random_control_flow_random.h"

namespace fuzz {
namespace {

using jit::test::Random;
using Instruction = std::vector<uint32_t>;  // words, with the first

constexpr size_t kHeaderWords = 5;
constexpr size_t kBound = 3;  // word of the header
constexpr uint32_t kLargestOpcode = 8000;
constexpr uint32_t kRelatedOpcodes = 8;  // so near are opcodes of one family

// What sizes, strides, indices, masks and enumerants go wrong at.
constexpr uint32_t kInteresting[] = {
    0,          1,          2,          3,          4,          7,          8,          15,
    16,         31,         32,         33,         63,         64,         65,         127,
    128,        255,        256,        1023,       1024,       1025,       0x7fff,     0x8000,
    0xffff,     0x10000,    0xfffff,    0x1000000,  0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001,
    0xfffffffc, 0xfffffffe, 0xffffffff, 0x3f800000, 0x7f800000, 0x7fc00000};

// Where an instruction has its type and its result.
struct Shape {
  bool has_result = false, has_type = false;

  explicit Shape(const Instruction& i) {
    spv::HasResultAndType(static_cast<spv::Op>(i[0] & 0xffff), &has_result, &has_type);
    has_type = has_type && i.size() > 2;
    has_result = has_result && i.size() > 1u + has_type;
  }

  size_t firstOperand() const { return 1u + has_type + has_result; }
};

class Mutation {
 public:
  Mutation(const std::vector<uint32_t>& module, uint64_t seed)
      : random_(seed), header_(module.begin(), module.begin() + kHeaderWords) {
    for (size_t at = kHeaderWords; at < module.size();) {
      const size_t count = std::max<size_t>(1, module[at] >> 16);
      const size_t end = std::min(module.size(), at + count);
      instructions_.emplace_back(module.begin() + static_cast<ptrdiff_t>(at),
                                 module.begin() + static_cast<ptrdiff_t>(end));
      at = end;
    }
  }

  std::vector<uint32_t> run() {
    do change();
    while (random_.chance(35));
    std::vector<uint32_t> words = header_;
    for (const Instruction& i : instructions_) words.insert(words.end(), i.begin(), i.end());
    if (random_.chance(2)) words.resize(random_.below(static_cast<uint32_t>(words.size()) + 1));
    return words;
  }

 private:
  void change() {
    if (instructions_.empty() || random_.chance(1)) {
      header_[random_.below(kHeaderWords)] = anyWord();
      return;
    }
    if (random_.chance(30)) return changeNumber();
    if (random_.chance(50)) return changeValue();
    switch (random_.below(12)) {
      case 0:
        instructions_.erase(instructions_.begin() + somewhere());
        return;
      case 1:
        return insert(instructions_[somewhereIndex()]);
      case 2:
        std::iter_swap(instructions_.begin() + somewhere(), instructions_.begin() + somewhere());
        return;
      case 3:
        return changeOpcode(instructions_[somewhereIndex()]);
      case 4:
        return changeLength(instructions_[somewhereIndex()]);
      case 5:
        return moveRun();
      default:
        return changeWord(instructions_[somewhereIndex()]);
    }
  }

  // A number that modules state: values and lengths, offsets and strides, sizes of workgroups, or
  // an operand at the end of an instruction, where literals are.
  void changeNumber() {
    std::vector<Instruction*> stating;
    for (Instruction& i : instructions_) {
      const auto op = static_cast<spv::Op>(i[0] & 0xffff);
      const bool states = op == spv::Op::OpConstant || op == spv::Op::OpSpecConstant ||
                          op == spv::Op::OpDecorate || op == spv::Op::OpMemberDecorate ||
                          op == spv::Op::OpExecutionMode || op == spv::Op::OpTypeInt ||
                          op == spv::Op::OpTypeFloat || op == spv::Op::OpTypeVector;
      if (states && i.size() > 2) stating.push_back(&i);
    }
    if (stating.empty() || random_.chance(20)) {
      Instruction& i = instructions_[somewhereIndex()];
      if (i.size() > 1) i.back() = anyWord();
      return;
    }
    Instruction& i = *stating[random_.below(static_cast<uint32_t>(stating.size()))];
    i.back() = kInteresting[random_.below(std::size(kInteresting))];
  }

  // An operand becomes another value of the same type, so that most results are valid modules.
  void changeValue() {
    std::map<uint32_t, uint32_t> types;
    std::map<uint32_t, std::vector<uint32_t>> values;  // by type
    for (const Instruction& i : instructions_) {
      if (const Shape shape(i); shape.has_type && shape.has_result) {
        types[i[2]] = i[1];
        values[i[1]].push_back(i[2]);
      }
    }
    constexpr int kTries = 16;
    for (int n = 0; n < kTries; ++n) {
      Instruction& i = instructions_[somewhereIndex()];
      const size_t first = Shape(i).firstOperand();
      if (i.size() <= first) continue;
      uint32_t& word = i[first + random_.below(static_cast<uint32_t>(i.size() - first))];
      const auto type = types.find(word);
      if (type == types.end()) continue;
      const std::vector<uint32_t>& alike = values[type->second];
      word = alike[random_.below(static_cast<uint32_t>(alike.size()))];
      return;
    }
  }

  size_t somewhereIndex() { return random_.below(static_cast<uint32_t>(instructions_.size())); }
  ptrdiff_t somewhere() { return static_cast<ptrdiff_t>(somewhereIndex()); }

  uint32_t anyId() { return 1 + random_.below(std::clamp(header_[kBound], 1u, 1u << 22)); }

  uint32_t anyWord() {
    switch (random_.below(4)) {
      case 0:
        return static_cast<uint32_t>(random_.next());
      case 1:
        return anyId();
      default:
        return kInteresting[random_.below(std::size(kInteresting))];
    }
  }

  // Half of the time another instruction's word, which is an id or an enumerant that means
  // something.
  void changeWord(Instruction& i) {
    if (i.size() < 2) return;
    uint32_t& word = i[1 + random_.below(static_cast<uint32_t>(i.size()) - 1)];
    if (random_.chance(50)) {
      const Instruction& other = instructions_[somewhereIndex()];
      if (other.size() > 1)
        word = other[1 + random_.below(static_cast<uint32_t>(other.size()) - 1)];
      return;
    }
    if (random_.chance(30))
      word += random_.chance(50) ? 1 : ~0u;
    else
      word = anyWord();
  }

  // To one of the same family, another that the module has, or any.
  void changeOpcode(Instruction& i) {
    uint32_t opcode = i[0] & 0xffff;
    if (random_.chance(50))
      opcode += random_.below(2 * kRelatedOpcodes + 1) - kRelatedOpcodes;
    else if (random_.chance(80))
      opcode = instructions_[somewhereIndex()][0];
    else
      opcode = random_.below(kLargestOpcode);
    i[0] = (i[0] & 0xffff0000u) | (opcode & 0xffff);
  }

  // With its word count changed as well, or not.
  void changeLength(Instruction& i) {
    if (random_.chance(50) && i.size() > 1)
      i.pop_back();
    else
      i.push_back(anyWord());
    if (random_.chance(85)) i[0] = static_cast<uint32_t>(i.size()) << 16 | (i[0] & 0xffff);
  }

  void insert(Instruction copy) {
    if (random_.chance(50)) changeWord(copy);
    instructions_.insert(instructions_.begin() + somewhere(), std::move(copy));
  }

  void moveRun() {
    const size_t first = somewhereIndex();
    const size_t count = std::min<size_t>(1 + random_.below(12), instructions_.size() - first);
    const auto begin = instructions_.begin() + static_cast<ptrdiff_t>(first);
    std::vector<Instruction> run(begin, begin + static_cast<ptrdiff_t>(count));
    if (random_.chance(50) && count < instructions_.size())
      instructions_.erase(begin, begin + static_cast<ptrdiff_t>(count));
    instructions_.insert(instructions_.begin() + somewhere(), run.begin(), run.end());
  }

  Random random_;
  std::vector<uint32_t> header_;
  std::vector<Instruction> instructions_;
};

}  // namespace

std::vector<uint32_t> mutate(const std::vector<uint32_t>& module, uint64_t seed) {
  if (module.size() < kHeaderWords) return module;
  return Mutation(module, seed).run();
}

}  // namespace fuzz
