// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/check_matrix_float.h"

#include <algorithm>
#include <span>
#include <vector>

#include "runtime/kernel_library/checked_numbers.h"
#include "runtime/kernel_library/site_report.h"

namespace rt {

void MatrixNotes::add(MatrixUse use, uint32_t row, uint32_t column) {
  const bool is_any = use == MatrixUse::Any;
  if (use == MatrixUse::A || is_any) set(rows_of_a, row);
  if (use == MatrixUse::B || is_any) set(columns_of_b, column);
  if (use == MatrixUse::Accumulator || is_any) {
    set(rows_of_sum, row);
    set(columns_of_sum, column);
  }
}

bool MatrixNotes::mayReach(uint32_t row, uint32_t column) const {
  return has(rows_of_a, row) || has(columns_of_b, column) ||
         (has(rows_of_sum, row) && has(columns_of_sum, column));
}

void beginNotes(const DispatchArgs* dispatch, MatrixNotes* notes) {
  *notes = {};
  notes->has_all = dispatch->checker != nullptr && dispatch->checker->notesOperands() ? 1 : 0;
}

void noteMatrix(MatrixNotes* notes, const std::byte* base, uint64_t limit, int64_t stride,
                uint64_t packed_form) {
  const NotedForm form = NotedForm::unpack(packed_form);
  if (form.is_lazy && notes->has_all == 0) return;
  const uint64_t bytes = bytesOf(form.format), line_bytes = form.length * bytes;
  const bool is_whole = stride >= 0 && stride < int64_t{1} << 40 &&
                        static_cast<uint64_t>(stride) * (form.lines - 1) + line_bytes <= limit;
  if (is_whole && !hasNonFinite(form.format, base, form.lines, form.length, stride)) return;
  for (uint32_t line = 0; line < form.lines; ++line) {
    const uint64_t begin = static_cast<uint64_t>(stride) * line;
    uint64_t count = form.length;
    if (limit != ~uint64_t{0})
      count = begin < limit ? std::min<uint64_t>((limit - begin) / bytes, count) : 0;
    const std::byte* numbers = base + static_cast<int64_t>(begin);
    if (!hasNonFinite(form.format, numbers, count)) continue;
    for (uint32_t k = 0; k < count; ++k) {
      if (classOf(form.format, bitsOf(form.format, numbers, k)) == FloatClass::Finite) continue;
      notes->add(form.use, form.by_columns ? k : line, form.by_columns ? line : k);
    }
  }
}

namespace {

struct FoundElement {
  uint64_t count = 0;
  uint32_t element = 0;
};
using FoundElements = std::array<FoundElement, std::size(kFindings)>;

void add(FoundElements& found, FindingKind kind, uint32_t element) {
  FoundElement& of = found[static_cast<size_t>(kind)];
  if (of.count++ == 0) of.element = element;
}

std::string placeIn(const CheckedOperation& operation, uint32_t element) {
  const uint32_t in_matrix = element % (uint32_t{operation.rows} * operation.columns);
  return "row " + std::to_string(in_matrix / operation.columns) + ", column " +
         std::to_string(in_matrix % operation.columns);
}

// Of one matrix: what no infinity or NaN that was there before can have led to. One in a row of A
// leads to a whole row of the sum, one in a column of B to a whole column. Returns whether that is
// known of all elements.
bool findInSum(const CheckedOperation& operation, NumberFormat format, const std::byte* numbers,
               uint32_t first, const MatrixNotes* notes, FoundElements& found) {
  const bool is_noted = operation.is_noted != 0 && notes->has_all != 0;
  bool is_known = true;
  const uint32_t rows = operation.rows, columns = operation.columns;
  std::vector<bool> row_has_number(rows), column_has_number(columns);
  auto classAt = [&](uint32_t row, uint32_t column) {
    return classOf(format, bitsOf(format, numbers, first + row * columns + column));
  };
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t column = 0; column < columns; ++column) {
      if (classAt(row, column) != FloatClass::Finite) continue;
      row_has_number[row] = true;
      column_has_number[column] = true;
    }
  }
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t column = 0; column < columns; ++column) {
      const FloatClass of_element = classAt(row, column);
      if (of_element == FloatClass::Finite || notes->mayReach(row, column)) continue;
      const bool is_alone = row_has_number[row] && column_has_number[column];
      if (!is_noted && !is_alone) {
        is_known = false;
        continue;
      }
      add(found, of_element == FloatClass::Infinite ? FindingKind::Infinity : FindingKind::Nan,
          first + row * columns + column);
    }
  }
  return is_known;
}

}  // namespace

void checkMatrixNumbers(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y,
                        uint32_t z, uint32_t subgroup, MatrixNotes* notes, const std::byte* numbers,
                        const CheckedOperation* operation) {
  const CheckedNumber* result = nullptr;
  for (const CheckedNumber& number : std::span(operation->numbers(), operation->count))
    if (number.operand == CheckedNumber::kResult) result = &number;
  const bool is_of_result = result != nullptr && isFloat(result->format);
  if (is_of_result) {
    const std::byte* results = numbers + result->offset;
    if (!hasNonFinite(result->format, results, operation->lanes)) return;
  }
  guarded(dispatch, [&] {
    if (dispatch->checker == nullptr) return;
    FoundElements found{};
    const CheckedNumbers checked(numbers, *operation);
    const uint32_t elements = uint32_t{operation->rows} * operation->columns;
    const bool is_sum = operation->rule == NumberRule::Sums;
    for (uint32_t first = 0; is_sum && first < operation->lanes; first += elements)
      if (!findInSum(*operation, result->format, numbers + result->offset, first, notes, found) &&
          operation->is_noted != 0)
        dispatch->checker->noteOperands();
    for (uint32_t element = 0; element < operation->lanes; ++element) {
      if (!is_sum)
        checked.findIn(
            element, [](uint32_t) { return true; },
            [&](CheckedNumbers::Wrong wrong) { add(found, wrong.kind, element); });
      if (!is_of_result || notes == nullptr) continue;
      const uint64_t bits = bitsOf(result->format, numbers + result->offset, element);
      if (classOf(result->format, bits) != FloatClass::Finite)
        notes->add(static_cast<MatrixUse>(operation->use), element % elements / operation->columns,
                   element % operation->columns);
    }
    const CheckedWorkgroup workgroup{{x, y, z}, subgroup};
    const SiteReport report(dispatch, site, workgroup);
    for (size_t k = 0; k < found.size(); ++k) {
      const FoundElement& of = found[k];
      if (of.count == 0) continue;
      const auto kind = static_cast<FindingKind>(k);
      report.add(kind, [&](Finding& finding) {
        const std::string place = placeIn(*operation, of.element);
        if (is_sum)
          finding.what = std::string(kind == FindingKind::Nan ? "a NaN" : "an infinity") +
                         " from a sum of products of matrices, in " + place;
        else
          finding.what = checked.describe(of.element, {kind, 0}) + ", in " + place;
        finding.details.push_back("the same in " + std::to_string(of.count) + " of " +
                                  std::to_string(elements) + " elements of a " +
                                  std::to_string(operation->rows) + "x" +
                                  std::to_string(operation->columns) + " matrix");
      });
    }
  });
}

}  // namespace rt
