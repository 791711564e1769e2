// VK_KHR_cooperative_matrix, VK_NV_cooperative_matrix: what multiplies what, from the compiler's
// own table.
#include "icd/entrypoints.h"
#include "icd/enumerate.h"
#include "jit/coopmat/shapes.h"

namespace icd {
namespace {

VkScopeKHR vulkanScope(jit::coopmat::Scope scope) {
  return scope == jit::coopmat::Scope::Workgroup ? VK_SCOPE_WORKGROUP_KHR : VK_SCOPE_SUBGROUP_KHR;
}

VkComponentTypeKHR vulkanType(jit::coopmat::Component component) {
  using jit::coopmat::Component;
  switch (component) {
    case Component::F16:
      return VK_COMPONENT_TYPE_FLOAT16_KHR;
    case Component::BF16:
      return VK_COMPONENT_TYPE_BFLOAT16_KHR;
    case Component::E4M3:
      return VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT;
    case Component::E5M2:
      return VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT;
    case Component::F32:
      return VK_COMPONENT_TYPE_FLOAT32_KHR;
    case Component::F64:
      return VK_COMPONENT_TYPE_FLOAT64_KHR;
    case Component::S8:
      return VK_COMPONENT_TYPE_SINT8_KHR;
    case Component::U8:
      return VK_COMPONENT_TYPE_UINT8_KHR;
    case Component::S16:
      return VK_COMPONENT_TYPE_SINT16_KHR;
    case Component::U16:
      return VK_COMPONENT_TYPE_UINT16_KHR;
    case Component::S32:
      return VK_COMPONENT_TYPE_SINT32_KHR;
    case Component::U32:
      return VK_COMPONENT_TYPE_UINT32_KHR;
    case Component::S64:
      return VK_COMPONENT_TYPE_SINT64_KHR;
    case Component::U64:
      return VK_COMPONENT_TYPE_UINT64_KHR;
  }
  return VK_COMPONENT_TYPE_MAX_ENUM_KHR;
}

// What both extensions' structures have, by the same names.
template <typename Properties>
void fill(Properties& to, const jit::coopmat::Shape& shape) {
  to.MSize = shape.m;
  to.NSize = shape.n;
  to.KSize = shape.k;
  to.AType = vulkanType(shape.a);
  to.BType = vulkanType(shape.b);
  to.CType = vulkanType(shape.c);
  to.scope = vulkanScope(shape.scope);
}

}  // namespace

VkResult vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(
    VkPhysicalDevice, uint32_t* count, VkCooperativeMatrixPropertiesKHR* properties) {
  return enumerate(jit::coopmat::shapes(), count, properties,
                   [](VkCooperativeMatrixPropertiesKHR& to, const jit::coopmat::Shape& shape) {
                     fill(to, shape);
                     to.ResultType = vulkanType(shape.result);
                     to.saturatingAccumulation = shape.saturating;
                   });
}

VkResult vkGetPhysicalDeviceCooperativeMatrixPropertiesNV(
    VkPhysicalDevice, uint32_t* count, VkCooperativeMatrixPropertiesNV* properties) {
  return enumerate(jit::coopmat::nvShapes(), count, properties,
                   [](VkCooperativeMatrixPropertiesNV& to, const jit::coopmat::Shape& shape) {
                     fill(to, shape);
                     to.DType = vulkanType(shape.result);
                   });
}

}  // namespace icd
