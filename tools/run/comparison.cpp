// SPDX-License-Identifier: Apache-2.0

#include "tools/run/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "tests/support/kernel_check.h"

namespace run {
namespace {

using kernels::Buffer;
using kernels::Value;

uint64_t bitsOf(const Buffer& buffer, const std::vector<std::byte>& memory, size_t element) {
  const size_t bytes = kernels::elementInfo(buffer.type).bytes();
  uint64_t bits = 0;
  std::memcpy(&bits, memory.data() + element * bytes, bytes);
  return bits;
}

// How far elements are apart, at most; infinities and NaN by themselves are not.
struct Distance {
  double absolute = 0, relative = 0, ulp = 0;
  void add(kernels::ElementType type, uint64_t here, uint64_t there) {
    const double a = kernels::decode(type, here).asReal(),
                 b = kernels::decode(type, there).asReal();
    if (!std::isfinite(a) || !std::isfinite(b)) return;
    absolute = std::max(absolute, std::fabs(a - b));
    if (b != 0) relative = std::max(relative, std::fabs((a - b) / b));
    if (kernels::elementInfo(type).kind == kernels::ElementKind::Float)
      ulp = std::max(ulp, kernels::ulpDistance(type, here, there));
  }
};

// Empty: all are the same.
std::string describeDifferences(const Buffer& buffer, const std::vector<std::byte>& here,
                                const std::vector<std::byte>& there,
                                const kernels::Tolerance& tolerance) {
  const size_t count =
      std::min(here.size(), there.size()) / kernels::elementInfo(buffer.type).bytes();
  std::optional<size_t> first;
  size_t different = 0;
  Distance most;
  for (size_t e = 0; e < count; ++e) {
    const uint64_t a = bitsOf(buffer, here, e), b = bitsOf(buffer, there, e);
    if (a == b || kernels::accepts(tolerance, buffer.type, a, kernels::decode(buffer.type, b)))
      continue;
    if (!first) first = e;
    ++different;
    most.add(buffer.type, a, b);
  }
  if (!first) return "";
  auto text = [](const Value& value) { return kernels::format(value); };
  auto element = [&](const std::vector<std::byte>& memory) {
    return text(kernels::decode(buffer.type, bitsOf(buffer, memory, *first)));
  };
  std::string result = buffer.name + ": " + std::to_string(different) + " of " +
                       std::to_string(count) + " elements differ, " + buffer.name + "[" +
                       std::to_string(*first) + "] first: " + element(here) + " here, " +
                       element(there) + " there; at most " + text(Value::of(most.absolute)) +
                       " apart, " + text(Value::of(most.relative)) + " relative";
  if (most.ulp != 0) result += ", " + text(Value::of(most.ulp)) + " ULP";
  return result;
}

}  // namespace

Comparison compare(const kernels::Kernel& kernel, const std::vector<std::vector<std::byte>>& here,
                   const std::vector<std::vector<std::byte>>& there,
                   const kernels::Tolerance& tolerance) {
  Comparison comparison;
  for (size_t k = 0; k < kernel.buffers.size(); ++k) {
    if (kernel.buffers[k].scratch) continue;
    const std::string differences =
        describeDifferences(kernel.buffers[k], here[k], there[k], tolerance);
    if (differences.empty()) continue;
    comparison.are_same = false;
    comparison.text += (comparison.text.empty() ? "" : "\n") + differences;
  }
  return comparison;
}

}  // namespace run
