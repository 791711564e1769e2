// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/checked_numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace rt {
namespace {

// An operation of one lane, and what is wrong with it, in words.
class Operation {
 public:
  Operation(NumberRule rule, const char* name, bool is_infix) : name_(name) {
    operation_.rule = rule;
    operation_.is_infix = is_infix ? 1 : 0;
    operation_.lanes = 1;
  }

  template <typename T>
  Operation& add(NumberFormat format, uint8_t operand, uint8_t component, T value) {
    entries_.push_back({static_cast<uint32_t>(numbers_.size()), format, 1, operand, component});
    numbers_.resize(numbers_.size() + sizeof value);
    std::memcpy(numbers_.data() + numbers_.size() - sizeof value, &value, sizeof value);
    return *this;
  }
  Operation& operand(uint8_t number, float value, uint8_t component = 0) {
    return add(NumberFormat::Single, number, component, value);
  }
  Operation& result(float value, uint8_t component = 0) {
    return operand(CheckedNumber::kResult, value, component);
  }
  Operation& mixing() {
    operation_.mixes = 1;
    return *this;
  }
  Operation& target(NumberFormat format) {
    operation_.target = format;
    return *this;
  }

  std::vector<std::string> found() {
    operation_.count = static_cast<uint32_t>(entries_.size());
    std::vector<std::byte> data(sizeof operation_ + entries_.size() * sizeof(CheckedNumber) +
                                name_.size() + 1);
    std::memcpy(data.data(), &operation_, sizeof operation_);
    std::memcpy(data.data() + sizeof operation_, entries_.data(),
                entries_.size() * sizeof(CheckedNumber));
    std::memcpy(data.data() + data.size() - name_.size() - 1, name_.c_str(), name_.size() + 1);
    const CheckedNumbers checked(numbers_.data(),
                                 *reinterpret_cast<const CheckedOperation*>(data.data()));
    std::vector<std::string> texts;
    checked.findIn(
        0, [](uint32_t) { return true; },
        [&](CheckedNumbers::Wrong wrong) { texts.push_back(checked.describe(0, wrong)); });
    return texts;
  }

 private:
  CheckedOperation operation_{};
  std::string name_;
  std::vector<CheckedNumber> entries_;
  std::vector<std::byte> numbers_;
};

using Texts = std::vector<std::string>;

Operation division(float a, float b) {
  return Operation(NumberRule::Result, "/", true).operand(0, a).operand(1, b).result(a / b);
}

TEST(CheckedNumbers, AreBornOfFiniteOnes) {
  EXPECT_EQ(division(1, 0).found(), Texts{"an infinity from 1 / 0"});
  EXPECT_EQ(division(0, 0).found(), Texts{"a NaN from 0 / 0"});
  EXPECT_EQ(division(1, 4).found(), Texts());
}

TEST(CheckedNumbers, ArePassedOn) {
  EXPECT_EQ(division(INFINITY, 2).found(), Texts());
  EXPECT_EQ(division(NAN, 0).found(), Texts());
  EXPECT_EQ(division(INFINITY, -INFINITY).found(), Texts{"a NaN from inf / -inf"});
}

TEST(CheckedNumbers, FollowFromTheirComponentsAlone) {
  auto sum = [] { return Operation(NumberRule::Result, "+", true); };
  EXPECT_EQ(
      sum().operand(0, NAN, 0).operand(0, 1, 1).operand(1, 2).result(NAN, 0).result(NAN, 1).found(),
      Texts{"a NaN from 1 + 2"});
  EXPECT_EQ(sum().mixing().operand(0, NAN, 0).operand(0, 1, 1).result(NAN).found(), Texts());
  EXPECT_EQ(Operation(NumberRule::Result, "length", false)
                .mixing()
                .operand(0, 3e38f, 0)
                .operand(0, 1, 1)
                .result(INFINITY)
                .found(),
            Texts{"an infinity from length((3e+38, 1))"});
}

TEST(CheckedNumbers, FitIntoIntegersWhenTheyAreCut) {
  auto conversion = [](float value, NumberFormat target) {
    return Operation(NumberRule::ToInteger, "", false).operand(0, value).target(target).found();
  };
  using enum NumberFormat;
  EXPECT_EQ(conversion(-2147483648.0f, Signed32), Texts());
  EXPECT_EQ(conversion(2147483648.0f, Signed32),
            Texts{"2147483648 becomes a signed integer of 32 bits, which cannot hold it"});
  EXPECT_EQ(conversion(-128.5f, Signed8), Texts());
  EXPECT_EQ(conversion(-129.0f, Signed8).size(), 1u);
  EXPECT_EQ(conversion(-0.75f, Unsigned32), Texts());
  EXPECT_EQ(conversion(-1.0f, Unsigned32).size(), 1u);
  EXPECT_EQ(conversion(255.9f, Unsigned8), Texts());
  EXPECT_EQ(conversion(256.0f, Unsigned8).size(), 1u);
  EXPECT_EQ(conversion(NAN, Signed64),
            Texts{"nan becomes a signed integer of 64 bits, which cannot hold it"});
}

TEST(CheckedNumbers, DivideIntegers) {
  auto quotient = [](NumberFormat format, int16_t a, int16_t b) {
    return Operation(NumberRule::Division, "/", true)
        .add(format, 0, 0, a)
        .add(format, 1, 0, b)
        .found();
  };
  using enum NumberFormat;
  EXPECT_EQ(quotient(Signed16, 7, 0), Texts{"the undefined integer 7 / 0"});
  EXPECT_EQ(quotient(Signed16, -32768, -1), Texts{"the undefined integer -32768 / -1"});
  EXPECT_EQ(quotient(Signed16, -32767, -1), Texts());
  EXPECT_EQ(quotient(Unsigned16, -32768, -1), Texts());
}

TEST(CheckedNumbers, ShiftIntegersByLessThanTheirWidth) {
  auto shift = [](uint32_t amount) {
    return Operation(NumberRule::Shift, "<<", true)
        .add(NumberFormat::Unsigned16, 0, 0, uint16_t{3})
        .add(NumberFormat::Unsigned32, 1, 0, amount)
        .found();
  };
  EXPECT_EQ(shift(15), Texts());
  EXPECT_EQ(shift(16), Texts{"an integer of 16 bits is shifted by 16: 3 << 16"});
  EXPECT_EQ(shift(~0u).size(), 1u);
}

TEST(CheckedNumbers, TakeFieldsInsideOfIntegers) {
  auto field = [](uint32_t offset, uint32_t count) {
    return Operation(NumberRule::BitField, "bitfieldExtract", false)
        .add(NumberFormat::Unsigned32, 0, 0, uint32_t{3})
        .add(NumberFormat::Unsigned32, 1, 0, offset)
        .add(NumberFormat::Unsigned32, 2, 0, count)
        .found();
  };
  EXPECT_EQ(field(32, 0), Texts());
  EXPECT_EQ(field(0, 32), Texts());
  EXPECT_EQ(field(20, 16),
            Texts{"a field of 16 bits from bit 20 on leads past the 32 bits of an integer"});
  EXPECT_EQ(field(33, ~0u).size(), 1u);
}

}  // namespace
}  // namespace rt
