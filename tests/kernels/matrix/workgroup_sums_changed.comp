#version 450
// Sums of products in loops whose components are reached outside of these: after a loop that is left
// early, between the turns of a loop around one, and, last, in the loop itself.
//! each NAME TYPE G = f16 f16 float16_t | f32 f32 float
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess cooperativeMatrixWorkgroupScope
//! require matrix 32 32 16 f16 f16 $(TYPE) $(TYPE) invocations 128
//! buffer a f16[2048] binding 0 = random(-1, 1, 1)
//! buffer b f16[2048] binding 1 = random(-1, 1, 2)
//! buffer d $(TYPE)[1024] binding 2
//! buffer counts u32[2] binding 3 = { 3, 4 }
//! subgroup 32 full
//! dispatch 1
//! expect d = 4 * sum(k, 0, 48, a[i / 32 * 64 + k] * b[k * 32 + i % 32]) + 6 * sum(k, 0, 64, a[i / 32
//!+  * 64 + k] * b[k * 32 + i % 32]) + 2 * sum(k, 0, 16, a[i / 32 * 64 + k] * b[k * 32 + i % 32]) + 6
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { G d[]; };
layout(binding = 3) readonly buffer Counts { uint counts[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define SUM coopmat<G, gl_ScopeWorkgroup, 32, 32, gl_MatrixUseAccumulator>

coopmat<float16_t, gl_ScopeWorkgroup, 32, 16, gl_MatrixUseA> x;
coopmat<float16_t, gl_ScopeWorkgroup, 16, 32, gl_MatrixUseB> y;

void load(uint k) {
  coopMatLoad(x, a, k * 16, 64, row);
  coopMatLoad(y, b, k * 16 * 32, 32, row);
}

void main() {
  SUM sum = SUM(G(0));
  for (uint k = 0; k < counts[1]; ++k) {
    if (k == counts[0]) break;
    load(k);
    sum = coopMatMulAdd(x, y, sum);
  }
  for (int c = 0; c < sum.length(); ++c) sum[c] += G(1);

  for (uint turn = 0; turn < 2; ++turn) {
    for (uint k = 0; k < counts[1]; ++k) {
      load(k);
      sum = coopMatMulAdd(x, y, sum);
    }
    for (int c = 0; c < sum.length(); ++c) sum[c] *= G(2);
  }

  for (uint turn = 0; turn < 2; ++turn) {
    load(0);
    sum = coopMatMulAdd(x, y, sum);
    for (int c = 0; c < sum.length(); ++c) sum[c] += G(1);
  }
  coopMatStore(sum, d, 0, 32, row);
}
