// SPDX-License-Identifier: Apache-2.0

// What is wrong with an instruction's numbers. Internal to runtime/kernel_library.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>

#include "runtime/check/kinds.h"
#include "runtime/kernel_library/check_float.h"

namespace rt {

// The numbers of one instruction, lane by lane; of a matrix, element by element.
class CheckedNumbers {
 public:
  CheckedNumbers(const std::byte* numbers, const CheckedOperation& operation)
      : numbers_(numbers), operation_(operation) {}

  struct Wrong {
    FindingKind kind;
    uint32_t component;
  };
  // All that is wrong in a lane; `isLive` of others, for what crosses lanes.
  void findIn(uint32_t lane, const std::function<bool(uint32_t)>& isLive,
              const std::function<void(Wrong)>& found) const;

  // "infinity from 1 / 0".
  std::string describe(uint32_t lane, Wrong wrong) const;

 private:
  uint64_t bits(const CheckedNumber& number, uint32_t lane) const {
    return bitsOf(number.format, numbers_ + number.offset, number.varies != 0 ? lane : 0);
  }
  const CheckedNumber* find(uint8_t operand, uint32_t component) const;
  bool isAbout(const CheckedNumber& number, uint32_t component) const;
  std::optional<FindingKind> born(const CheckedNumber& result, uint32_t lane,
                                  const std::function<bool(uint32_t)>& isLive) const;
  std::string text(const CheckedNumber& number, uint32_t lane) const {
    return textOf(number.format, bits(number, lane));
  }
  std::string expression(uint32_t lane, uint32_t component) const;

  const std::byte* numbers_;
  const CheckedOperation& operation_;
};

}  // namespace rt
