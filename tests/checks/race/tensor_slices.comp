#version 450
// Workgroups store slices of a tensor. Slices that start one row too early overlap.
//! debug
//! each BUG STEP = 1 15 | 0 16
//! setting check race
//! require cooperativeMatrixTensorAddressing
//! require matrix_type 16 16 Accumulator f32
//! subgroup 32 full
//! buffer results f32[1024] binding 0 = 0
//! dispatch 4
//! finding race device-memory times $(BUG)
//! expect results = $(BUG) ? @results[i] : i / 256
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results { float results[]; };
// No variable holds a layout: glslang's debug information lacks their types.
#define SLICE(rows, columns, row, height, column, width)                                    \
  sliceTensorLayoutNV(setTensorLayoutDimensionNV(createTensorLayoutNV(2), rows, columns), row, \
                      height, column, width)

void main() {
  uint g = gl_WorkGroupID.x;
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(float(g));
  coopMatStoreTensorNV(m, results, 0, SLICE(64, 16, STEP * g, 16, 0, 16));  // finding
}
