// SPDX-License-Identifier: Apache-2.0

#include "tests/support/matrix_offer.h"

#include <algorithm>
#include <utility>

#include "tests/support/matrix_rows.h"

namespace kernels {
namespace {

bool isHeldBy(const MatrixRow& row, uint32_t invocations) {
  return row.scope == (invocations == 0 ? VK_SCOPE_SUBGROUP_KHR : VK_SCOPE_WORKGROUP_KHR) &&
         row.invocations == invocations;
}

// Whether a size is a row's, or one of its multiples.
bool isSize(uint32_t size, const MatrixRow& row, uint32_t size_of_row, uint32_t max_dimension) {
  if (!row.multiples) return size == size_of_row;
  return size != 0 && size % size_of_row == 0 && size <= max_dimension;
}

// Rows and columns of the matrix that a row has in a use.
std::pair<uint32_t, uint32_t> sizesOf(const MatrixRow& row, MatrixUse use) {
  switch (use) {
    case MatrixUse::A:
      return {row.m, row.k};
    case MatrixUse::B:
      return {row.k, row.n};
    case MatrixUse::Accumulator:
      return {row.m, row.n};
  }
  return {};
}

bool hasType(const MatrixRow& row, MatrixUse use, VkComponentTypeKHR type) {
  switch (use) {
    case MatrixUse::A:
      return row.a == type;
    case MatrixUse::B:
      return row.b == type;
    case MatrixUse::Accumulator:
      return row.c == type || row.result == type;
  }
  return false;
}

std::string holders(uint32_t invocations) {
  return invocations == 0 ? "subgroups" : "workgroups of " + std::to_string(invocations);
}

const char* nameOf(MatrixUse use) {
  switch (use) {
    case MatrixUse::A:
      return "A";
    case MatrixUse::B:
      return "B";
    case MatrixUse::Accumulator:
      return "Accumulator";
  }
  return "";
}

}  // namespace

MatrixRow::MatrixRow(const VkCooperativeMatrixPropertiesKHR& row)
    : scope(row.scope),
      invocations(0),
      m(row.MSize),
      n(row.NSize),
      k(row.KSize),
      multiples(false),
      a(row.AType),
      b(row.BType),
      c(row.CType),
      result(row.ResultType),
      saturating(row.saturatingAccumulation != 0) {}

MatrixRow::MatrixRow(const VkCooperativeMatrixFlexibleDimensionsPropertiesNV& row)
    : scope(row.scope),
      invocations(row.workgroupInvocations),
      m(row.MGranularity),
      n(row.NGranularity),
      k(row.KGranularity),
      multiples(true),
      a(row.AType),
      b(row.BType),
      c(row.CType),
      result(row.ResultType),
      saturating(row.saturatingAccumulation != 0) {}

MatrixRow::MatrixRow(const VkCooperativeMatrixProperties2EXT& row,
                     const VkPhysicalDeviceCooperativeMatrixInfo2EXT& asked, bool multiples)
    : scope(asked.scope),
      invocations(asked.invocations),
      m(row.MGranularity),
      n(row.NGranularity),
      k(row.KGranularity),
      multiples(multiples),
      a(row.AType),
      b(row.BType),
      c(row.CType),
      result(row.ResultType),
      saturating((asked.flags & VK_COOPERATIVE_MATRIX_SATURATING_ACCUMULATION_BIT_EXT) != 0) {}

bool MatrixOffer::has(const MatrixRequirement& wanted) const {
  return std::any_of(rows.begin(), rows.end(), [&](const MatrixRow& row) {
    return isHeldBy(row, wanted.invocations) && isSize(wanted.m, row, row.m, max_dimension) &&
           isSize(wanted.n, row, row.n, max_dimension) &&
           isSize(wanted.k, row, row.k, max_dimension) && row.a == componentType(wanted.a) &&
           row.b == componentType(wanted.b) && row.c == componentType(wanted.c) &&
           row.result == componentType(wanted.result) && row.saturating == wanted.saturating;
  });
}

bool MatrixOffer::has(const MatrixTypeRequirement& wanted) const {
  return std::any_of(rows.begin(), rows.end(), [&](const MatrixRow& row) {
    const auto [height, width] = sizesOf(row, wanted.use);
    return isHeldBy(row, wanted.invocations) && isSize(wanted.rows, row, height, max_dimension) &&
           isSize(wanted.columns, row, width, max_dimension) &&
           hasType(row, wanted.use, componentType(wanted.type));
  });
}

std::string describe(const MatrixRequirement& wanted) {
  return std::to_string(wanted.m) + "x" + std::to_string(wanted.n) + "x" +
         std::to_string(wanted.k) + " " + elementInfo(wanted.a).name + "*" +
         elementInfo(wanted.b).name + "+" + elementInfo(wanted.c).name + "->" +
         elementInfo(wanted.result).name + (wanted.saturating ? " saturating" : "") + " of " +
         holders(wanted.invocations);
}

std::string describe(const MatrixTypeRequirement& wanted) {
  return std::to_string(wanted.rows) + "x" + std::to_string(wanted.columns) + " " +
         elementInfo(wanted.type).name + " as " + nameOf(wanted.use) + " of " +
         holders(wanted.invocations);
}

}  // namespace kernels
