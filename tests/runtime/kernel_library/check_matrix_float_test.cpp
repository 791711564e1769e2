// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/check_matrix_float.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "runtime/check/checker.h"

namespace rt {
namespace {

// A sum of 4x4 floats, and what is found in it.
class Sum : public testing::Test {
 protected:
  static constexpr uint32_t kSide = 4;

  Sum() {
    numbers_.assign(kSide * kSide, 1.0f);
    notes_.has_all = 1;
  }

  float& at(uint32_t row, uint32_t column) { return numbers_[row * kSide + column]; }

  std::vector<std::string> check(bool is_noted) {
    std::vector<std::string> found;
    CheckSet checks;
    checks.add(Check::Float);
    Checker checker({.checks = checks}, [&](const Finding& f) { found.push_back(headOf(f)); });
    if (asks_for_notes_) checker.noteOperands();
    DispatchArgs dispatch{};
    dispatch.checker = &checker;
    struct {
      CheckedOperation operation{};
      CheckedNumber result{};
      char name = 0;
    } data;
    data.operation.lanes = kSide * kSide;
    data.operation.count = 1;
    data.operation.rule = NumberRule::Sums;
    data.operation.use = static_cast<uint8_t>(MatrixUse::Accumulator);
    data.operation.is_noted = is_noted ? 1 : 0;
    data.operation.rows = data.operation.columns = kSide;
    data.result = {0, NumberFormat::Single, 1, CheckedNumber::kResult, 0};
    const std::string site = describeSite({});
    MatrixNotes notes = notes_;  // the sum is noted, too
    checkMatrixNumbers(&dispatch, site.c_str(), 0, 0, 0, 0, &notes,
                       reinterpret_cast<const std::byte*>(numbers_.data()), &data.operation);
    asks_for_notes_ = checker.notesOperands();
    return found;
  }

  // What a load of a matrix of this use finds in it.
  void note(MatrixUse use, uint32_t row, uint32_t column, float value, bool by_columns = false) {
    std::vector<float> matrix(kSide * kSide, 2.0f);
    matrix[by_columns ? column * kSide + row : row * kSide + column] = value;
    const NotedForm form{kSide, kSide, NumberFormat::Single, by_columns, use, is_lazy_};
    noteMatrix(&notes_, reinterpret_cast<const std::byte*>(matrix.data()), ~uint64_t{0},
               kSide * sizeof(float), form.pack());
  }

  MatrixNotes notes_{};
  bool is_lazy_ = false, asks_for_notes_ = false;
  std::vector<float> numbers_;
};

using Texts = std::vector<std::string>;

TEST_F(Sum, OfNumbersHasNothing) {
  EXPECT_EQ(check(true), Texts());
  EXPECT_EQ(check(false), Texts());
}

TEST_F(Sum, IsToldRowAndColumn) {
  at(2, 3) = INFINITY;
  const Texts expected{
      "float: infinity: an infinity from a sum of products of matrices, in row 2, column 3"};
  EXPECT_EQ(check(true), expected);
  EXPECT_EQ(check(false), expected);  // neither a row of A nor a column of B makes one alone
}

TEST_F(Sum, RowsOfAAreExcused) {
  note(MatrixUse::A, 1, 2, NAN, true);
  for (uint32_t column = 0; column < kSide; ++column) at(1, column) = NAN;
  EXPECT_EQ(check(true), Texts());
  at(3, 0) = -INFINITY;
  EXPECT_EQ(check(true), Texts{"float: infinity: an infinity from a sum of products of matrices, "
                               "in row 3, column 0"});
}

TEST_F(Sum, ColumnsOfBAreExcused) {
  note(MatrixUse::B, 1, 2, INFINITY);
  for (uint32_t row = 0; row < kSide; ++row) at(row, 2) = INFINITY;
  EXPECT_EQ(check(true), Texts());
  at(1, 0) = NAN;
  EXPECT_EQ(check(true),
            Texts{"float: nan: a NaN from a sum of products of matrices, in row 1, column 0"});
}

TEST_F(Sum, OfAnInfiniteAccumulatorIsExcusedThere) {
  note(MatrixUse::Accumulator, 1, 2, INFINITY);
  at(1, 2) = INFINITY;
  EXPECT_EQ(check(true), Texts());
  EXPECT_EQ(check(false), Texts());
  at(1, 1) = INFINITY;
  EXPECT_EQ(check(true).size(), 1u);
}

// Where operands are not noted, a whole row may be a row of A's.
TEST_F(Sum, OfUnnotedOperandsIsExcusedInWholeRows) {
  for (uint32_t column = 0; column < kSide; ++column) at(1, column) = NAN;
  EXPECT_EQ(check(false), Texts());
  EXPECT_EQ(check(true).size(), 1u);
}

// Until one comes that cannot be told without notes.
TEST_F(Sum, MayBeNotedLazily) {
  is_lazy_ = true;
  notes_.has_all = 0;
  note(MatrixUse::A, 1, 0, NAN);
  EXPECT_FALSE(notes_.mayReach(1, 0));
  at(2, 2) = INFINITY;
  EXPECT_EQ(check(true).size(), 1u);
  EXPECT_FALSE(asks_for_notes_);
  for (uint32_t column = 0; column < kSide; ++column) at(1, column) = NAN;
  EXPECT_EQ(check(true).size(), 1u);
  EXPECT_TRUE(asks_for_notes_);
  notes_.has_all = 1;
  note(MatrixUse::A, 1, 0, NAN);
  EXPECT_TRUE(notes_.mayReach(1, 0));
  EXPECT_EQ(check(true).size(), 1u);
  EXPECT_EQ(check(false).size(), 1u);
}

TEST_F(Sum, WhatIsOutsideIsNotRead) {
  const float matrix[] = {1, INFINITY, INFINITY, INFINITY};
  const NotedForm form{2, 2, NumberFormat::Single, false, MatrixUse::A, false};
  noteMatrix(&notes_, reinterpret_cast<const std::byte*>(matrix), sizeof(float), 8, form.pack());
  EXPECT_FALSE(notes_.mayReach(0, 0));
  noteMatrix(&notes_, reinterpret_cast<const std::byte*>(matrix), 3 * sizeof(float), 8,
             form.pack());
  EXPECT_TRUE(notes_.mayReach(0, 0));
  EXPECT_TRUE(notes_.mayReach(1, 1));
}

}  // namespace
}  // namespace rt
