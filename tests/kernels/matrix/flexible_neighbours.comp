#version 450
// Reductions of 2x2 neighbours, and transposes, of matrices that live in memory.
//! each SIZE R C = 32x96 32 96 | 64x32 64 32 | 128x128 128 128
//! each TYPE T = f32 float | s8 int8_t
//! require cooperativeMatrix shaderInt8 storageBuffer8BitAccess
//! require cooperativeMatrixReductions cooperativeMatrixConversions
//! require cooperativeMatrixFlexibleDimensions
//! require matrix_type $(R) $(C) Accumulator $(TYPE)
//! require matrix_type $(R) / 2 $(C) / 2 Accumulator $(TYPE)
//! require matrix_type $(C) $(R) B $(TYPE)
//! subgroup 32 full
//! buffer data $(TYPE)[$(R) * $(C)] binding 0 = random(-25, 25, 1)
//! buffer quads $(TYPE)[$(R) / 2 * $(C) / 2] binding 1
//! buffer turned $(TYPE)[$(R) * $(C)] binding 2
//! dispatch 1
//! expect quads = data[i / ($(C) / 2) * 2 * $(C) + i % ($(C) / 2) * 2] +
//!+ data[i / ($(C) / 2) * 2 * $(C) + i % ($(C) / 2) * 2 + 1] +
//!+ data[(i / ($(C) / 2) * 2 + 1) * $(C) + i % ($(C) / 2) * 2] +
//!+ data[(i / ($(C) / 2) * 2 + 1) * $(C) + i % ($(C) / 2) * 2 + 1]
//! expect turned = data[i % $(R) * $(C) + i / $(R)]
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { T data[]; };
layout(binding = 1) writeonly buffer Quads { T quads[]; };
layout(binding = 2) writeonly buffer Turned { T turned[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define MATRIX(ROWS, COLUMNS) coopmat<T, gl_ScopeSubgroup, (ROWS), (COLUMNS), gl_MatrixUseAccumulator>

T add(const in T x, const in T y) { return x + y; }

void main() {
  MATRIX(R, C) m;
  coopMatLoad(m, data, 0, C, row);
  MATRIX(R / 2, C / 2) quarter;
  coopMatReduceNV(quarter, m, gl_CooperativeMatrixReduce2x2NV, add);
  coopMatStore(quarter, quads, 0, C / 2, row);
  coopmat<T, gl_ScopeSubgroup, C, R, gl_MatrixUseB> b;
  coopMatTransposeNV(b, m);
  coopMatStore(b, turned, 0, R, row);
}
