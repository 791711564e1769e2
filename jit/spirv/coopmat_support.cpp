// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/coopmat_support.h"

#include "jit/base/error.h"

namespace jit::spirv {

using coopmat::Component;

std::optional<Component> componentOf(const Type& scalar, std::optional<bool> is_signed) {
  if (scalar.kind == TypeKind::Float) {
    switch (scalar.encoding) {
      case FloatEncoding::BFloat16:
        return Component::BF16;
      case FloatEncoding::Float8E4M3:
        return Component::E4M3;
      case FloatEncoding::Float8E5M2:
        return Component::E5M2;
      case FloatEncoding::Ieee:
        break;
    }
    switch (scalar.width) {
      case 16:
        return Component::F16;
      case 32:
        return Component::F32;
      case 64:
        return Component::F64;
      default:
        return std::nullopt;
    }
  }
  if (scalar.kind != TypeKind::Int) return std::nullopt;
  const bool s = is_signed.value_or(scalar.is_signed);
  switch (scalar.width) {
    case 8:
      return s ? Component::S8 : Component::U8;
    case 16:
      return s ? Component::S16 : Component::U16;
    case 32:
      return s ? Component::S32 : Component::U32;
    case 64:
      return s ? Component::S64 : Component::U64;
    default:
      return std::nullopt;
  }
}

namespace {

using coopmat::Scope;
using coopmat::Use;

// Whether some multiplication has the matrix in this use. Whether its integers are signed is for
// each multiplication to say, or for the type if it has no use.
bool hasMatrix(const Type& matrix, Scope scope, Use use, const coopmat::Tables& tables,
               uint32_t invocations) {
  auto has = [&](std::optional<bool> is_signed) {
    const std::optional<Component> component = componentOf(*matrix.element, is_signed);
    if (!component) return false;
    if (!matrix.use)
      return coopmat::hasMatrix(scope, *component, matrix.rows, matrix.columns, use, tables.nv);
    return coopmat::hasMatrix(scope, *component, matrix.rows, matrix.columns, use, tables.fixed) ||
           coopmat::hasFlexibleMatrix(scope, *component, matrix.rows, matrix.columns, use, tables,
                                      invocations);
  };
  return matrix.use ? has(true) || has(false) : has(std::nullopt);
}

}  // namespace

std::optional<Scope> scopeOf(const Type& matrix) {
  switch (matrix.scope) {
    case spv::Scope::Subgroup:
      return Scope::Subgroup;
    case spv::Scope::Workgroup:
      return Scope::Workgroup;
    default:
      return std::nullopt;
  }
}

Use useOf(const Type& matrix) {
  if (!matrix.use) return matrix.nv_use;
  switch (*matrix.use) {
    case spv::CooperativeMatrixUse::MatrixAKHR:
      return Use::A;
    case spv::CooperativeMatrixUse::MatrixBKHR:
      return Use::B;
    default:
      return Use::Accumulator;
  }
}

coopmat::MatrixType matrixType(const Type& matrix) {
  return {*componentOf(*matrix.element), matrix.rows, matrix.columns};
}

coopmat::MappedMatrix mapped(const Type& matrix, uint32_t invocations) {
  return {componentOf(*matrix.element).value_or(Component::F32),
          matrix.rows,
          matrix.columns,
          useOf(matrix),
          invocations,
          scopeOf(matrix).value_or(Scope::Subgroup)};
}

llvm::Error checkMatrix(Type& matrix, const coopmat::Tables& tables, uint32_t invocations) {
  const std::optional<Component> component = componentOf(*matrix.element);
  if (!component) return unsupported("matrices of this component type are not supported");
  if (!matrix.use)
    for (Use use : {Use::B, Use::A, Use::Accumulator})
      if (hasMatrix(matrix, Scope::Subgroup, use, tables, 0)) matrix.nv_use = use;
  const Use use = useOf(matrix);
  const std::optional<Scope> scope = scopeOf(matrix);
  if (scope && hasMatrix(matrix, *scope, use, tables, invocations)) return llvm::Error::success();
  const std::string_view uses[] = {" as A", " as B", " as an accumulator"};
  return unsupported(
      "no multiplication has a matrix of " + std::to_string(matrix.rows) + "x" +
      std::to_string(matrix.columns) + " " + std::string(coopmat::info(*component).text) +
      std::string(matrix.use ? uses[static_cast<int>(use)] : "") +
      (scope ? "" : " in scope " + std::to_string(uint32_t(matrix.scope))) + "; the nearest is: " +
      (matrix.use
           ? coopmat::describeNearest(scope.value_or(Scope::Subgroup), *component, matrix.rows,
                                      matrix.columns, use, tables)
           : coopmat::describeNearestNv(*component, matrix.rows, matrix.columns, use, tables)));
}

}  // namespace jit::spirv
