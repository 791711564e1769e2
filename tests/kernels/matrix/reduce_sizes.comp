#version 450
// Results of other sizes than the matrix, and neighbourhoods of 2x2.
//! each TYPE T = f32 float | f16 float16_t
//! each WIDTH = 16 | 64
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix_type 16 16 Accumulator $(TYPE)
//! require matrix_type 16 8 Accumulator $(TYPE)
//! require matrix_type 8 8 Accumulator $(TYPE)
//! require cooperativeMatrixReductions
//! subgroup $(WIDTH) full
//! buffer data $(TYPE)[256] binding 0 = random(-8, 8, 1)
//! buffer narrow $(TYPE)[128] binding 1
//! buffer wide $(TYPE)[256] binding 2
//! buffer low $(TYPE)[64] binding 3
//! buffer all $(TYPE)[64] binding 4
//! buffer quads $(TYPE)[64] binding 5
//! dispatch 1
//! expect narrow = sum(k, 0, 16, data[i / 8 * 16 + k])
//! expect wide = sum(k, 0, 8, data[i / 16 * 8 + k])
//! expect low = sum(k, 0, 16, data[k * 8 + i % 8])
//! expect all = $(TYPE)(sum(k, 0, 256, data[k])) within 0.5 abs
//! expect quads = data[i / 8 * 32 + i % 8 * 2] + data[i / 8 * 32 + i % 8 * 2 + 1] +
//!+ data[i / 8 * 32 + i % 8 * 2 + 16] + data[i / 8 * 32 + i % 8 * 2 + 17]
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = WIDTH) in;
layout(binding = 0) readonly buffer Data { T data[]; };
layout(binding = 1) writeonly buffer Narrow { T narrow[]; };
layout(binding = 2) writeonly buffer Wide { T wide[]; };
layout(binding = 3) writeonly buffer Low { T low[]; };
layout(binding = 4) writeonly buffer All { T all[]; };
layout(binding = 5) writeonly buffer Quads { T quads[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

T add(const in T x, const in T y) { return x + y; }

void main() {
  coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> square, spread;
  coopmat<T, gl_ScopeSubgroup, 16, 8, gl_MatrixUseAccumulator> half_wide, reduced;
  coopmat<T, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator> small;
  coopMatLoad(square, data, 0, 16, row);
  coopMatLoad(half_wide, data, 0, 8, row);
  coopMatReduceNV(reduced, square, gl_CooperativeMatrixReduceRowNV, add);
  coopMatStore(reduced, narrow, 0, 8, row);
  coopMatReduceNV(spread, half_wide, gl_CooperativeMatrixReduceRowNV, add);
  coopMatStore(spread, wide, 0, 16, row);
  coopMatReduceNV(small, half_wide, gl_CooperativeMatrixReduceColumnNV, add);
  coopMatStore(small, low, 0, 8, row);
  coopMatReduceNV(small, square, gl_CooperativeMatrixReduceRowAndColumnNV, add);
  coopMatStore(small, all, 0, 8, row);
  coopMatReduceNV(small, square, gl_CooperativeMatrixReduce2x2NV, add);
  coopMatStore(small, quads, 0, 8, row);
}
