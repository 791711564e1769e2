#version 450
// Sums and greatest elements of rows, columns and whole matrices, of random numbers.
//! each TYPE T = f32 float | f16 float16_t | bf16 bfloat16_t
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess shaderBFloat16CooperativeMatrix
//! require cooperativeMatrixReductions
//! require matrix_type 16 16 Accumulator $(TYPE)
//! subgroup 32 full
//! buffer data $(TYPE)[256] binding 0 = random(-8, 8, 1)
//! buffer rows $(TYPE)[256] binding 1
//! buffer columns $(TYPE)[256] binding 2
//! buffer all $(TYPE)[256] binding 3
//! buffer greatest $(TYPE)[256] binding 4
//! dispatch 1
//! expect rows = sum(k, 0, 16, data[i / 16 * 16 + k])
//! expect columns = sum(k, 0, 16, data[k * 16 + i % 16])
//! expect all = $(TYPE)(sum(k, 0, 256, data[k])) within 1 abs
//! check count(k, 0, 256, @all[k] == @all[0]) == 256
//! expect greatest = greatest(k, 0, 16, data[i / 16 * 16 + k])
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { T data[]; };
layout(binding = 1) writeonly buffer Rows { T rows[]; };
layout(binding = 2) writeonly buffer Columns { T columns[]; };
layout(binding = 3) writeonly buffer All { T all[]; };
layout(binding = 4) writeonly buffer Greatest { T greatest[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

T add(const in T x, const in T y) { return T(float(x) + float(y)); }
T greater(const in T x, const in T y) { return T(max(float(x), float(y))); }

void main() {
  coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m, reduced;
  coopMatLoad(m, data, 0, 16, row);
  coopMatReduceNV(reduced, m, gl_CooperativeMatrixReduceRowNV, add);
  coopMatStore(reduced, rows, 0, 16, row);
  coopMatReduceNV(reduced, m, gl_CooperativeMatrixReduceColumnNV, add);
  coopMatStore(reduced, columns, 0, 16, row);
  coopMatReduceNV(reduced, m, gl_CooperativeMatrixReduceRowAndColumnNV, add);
  coopMatStore(reduced, all, 0, 16, row);
  coopMatReduceNV(reduced, m, gl_CooperativeMatrixReduceRowNV, greater);
  coopMatStore(reduced, greatest, 0, 16, row);
}
