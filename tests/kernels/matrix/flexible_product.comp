#version 450
// A product in a loop over K with one large tile for each subgroup, and an accumulator that is
// scaled in between, so that its multiply-adds cannot wait.
//! each SIZE M N K = 32x48 32 48 32 | 128x64 128 64 64
//! each KIND SCALED = plain 0 | scaled 1
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require cooperativeMatrixFlexibleDimensions
//! require matrix $(M) $(N) $(K) f16 f16 f32 f32
//! subgroup 32 full
//! buffer a f16[$(M) * 2 * $(K) * 5] binding 0 = random(-2.0, 2.0, 1)
//! buffer b f16[$(K) * 5 * $(N) * 2] binding 1 = random(-2.0, 2.0, 2)
//! buffer d f32[$(M) * 2 * $(N) * 2] binding 2
//! dispatch 2 2
//! matmul d($(M) * 2, $(N) * 2 row) = a($(M) * 2, $(K) * 5 row) * b($(K) * 5, $(N) * 2 column)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  const uint depth = K * 5, width = N * 2;
  const uint m = gl_WorkGroupID.y * M, n = gl_WorkGroupID.x * N;
  coopmat<float, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator> sum =
      coopmat<float, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator>(0);
  for (uint k = 0; k < depth; k += K) {
    coopmat<float16_t, gl_ScopeSubgroup, M, K, gl_MatrixUseA> x;
    coopmat<float16_t, gl_ScopeSubgroup, K, N, gl_MatrixUseB> y;
    coopMatLoad(x, a, m * depth + k, depth, row);
    coopMatLoad(y, b, n * depth + k, depth, column);
    // Powers of two change no bits.
    if (SCALED != 0) sum = sum * 0.5;
    sum = coopMatMulAdd(x, y, SCALED != 0 ? sum * 2.0 : sum);
  }
  coopMatStore(sum, d, m * width + n, width, row);
}
