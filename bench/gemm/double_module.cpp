// SPDX-License-Identifier: Apache-2.0

#include "bench/gemm/double_module.h"

#include <bit>
#include <set>
#include <span>

#include <spirv/unified1/spirv.hpp11>

namespace bench {
namespace {

constexpr size_t kHeaderWords = 5;

template <typename Function>
void forEachInstruction(const std::vector<uint32_t>& spirv, const Function& function) {
  for (size_t at = kHeaderWords; at < spirv.size(); at += spirv[at] >> 16)
    function(static_cast<spv::Op>(spirv[at] & 0xffff), std::span(&spirv[at], spirv[at] >> 16));
}

void append(std::vector<uint32_t>& words, spv::Op op, std::initializer_list<uint32_t> operands) {
  words.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | static_cast<uint32_t>(op));
  words.insert(words.end(), operands);
}

}  // namespace

std::vector<uint32_t> withDoubles(const std::vector<uint32_t>& spirv) {
  std::set<uint32_t> floats, arrays;
  forEachInstruction(spirv, [&](spv::Op op, std::span<const uint32_t> words) {
    if (op == spv::Op::OpTypeFloat && words[2] == 32) floats.insert(words[1]);
    if ((op == spv::Op::OpTypeRuntimeArray || op == spv::Op::OpTypeArray) &&
        floats.contains(words[2]))
      arrays.insert(words[1]);
  });
  std::vector<uint32_t> result(spirv.begin(), spirv.begin() + kHeaderWords);
  append(result, spv::Op::OpCapability, {static_cast<uint32_t>(spv::Capability::Float64)});
  forEachInstruction(spirv, [&](spv::Op op, std::span<const uint32_t> words) {
    const bool strided = op == spv::Op::OpDecorate && arrays.contains(words[1]) &&
                         words[2] == static_cast<uint32_t>(spv::Decoration::ArrayStride);
    if (op == spv::Op::OpTypeFloat && floats.contains(words[1])) {
      append(result, op, {words[1], 64});
    } else if (op == spv::Op::OpConstant && floats.contains(words[1])) {
      const auto bits = std::bit_cast<uint64_t>(double{std::bit_cast<float>(words[3])});
      append(result, op,
             {words[1], words[2], static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)});
    } else if (strided) {
      append(result, op, {words[1], words[2], 2 * words[3]});
    } else {
      result.insert(result.end(), words.begin(), words.end());
    }
  });
  return result;
}

}  // namespace bench
