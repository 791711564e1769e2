#version 450
// Reductions, transposes and coordinates of a workgroup's matrices.
//! each SIZE R C WIDTH = 48x80_of_128 48 80 128 | 48x80_of_256 48 80 256 | 16x16_of_128 16 16 128
//!+  | 16x16_of_256 16 16 256 | 32x64_of_64 32 64 64 | 32x64_of_256 32 64 256
//!+  | 96x160_of_1024 96 160 1024
//! require cooperativeMatrix
//! require cooperativeMatrixWorkgroupScope cooperativeMatrixGetCoordinate
//! require VK_EXT_cooperative_matrix_maintenance1
//! require matrix_type $(R) $(C) Accumulator s32 invocations $(WIDTH)
//! require matrix_type $(R) 32 Accumulator s32 invocations $(WIDTH)
//! require matrix_type 16 $(C) Accumulator s32 invocations $(WIDTH)
//! require matrix_type $(R) / 2 $(C) / 2 Accumulator s32 invocations $(WIDTH)
//! require matrix_type $(C) $(R) A s32 invocations $(WIDTH)
//! subgroup 32 full
//! buffer data s32[$(R) * $(C)] binding 0 = random(-100, 100, 1)
//! buffer rows s32[$(R) * 32] binding 1
//! buffer columns s32[16 * $(C)] binding 2
//! buffer all s32[$(R) * $(C)] binding 3
//! buffer quads s32[$(R) * $(C) / 4] binding 4
//! buffer turned s32[$(R) * $(C)] binding 5
//! buffer copy s32[$(R) * $(C)] binding 6 = 0
//! dispatch 1
//! expect rows = sum(k, 0, $(C), data[i / 32 * $(C) + k])
//! expect columns = least(k, 0, $(R), data[k * $(C) + i % $(C)])
//! expect all = sum(k, 0, $(R) * $(C), data[k])
//! expect quads = data[i / ($(C) / 2) * 2 * $(C) + i % ($(C) / 2) * 2] +
//!+ data[i / ($(C) / 2) * 2 * $(C) + i % ($(C) / 2) * 2 + 1] +
//!+ data[(i / ($(C) / 2) * 2 + 1) * $(C) + i % ($(C) / 2) * 2] +
//!+ data[(i / ($(C) / 2) * 2 + 1) * $(C) + i % ($(C) / 2) * 2 + 1]
//! expect turned = data[i % $(R) * $(C) + i / $(R)]
//! expect copy = data[i]
#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = WIDTH) in;
layout(binding = 0) readonly buffer Data { int data[]; };
layout(binding = 1) writeonly buffer Rows { int rows[]; };
layout(binding = 2) writeonly buffer Columns { int columns[]; };
layout(binding = 3) writeonly buffer All { int all[]; };
layout(binding = 4) writeonly buffer Quads { int quads[]; };
layout(binding = 5) writeonly buffer Turned { int turned[]; };
layout(binding = 6) writeonly buffer Copy { int copy[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define MATRIX(ROWS, COLUMNS) coopmat<int, gl_ScopeWorkgroup, (ROWS), (COLUMNS), gl_MatrixUseAccumulator>

int add(const in int x, const in int y) { return x + y; }
int lesser(const in int x, const in int y) { return min(x, y); }

void main() {
  MATRIX(R, C) m, whole;
  coopMatLoad(m, data, 0, C, row);
  MATRIX(R, 32) by_rows;
  coopMatReduceEXT(by_rows, m, gl_CooperativeMatrixReduceRowEXT, add);
  coopMatStore(by_rows, rows, 0, 32, row);
  MATRIX(16, C) by_columns;
  coopMatReduceEXT(by_columns, m, gl_CooperativeMatrixReduceColumnEXT, lesser);
  coopMatStore(by_columns, columns, 0, C, row);
  coopMatReduceEXT(whole, m, gl_CooperativeMatrixReduceRowAndColumnEXT, add);
  coopMatStore(whole, all, 0, C, row);
  MATRIX(R / 2, C / 2) quarter;
  coopMatReduceEXT(quarter, m, gl_CooperativeMatrixReduce2x2EXT, add);
  coopMatStore(quarter, quads, 0, C / 2, row);
  coopmat<int, gl_ScopeWorkgroup, C, R, gl_MatrixUseA> a;
  coopMatTransposeEXT(a, m);
  coopMatStore(a, turned, 0, R, row);
  for (uint k = 0; k < m.length(); ++k) {
    uvec2 at = coopMatGetCoordinateEXT(m, k);
    if (at.x < R) copy[at.x * C + at.y] = m[k];
  }
}
