// SPDX-License-Identifier: Apache-2.0

#include "tests/support/kernel_check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <sstream>
#include <utility>

#include "tests/support/message_pattern.h"

namespace kernels {
namespace {

constexpr size_t kShownMismatches = 8;

uint64_t loadBits(ElementType type, std::span<const std::byte> memory, uint64_t offset) {
  uint64_t bits = 0;
  std::memcpy(&bits, memory.subspan(offset, elementInfo(type).bytes()).data(),
              elementInfo(type).bytes());
  return bits;
}

Value evaluate(const Elements& elements, uint64_t n, Scope& scope) {
  const Int128 index = elements.first_index + static_cast<Int128>(n) * elements.index_step;
  scope.variables.assign({index, static_cast<Int128>(n)});
  return elements.value(scope);
}

std::string where(const Kernel& kernel, uint32_t line) {
  return kernel.source.path.filename().string() + ":" + std::to_string(line) + ": ";
}

std::string checkElements(const Kernel& kernel, const Expectation& expectation, Scope& scope) {
  std::string shown;
  uint64_t wrong = 0, all = 0;
  for (const Elements& elements : expectation.elements) {
    const std::span<const std::byte> memory = scope.after[elements.buffer];
    all += elements.count;
    for (uint64_t n = 0; n < elements.count; ++n) {
      const uint64_t offset = elements.byte_offset + n * elements.byte_step;
      const uint64_t bits = loadBits(elements.type, memory, offset);
      const Value expected = expectation.contents.empty()
                                 ? evaluate(elements, n, scope)
                                 : loadElement(elements.type, expectation.contents, n);
      if (accepts(expectation.tolerance, elements.type, bits, expected)) continue;
      if (wrong++ >= kShownMismatches) continue;
      const Value got = decode(elements.type, bits);
      shown +=
          "\n  " + kernel.buffers[elements.buffer].name + "[" +
          format(Value::of(elements.first_index + static_cast<Int128>(n) * elements.index_step)) +
          "] is " + format(got) + ", expected " +
          format(decode(elements.type, encode(elements.type, expected)));
    }
  }
  if (wrong == 0) return "";
  return where(kernel, expectation.line) + std::to_string(wrong) + " of " + std::to_string(all) +
         " elements are wrong" + shown;
}

bool matches(const host::Finding& finding, const FindingExpectation& expectation) {
  return finding.check == expectation.check && finding.kind == expectation.kind &&
         std::ranges::all_of(expectation.patterns, [&](const std::string& pattern) {
           return matchesPattern(finding.text, pattern);
         });
}

// The lines that say, in a comment at their end, that a check finds something in them.
std::set<uint32_t> markedLines(const KernelSource& source) {
  const std::string mark = source.language == Language::Glsl ? "// finding" : "; finding";
  std::set<uint32_t> marked;
  std::istringstream lines(source.text);
  uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.ends_with(mark)) marked.insert(number);
  }
  return marked;
}

// Empty, or why an expected finding is not where the file says.
std::string checkPlaces(const Kernel& kernel, const host::Finding& finding,
                        const std::set<uint32_t>& marked) {
  const std::string file = kernel.source.path.filename().string();
  if (finding.places.empty() && !marked.empty())
    return "names no line, but the file marks some:\n" + finding.text;
  for (const host::Place& place : finding.places) {
    if (place.file == file && marked.contains(place.line)) continue;
    return "is in " + place.file + ":" + std::to_string(place.line) +
           ", which is not marked as a finding:\n" + finding.text;
  }
  return "";
}

// Of messages that must follow each other.
std::vector<std::string> checkOrders(const Kernel& kernel, const std::vector<std::string>& prints) {
  std::vector<std::string> failures;
  for (const OrderExpectation& expectation : kernel.orders) {
    auto at = prints.begin();
    for (const std::string& pattern : expectation.patterns) {
      at = std::find_if(at, prints.end(), [&](const std::string& message) {
        return matchesPattern(message, pattern);
      });
      if (at == prints.end()) {
        failures.push_back(kernel.source.path.filename().string() + ":" +
                           std::to_string(expectation.line) + ": no message that matches \"" +
                           pattern + "\" comes where it should");
        break;
      }
      ++at;
    }
  }
  return failures;
}

}  // namespace

bool accepts(const Tolerance& tolerance, ElementType type, uint64_t got_bits,
             const Value& expected) {
  const uint64_t expected_bits = encode(type, expected);
  if (got_bits == expected_bits) return true;
  const Value got = decode(type, got_bits);
  const double a = got.asReal(), b = expected.asReal();
  if (got.is_float && std::isnan(a)) return std::isnan(b);
  if (got.is_float && a == decode(type, expected_bits).real) return true;  // zeros of either sign
  if (!std::isfinite(a) || !std::isfinite(b)) return false;  // no tolerance reaches infinity
  const double error = std::fabs(a - b);
  if (error <= tolerance.absolute || error <= tolerance.relative * std::fabs(b)) return true;
  return tolerance.ulp > 0 && got.is_float &&
         ulpDistance(type, got_bits, expected_bits) <= tolerance.ulp;
}

void fillBuffer(const Kernel& kernel, size_t index, Scope& scope, std::span<std::byte> memory) {
  std::ranges::copy(kernel.buffers[index].contents, memory.begin());
  for (const Elements& elements : kernel.buffers[index].initial) {
    for (uint64_t n = 0; n < elements.count; ++n) {
      const uint64_t bits = encode(elements.type, evaluate(elements, n, scope));
      const uint32_t bytes = elementInfo(elements.type).bytes();
      std::memcpy(memory.subspan(elements.byte_offset + n * elements.byte_step, bytes).data(),
                  &bits, bytes);
    }
  }
}

std::vector<std::string> checkKernel(const Kernel& kernel, Scope& scope) {
  std::vector<std::string> failures;
  std::vector<bool> expected(kernel.buffers.size(), false);
  for (const Expectation& expectation : kernel.expectations) {
    for (const Elements& elements : expectation.elements) expected[elements.buffer] = true;
    const std::string failure = checkElements(kernel, expectation, scope);
    if (!failure.empty()) failures.push_back(failure);
  }
  for (const MatmulExpectation& matmul : kernel.matmuls) {
    expected[matmul.result.buffer] = true;
    for (std::string& failure : checkMatmul(kernel, matmul, scope)) {
      failures.push_back(where(kernel, matmul.line) + std::move(failure));
    }
  }
  for (const Check& check : kernel.checks) {
    scope.variables.assign({0, 0});
    if (!check.condition(scope).isTrue()) {
      failures.push_back(where(kernel, check.line) + "does not hold:" + check.text);
    }
  }
  // Who knows the peer's results compares all buffers; who expects nothing looks at them.
  if (kernel.peer || expectsNothing(kernel)) return failures;
  for (size_t k = 0; k < kernel.buffers.size(); ++k) {
    if (expected[k] || kernel.buffers[k].scratch || scope.before[k] == scope.after[k]) continue;
    const auto [before, after] =
        std::mismatch(scope.before[k].begin(), scope.before[k].end(), scope.after[k].begin());
    failures.push_back(where(kernel, 1) + "buffer '" + kernel.buffers[k].name +
                       "', which nothing is expected of, changed at byte " +
                       std::to_string(before - scope.before[k].begin()));
  }
  return failures;
}

std::vector<std::string> checkPrints(const Kernel& kernel, const std::vector<std::string>& prints) {
  std::vector<std::string> failures = checkOrders(kernel, prints);
  if (kernel.prints.empty()) return failures;
  size_t expected = 0;
  for (const PrintExpectation& expectation : kernel.prints) {
    expected += expectation.times;
    const auto count = std::count_if(prints.begin(), prints.end(), [&](const std::string& message) {
      return matchesPattern(message, expectation.pattern);
    });
    if (count != expectation.times)
      failures.push_back(kernel.source.path.filename().string() + ":" +
                         std::to_string(expectation.line) + ": " + std::to_string(count) + " of " +
                         std::to_string(prints.size()) + " messages match \"" +
                         expectation.pattern + "\", not " + std::to_string(expectation.times));
  }
  if (expected != prints.size()) {
    failures.push_back("the kernel printed " + std::to_string(prints.size()) + " messages, not " +
                       std::to_string(expected));
    for (size_t k = 0; k < std::min<size_t>(prints.size(), 8); ++k)
      failures.push_back("  \"" + prints[k] + "\"");
  }
  return failures;
}

FindingFailures checkFindings(const Kernel& kernel, const std::vector<host::Finding>& findings) {
  FindingFailures result;
  const std::set<uint32_t> marked = markedLines(kernel.source);
  std::vector<uint32_t> counts(kernel.findings.size(), 0);
  for (const host::Finding& finding : findings) {
    const FindingExpectation* expected = nullptr;
    for (size_t k = 0; k < counts.size(); ++k) {
      const FindingExpectation& expectation = kernel.findings[k];
      if (matches(finding, expectation) && ++counts[k] <= expectation.times)
        expected = &expectation;
    }
    if (!expected) {
      ++result.unexpected;
      result.failures.push_back(kernel.source.path.filename().string() + ": unexpected finding:\n" +
                                finding.text);
      continue;
    }
    const std::string misplaced = checkPlaces(kernel, finding, marked);
    if (!misplaced.empty())
      result.failures.push_back(where(kernel, expected->line) + "the finding " + misplaced);
  }
  for (size_t k = 0; k < counts.size(); ++k) {
    const FindingExpectation& expectation = kernel.findings[k];
    if (counts[k] == expectation.times) continue;
    std::string text = where(kernel, expectation.line) + std::to_string(counts[k]) + " of " +
                       std::to_string(findings.size()) + " findings are " + expectation.check +
                       ": " + expectation.kind;
    for (const std::string& pattern : expectation.patterns) text += " \"" + pattern + "\"";
    result.failures.push_back(text + ", not " + std::to_string(expectation.times));
  }
  return result;
}

}  // namespace kernels
