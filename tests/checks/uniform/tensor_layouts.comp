#version 450
// The slice of a tensor that the invocations of a subgroup load together differs between them.
//! debug
//! each BUG FIRST = 1 gl_SubgroupInvocationID/16 | 0 1
//! setting check uniform
//! require cooperativeMatrixTensorAddressing
//! require subgroup basic
//! require matrix_type 16 16 Accumulator f32
//! subgroup 32 full
//! buffer data f32[1024] binding 0 = random(-9, 9, 1)
//! buffer results f32[256] binding 1
//! dispatch 1
//! finding uniform nonuniform-operand times $(BUG)
//! expect results = $(BUG) ? @results[i] : data[(i / 16 + 1) * 32 + i % 16]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
// No variable holds a layout: glslang's debug information lacks their types.
#define SLICE(rows, columns, row, height, column, width)                                    \
  sliceTensorLayoutNV(setTensorLayoutDimensionNV(createTensorLayoutNV(2), rows, columns), row, \
                      height, column, width)

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoadTensorNV(m, data, 0, SLICE(32, 32, FIRST, 16, 0, 16));  // finding
  coopMatStore(m, results, 0, 16, row);
}
