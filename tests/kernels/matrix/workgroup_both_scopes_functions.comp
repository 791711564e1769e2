#version 450
// Functions of elements and reductions of each subgroup's own matrices, beside a matrix of the
// workgroup: together they have fewer elements, as many, or more. Half of the subgroups skip a part.
//! each SIZE R C = 16x16 16 16 | 32x32 32 32 | 64x64 64 64
//! require cooperativeMatrixWorkgroupScope cooperativeMatrixFlexibleDimensions
//! require cooperativeMatrixPerElementOperations cooperativeMatrixReductions
//! require matrix_type 16 16 Accumulator f32
//! require matrix_type $(R) $(C) Accumulator f32 invocations 128
//! require subgroup basic
//! subgroup 32 full
//! buffer data f32[4096] binding 0 = random(0, 40, 1)
//! buffer elements f32[1024] binding 1
//! buffer rows f32[1024] binding 2
//! buffer all f32[4100] binding 3 = -1
//! dispatch 1
//! expect elements = data[i] * (i / 256 % 2 == 1 ? 1 : 2) + (i / 16 % 16) + (i % 16) * 3 + i / 256 * 100
//! expect rows = sum(k, 0, 16, data[i / 16 * 16 + k])
//! expect all[0..$(R) * $(C)] = 2 * data[i]
//! expect all[$(R) * $(C)..4100] = -1
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Elements { float elements[]; };
layout(binding = 2) writeonly buffer Rows { float rows[]; };
layout(binding = 3) writeonly buffer All { float all[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define MATRIX(T) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
float f(const in uint32_t r, const in uint32_t c, const in float x, const in uint subgroup) {
  return x + float(r) + float(c) * 3 + float(subgroup) * 100;
}
float add(const in float x, const in float y) { return x + y; }

void main() {
  coopmat<float, gl_ScopeWorkgroup, R, C, gl_MatrixUseAccumulator> whole;
  coopMatLoad(whole, data, 0, C, row);
  MATRIX(float) m, x;
  coopMatLoad(m, data, gl_SubgroupID * 256, 16, row);
  coopMatReduceNV(x, m, gl_CooperativeMatrixReduceRowNV, add);
  coopMatStore(x, rows, gl_SubgroupID * 256, 16, row);
  if (gl_SubgroupID % 2 == 0) m = m + m;
  coopMatPerElementNV(x, m, f, gl_SubgroupID);
  coopMatStore(x, elements, gl_SubgroupID * 256, 16, row);
  coopMatStore(whole + whole, all, 0, C, row);
}
