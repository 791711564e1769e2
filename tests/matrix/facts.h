// SPDX-License-Identifier: Apache-2.0

// What programs may use of a device.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/matrix/program.h"
#include "tests/support/vulkan_host.h"

namespace matrices {

// A row for the matrices of workgroups of so many invocations.
struct WorkgroupRow {
  Multiplication row;
  uint32_t invocations;
};

struct Facts {
  std::vector<Multiplication> rows;  // of subgroups, those whose types the device has
  std::vector<WorkgroupRow> workgroup_rows;
  bool int8 = false, int16 = false, int64 = false, float16 = false, float64 = false;
  bool storage8 = false, storage16 = false;
  bool variable_pointers = false, variable_pointers_storage = false;
  bool physical_addresses = false;
  bool size_control = false;
  bool untyped_pointers = false;
  bool workgroup_layouts = false;  // explicit ones, which untyped pointers ask for; of all types
  bool robust = false;             // of matrices too
  bool float_controls = false;     // the execution modes of Promise::FloatControls
  // Of VK_NV_cooperative_matrix2 and VK_EXT_cooperative_matrix_maintenance1.
  bool conversions = false, conversions_back = false, reductions = false, per_element = false;
  bool coordinates = false;
  bool tensors = false;  // loads and stores through tensor layouts and views
  uint32_t subgroup_size = 0, min_subgroup_size = 0, max_subgroup_size = 0;
  uint32_t max_invocations = 0;
  uint32_t shared_bytes = 0;           // of a shader's own
  uint32_t reserved_shared_bytes = 0;  // fewer are left beside matrices of Workgroup scope
  // Lines of matrices need not be as aligned as Vulkan asks for, only as their components.
  bool any_alignment = false;

  bool hasScalar(ElementType type) const;
  // Whether the type has + - * / in shaders.
  bool hasArithmetic(ElementType type) const;
  // The sizes of subgroups of which a workgroup of so many invocations is a multiple.
  std::vector<uint32_t> subgroupSizesFor(uint32_t invocations) const;
};

Facts factsOf(const host::Device& device, bool any_alignment);

}  // namespace matrices
