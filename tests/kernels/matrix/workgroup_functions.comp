#version 450
// Functions of elements and reductions of matrices that a workgroup holds, large and small.
//! each SIZE R C = 16x16 16 16 | 64x64 64 64 | 128x256 128 256
//! each N = 128 | 256
//! require cooperativeMatrixWorkgroupScope cooperativeMatrixFlexibleDimensions
//! require cooperativeMatrixPerElementOperations cooperativeMatrixReductions
//! require matrix_type $(R) $(C) Accumulator f32 invocations $(N)
//! subgroup 32 full
//! buffer data f32[$(R) * $(C)] binding 0 = random(0, 40, 1)
//! buffer elements f32[$(R) * $(C)] binding 1
//! buffer rows f32[$(R) * $(C)] binding 2
//! buffer columns f32[$(R) * $(C)] binding 3
//! dispatch 1
//! expect elements = data[i] * 2 + (i/$(C)) + (i%$(C)) * 3
//! expect rows = sum(k, 0, $(C), data[i / $(C) * $(C) + k])
//! expect columns = sum(k, 0, $(R), data[k*$(C) + i % $(C)])
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = N) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Elements { float elements[]; };
layout(binding = 2) writeonly buffer Rows { float rows[]; };
layout(binding = 3) writeonly buffer Columns { float columns[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define MATRIX(T) coopmat<T, gl_ScopeWorkgroup, R, C, gl_MatrixUseAccumulator>
float f(const in uint32_t r, const in uint32_t c, const in float x) {
  return x * 2 + float(r) + float(c) * 3;
}
float add(const in float x, const in float y) { return x + y; }
void main() {
  MATRIX(float) m, x;
  coopMatLoad(m, data, 0, C, row);
  coopMatPerElementNV(x, m, f);
  coopMatStore(x, elements, 0, C, row);
  coopMatReduceNV(x, m, gl_CooperativeMatrixReduceRowNV, add);
  coopMatStore(x, rows, 0, C, row);
  coopMatReduceNV(x, m, gl_CooperativeMatrixReduceColumnNV, add);
  coopMatStore(x, columns, 0, C, row);
}
