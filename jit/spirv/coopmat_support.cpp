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
bool hasMatrix(const Type& matrix, Scope scope, Use use) {
  auto has = [&](std::optional<bool> is_signed) {
    const std::optional<Component> component = componentOf(*matrix.element, is_signed);
    if (!component) return false;
    if (!matrix.use)
      return coopmat::hasMatrix(scope, *component, matrix.rows, matrix.columns, use,
                                coopmat::nvShapes());
    return coopmat::hasMatrix(scope, *component, matrix.rows, matrix.columns, use) ||
           coopmat::hasFlexibleMatrix(*component, matrix.rows, matrix.columns, use);
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
  if (!matrix.use) {
    for (Use use : {Use::Accumulator, Use::A, Use::B})
      if (hasMatrix(matrix, Scope::Subgroup, use)) return use;
    return Use::Accumulator;
  }
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

llvm::Error checkMatrix(const Type& matrix) {
  const std::optional<Component> component = componentOf(*matrix.element);
  if (!component) return unsupported("matrices of this component type are not supported");
  const Use use = useOf(matrix);
  const std::optional<Scope> scope = scopeOf(matrix);
  if (scope && hasMatrix(matrix, *scope, use)) return llvm::Error::success();
  const std::string_view uses[] = {" as A", " as B", " as an accumulator"};
  const Scope nearest_scope = scope.value_or(Scope::Subgroup);
  return unsupported(
      "no multiplication has a matrix of " + std::to_string(matrix.rows) + "x" +
      std::to_string(matrix.columns) + " " + std::string(coopmat::info(*component).text) +
      std::string(matrix.use ? uses[static_cast<int>(use)] : "") +
      (scope ? "" : " in scope " + std::to_string(static_cast<uint32_t>(matrix.scope))) +
      "; the nearest is: " +
      (matrix.use
           ? coopmat::describeNearest(nearest_scope, *component, matrix.rows, matrix.columns, use)
           : coopmat::describe(coopmat::nearestShape(nearest_scope, *component, matrix.rows,
                                                     matrix.columns, use, coopmat::nvShapes()))));
}

}  // namespace jit::spirv
