#version 450
// Reductions of matrices that live in memory, to sizes smaller and larger, with numbers of rows and
// columns that are no powers of two.
//! each SIZE R C = 32x48 32 48 | 48x16 48 16 | 80x96 80 96 | 256x128 256 128
//! each TYPE T = f32 float | s32 int | f16 float16_t
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require cooperativeMatrixReductions cooperativeMatrixFlexibleDimensions
//! require matrix_type $(R) $(C) Accumulator $(TYPE)
//! require matrix_type $(R) 64 Accumulator $(TYPE)
//! require matrix_type 16 $(C) Accumulator $(TYPE)
//! require matrix_type 32 48 Accumulator $(TYPE)
//! subgroup 32 full
//! buffer data $(TYPE)[$(R) * $(C)] binding 0 = random(-1, 1, 1)
//! buffer rows $(TYPE)[$(R) * 64] binding 1
//! buffer columns $(TYPE)[16 * $(C)] binding 2
//! buffer all $(TYPE)[32 * 48] binding 3
//! buffer most $(TYPE)[$(R) * $(C)] binding 4
//! dispatch 1
//! expect rows = sum(k, 0, $(C), data[i / 64 * $(C) + k])
//! expect columns = sum(k, 0, $(R), data[k * $(C) + i % $(C)])
//! expect all = sum(k, 0, $(R) * $(C), data[k])
//! expect most = greatest(k, 0, $(C), data[i / $(C) * $(C) + k])
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { T data[]; };
layout(binding = 1) writeonly buffer Rows { T rows[]; };
layout(binding = 2) writeonly buffer Columns { T columns[]; };
layout(binding = 3) writeonly buffer All { T all[]; };
layout(binding = 4) writeonly buffer Most { T most[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define MATRIX(ROWS, COLUMNS) coopmat<T, gl_ScopeSubgroup, ROWS, COLUMNS, gl_MatrixUseAccumulator>

T add(const in T x, const in T y) { return x + y; }
T greater(const in T x, const in T y) { return max(x, y); }

void main() {
  MATRIX(R, C) m, same;
  coopMatLoad(m, data, 0, C, row);
  MATRIX(R, 64) by_rows;
  coopMatReduceNV(by_rows, m, gl_CooperativeMatrixReduceRowNV, add);
  coopMatStore(by_rows, rows, 0, 64, row);
  MATRIX(16, C) by_columns;
  coopMatReduceNV(by_columns, m, gl_CooperativeMatrixReduceColumnNV, add);
  coopMatStore(by_columns, columns, 0, C, row);
  MATRIX(32, 48) whole;
  coopMatReduceNV(whole, m, gl_CooperativeMatrixReduceRowAndColumnNV, add);
  coopMatStore(whole, all, 0, 48, row);
  coopMatReduceNV(same, m, gl_CooperativeMatrixReduceRowNV, greater);
  coopMatStore(same, most, 0, C, row);
}
