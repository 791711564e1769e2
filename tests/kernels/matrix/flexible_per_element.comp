#version 450
// Functions of elements of matrices that live in memory: coordinates, other matrices, effects.
//! each SIZE R C = 32x48 32 48 | 16x128 16 128 | 256x64 256 64
//! require cooperativeMatrix
//! require cooperativeMatrixPerElementOperations cooperativeMatrixFlexibleDimensions
//! require matrix_type $(R) $(C) Accumulator f32
//! subgroup 32 full
//! buffer data f32[$(R) * $(C)] binding 0 = random(0, 40, 1)
//! buffer other f32[$(R) * $(C)] binding 1 = random(0, 40, 2)
//! buffer result f32[$(R) * $(C)] binding 2
//! buffer seen u32[$(R) * $(C)] binding 3 scratch = 0
//! buffer twice f32[$(R) * $(C)] binding 4
//! dispatch 1
//! expect result = data[i] > 20 ? data[i] + other[i] * 2 : -(i / $(C)) - 0.5 * (i % $(C))
//! check count(k, 0, $(R) * $(C), @seen[k] >= 1) == $(R) * $(C)
//! expect twice = data[i] * 2
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) readonly buffer Other { float other[]; };
layout(binding = 2) writeonly buffer Result { float result[]; };
layout(binding = 3) buffer Seen { uint seen[]; };
layout(binding = 4) writeonly buffer Twice { float twice[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

float choose(const in uint32_t r, const in uint32_t c, const in float x, const in float factor,
             const in float y) {
  atomicAdd(seen[r * C + c], 1);
  if (x > 20) return x + y * factor;
  return -float(r) - 0.5 * float(c);
}

float add(const in uint32_t r, const in uint32_t c, const in float x, const in float y) {
  return x + y;
}

void main() {
  coopmat<float, gl_ScopeSubgroup, R, C, gl_MatrixUseAccumulator> m, n, changed;
  coopMatLoad(m, data, 0, C, row);
  coopMatLoad(n, other, 0, C, row);
  coopMatPerElementNV(changed, m, choose, 2.0, n);
  coopMatStore(changed, result, 0, C, row);
  coopMatPerElementNV(m, m, add, m);
  coopMatStore(m, twice, 0, C, row);
}
