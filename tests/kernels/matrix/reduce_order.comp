#version 450
// The order in which a reduction combines elements, seen by a function to which it matters: the
// second half of what is left goes to the first, at each step.
//! each TYPE T = s32 int | u32 uint | s8 int8_t | u8 uint8_t
//! each WIDTH = 8 | 32 | 64
//! require cooperativeMatrix shaderInt8 storageBuffer8BitAccess
//! require VK_EXT_cooperative_matrix_maintenance1
//! require matrix_type 16 16 Accumulator $(TYPE)
//! setting component_layout native
//! subgroup $(WIDTH) full
//! buffer data $(TYPE)[256] binding 0 = random(0, 100, 1)
//! buffer rows $(TYPE)[256] binding 1
//! buffer columns $(TYPE)[256] binding 2
//! buffer all $(TYPE)[256] binding 3
//! dispatch 1
//! expect rows = sum(k, 0, 16, data[i / 16 * 16 + k] << popcount(k))
//! expect columns = sum(k, 0, 16, data[k * 16 + i % 16] << popcount(k))
//! expect all = sum(k, 0, 256, data[k] << popcount(k))
#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = WIDTH) in;
layout(binding = 0) readonly buffer Data { T data[]; };
layout(binding = 1) writeonly buffer Rows { T rows[]; };
layout(binding = 2) writeonly buffer Columns { T columns[]; };
layout(binding = 3) writeonly buffer All { T all[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

T weigh(const in T x, const in T y) { return x + T(2) * y; }

void main() {
  coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m, reduced;
  coopMatLoad(m, data, 0, 16, row);
  coopMatReduceEXT(reduced, m, gl_CooperativeMatrixReduceRowEXT, weigh);
  coopMatStore(reduced, rows, 0, 16, row);
  coopMatReduceEXT(reduced, m, gl_CooperativeMatrixReduceColumnEXT, weigh);
  coopMatStore(reduced, columns, 0, 16, row);
  coopMatReduceEXT(reduced, m, gl_CooperativeMatrixReduceRowAndColumnEXT, weigh);
  coopMatStore(reduced, all, 0, 16, row);
}
