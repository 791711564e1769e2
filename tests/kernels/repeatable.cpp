// SPDX-License-Identifier: Apache-2.0

#include "tests/kernels/repeatable.h"

#include <unordered_set>

#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/spirv.hpp11>

namespace kernels {
namespace {

constexpr size_t kHeaderWords = 5;

bool isAtomic(spv::Op op) {
  return (op >= spv::Op::OpAtomicLoad && op <= spv::Op::OpAtomicXor) ||
         op == spv::Op::OpAtomicFMinEXT || op == spv::Op::OpAtomicFMaxEXT;
}

}  // namespace

bool isRepeatable(std::span<const uint32_t> spirv) {
  std::unordered_set<uint32_t> given_back;
  for (size_t at = kHeaderWords; at < spirv.size();) {
    const auto op = spv::Op(spirv[at] & 0xffff);
    const size_t words = spirv[at] >> 16;
    if (words == 0 || at + words > spirv.size()) return false;
    if (op == spv::Op::OpAtomicFAddEXT || op == spv::Op::OpAtomicStore ||
        op == spv::Op::OpReadClockKHR)
      return false;
    if (op == spv::Op::OpCapability &&
        spv::Capability(spirv[at + 1]) == spv::Capability::PhysicalStorageBufferAddresses)
      return false;
    bool has_result = false, has_type = false;
    spv::HasResultAndType(op, &has_result, &has_type);
    for (size_t k = 1; k < words; ++k)
      if (given_back.contains(spirv[at + k]) && op != spv::Op::OpName && op != spv::Op::OpDecorate)
        return false;
    if (isAtomic(op) && has_result && words > 2) given_back.insert(spirv[at + 2]);
    at += words;
  }
  return true;
}

}  // namespace kernels
