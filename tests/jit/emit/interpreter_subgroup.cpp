// SPDX-License-Identifier: Apache-2.0

// SPIR-V Specification, "Non-Uniform Instructions", on 32-bit integers, Bools and vectors of them.
#include "tests/jit/emit/interpreter_subgroup.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>

namespace jit::test {
namespace {

using spv::GroupOperation;
using spv::Op;
using Words = std::vector<uint32_t>;

struct Reduction {
  std::function<uint32_t(uint32_t, uint32_t)> combine;
  uint32_t identity;
};

std::optional<Reduction> reductionOf(Op op) {
  switch (op) {
    case Op::OpGroupNonUniformIAdd:
      return Reduction{std::plus<>(), 0};
    case Op::OpGroupNonUniformIMul:
      return Reduction{std::multiplies<>(), 1};
    case Op::OpGroupNonUniformUMin:
      return Reduction{[](uint32_t a, uint32_t b) { return std::min(a, b); }, ~0u};
    case Op::OpGroupNonUniformUMax:
      return Reduction{[](uint32_t a, uint32_t b) { return std::max(a, b); }, 0};
    case Op::OpGroupNonUniformSMin:
      return Reduction{[](uint32_t a, uint32_t b) {
                         return static_cast<int32_t>(a) < static_cast<int32_t>(b) ? a : b;
                       },
                       0x7fffffff};
    case Op::OpGroupNonUniformSMax:
      return Reduction{[](uint32_t a, uint32_t b) {
                         return static_cast<int32_t>(a) > static_cast<int32_t>(b) ? a : b;
                       },
                       0x80000000};
    case Op::OpGroupNonUniformBitwiseAnd:
      return Reduction{std::bit_and<>(), ~0u};
    case Op::OpGroupNonUniformBitwiseOr:
      return Reduction{std::bit_or<>(), 0};
    case Op::OpGroupNonUniformBitwiseXor:
      return Reduction{std::bit_xor<>(), 0};
    case Op::OpGroupNonUniformLogicalAnd:
      return Reduction{std::bit_and<>(), 1};
    case Op::OpGroupNonUniformLogicalOr:
      return Reduction{std::bit_or<>(), 0};
    case Op::OpGroupNonUniformLogicalXor:
      return Reduction{std::bit_xor<>(), 0};
    default:
      return std::nullopt;
  }
}

class SubgroupOperation {
 public:
  SubgroupOperation(std::span<Invocation* const> participants, uint32_t size)
      : participants_(participants), size_(size), i_(participants.front()->waiting()) {}

  // The result of the `p`-th participant.
  Words result(size_t p) const {
    if (auto reduction = reductionOf(i_.op)) return reduced(*reduction, p);
    switch (i_.op) {
      case Op::OpGroupNonUniformElect:
        return {p == 0};
      case Op::OpGroupNonUniformAll:
        return {std::all_of(participants_.begin(), participants_.end(),
                            [&](Invocation* v) { return v->get(i_.operands[1]).words[0] != 0; })};
      case Op::OpGroupNonUniformAny:
        return {std::any_of(participants_.begin(), participants_.end(),
                            [&](Invocation* v) { return v->get(i_.operands[1]).words[0] != 0; })};
      case Op::OpGroupNonUniformAllEqual:
        return {std::all_of(participants_.begin(), participants_.end(), [&](Invocation* v) {
          return v->get(i_.operands[1]).words == operand(0, 1);
        })};
      case Op::OpGroupNonUniformBroadcastFirst:
        return operand(0, 1);
      case Op::OpGroupNonUniformBallot: {
        Words bits(4);
        for (size_t q = 0; q < participants_.size(); ++q)
          bits[lane(q) / 32] |= operand(q, 1)[0] << (lane(q) % 32);
        return bits;
      }
      case Op::OpGroupNonUniformInverseBallot:
        return {operand(p, 1)[lane(p) / 32] >> (lane(p) % 32) & 1};
      case Op::OpGroupNonUniformBallotBitExtract: {
        const uint32_t bit = operand(p, 2)[0];
        return {operand(p, 1).at(bit / 32) >> (bit % 32) & 1};
      }
      case Op::OpGroupNonUniformBallotBitCount:
        return {bitCount(static_cast<GroupOperation>(i_.operands[1]), operand(p, 2), lane(p))};
      default:
        throw InterpreterError("subgroup operation " + std::to_string(static_cast<int>(i_.op)) +
                               " is not known");
    }
  }

 private:
  Words operand(size_t p, size_t k) const { return participants_[p]->get(i_.operands[k]).words; }
  uint32_t lane(size_t p) const { return participants_[p]->index() % size_; }

  Words reduced(const Reduction& reduction, size_t p) const {
    const auto group = static_cast<GroupOperation>(i_.operands[1]);
    const uint32_t cluster = group == GroupOperation::ClusteredReduce ? operand(p, 3)[0] : size_;
    Words sum(operand(p, 2).size(), reduction.identity);
    for (size_t q = 0; q < participants_.size(); ++q) {
      if (lane(q) / cluster != lane(p) / cluster) continue;
      if (group == GroupOperation::InclusiveScan && q > p) continue;
      if (group == GroupOperation::ExclusiveScan && q >= p) continue;
      const Words value = operand(q, 2);
      for (size_t c = 0; c < sum.size(); ++c) sum[c] = reduction.combine(sum[c], value[c]);
    }
    return sum;
  }

  uint32_t bitCount(GroupOperation group, const Words& bits, uint32_t me) const {
    uint32_t count = 0;
    for (uint32_t l = 0; l < size_; ++l) {
      if (group == GroupOperation::InclusiveScan && l > me) continue;
      if (group == GroupOperation::ExclusiveScan && l >= me) continue;
      count += bits[l / 32] >> (l % 32) & 1;
    }
    return count;
  }

  std::span<Invocation* const> participants_;
  const uint32_t size_;
  const ParsedInstruction& i_;
};

}  // namespace

void runSubgroupOperation(std::span<Invocation* const> participants, uint32_t subgroup_size) {
  const SubgroupOperation operation(participants, subgroup_size);
  std::vector<Words> results;
  for (size_t p = 0; p < participants.size(); ++p) results.push_back(operation.result(p));
  for (size_t p = 0; p < participants.size(); ++p) participants[p]->complete(std::move(results[p]));
}

}  // namespace jit::test
