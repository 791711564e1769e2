#include "jit/spirv/coopmat_support.h"

#include "jit/error.h"

namespace jit::spirv {

using coopmat::Component;

std::optional<Component> componentOf(const Type& scalar, std::optional<bool> is_signed) {
  if (scalar.kind == TypeKind::Float) {
    if (scalar.encoding == FloatEncoding::BFloat16) return Component::BF16;
    if (scalar.encoding != FloatEncoding::Ieee) return std::nullopt;
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

coopmat::Use useOf(const Type& matrix) {
  switch (matrix.use) {
    case spv::CooperativeMatrixUse::MatrixAKHR:
      return coopmat::Use::A;
    case spv::CooperativeMatrixUse::MatrixBKHR:
      return coopmat::Use::B;
    default:
      return coopmat::Use::Accumulator;
  }
}

llvm::Error checkMatrix(const Type& matrix) {
  if (matrix.scope != spv::Scope::Subgroup)
    return unsupported("matrices of this scope are not supported; those of Subgroup are");
  const std::optional<Component> component = componentOf(*matrix.element);
  if (!component) return unsupported("matrices of this component type are not supported");
  const coopmat::Use use = useOf(matrix);
  const uint32_t rows = matrix.rows, columns = matrix.columns;
  // Whether integers are signed is for each multiplication to say.
  for (const bool is_signed : {true, false})
    if (hasMatrix(coopmat::Scope::Subgroup, *componentOf(*matrix.element, is_signed), rows, columns,
                  use))
      return llvm::Error::success();
  const std::string_view uses[] = {"A", "B", "an accumulator"};
  return unsupported("no multiplication has a matrix of " + std::to_string(rows) + "x" +
                     std::to_string(columns) + " " + std::string(coopmat::info(*component).text) +
                     " as " + std::string(uses[static_cast<int>(use)]) + "; the nearest is: " +
                     coopmat::describe(coopmat::nearestShape(coopmat::Scope::Subgroup, *component,
                                                             rows, columns, use)));
}

}  // namespace jit::spirv
