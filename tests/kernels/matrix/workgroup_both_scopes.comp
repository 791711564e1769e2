#version 450
// Matrices of Subgroup scope beside one of Workgroup scope: each subgroup has its own, multiplies as
// often as its number says, keeps its sum across loops and branches, and looks at its components.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess cooperativeMatrixWorkgroupScope
//! require matrix 16 16 16 f16 f16 f32 f32
//! require matrix_type 16 16 Accumulator f16 invocations 128
//! require matrix_type 16 16 Accumulator f32 invocations 128
//! require subgroup basic
//! buffer a f16[4096] binding 0 = random(-4, 4, 1)
//! buffer b f16[1024] binding 1 = random(-4, 4, 2)
//! buffer d f32[1024] binding 2 = 9
//! buffer all f32[256] binding 3
//! subgroup 32 full
//! dispatch 1
//! expect d[0..256] = -1
//! matmul d(16, 16 row offset 256) = a(16, 16 row stride 64 offset 1024) * b(16, 16)
//! expect d[512..768] = 2 * sum(k, 0, 32, a[2048 + n / 16 * 64 + k] * b[k * 16 + n % 16]) - 1
//! expect d[768..1024] = 9
//! expect all = 2 * a[i / 16 * 16 + i % 16]
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
layout(binding = 3) writeonly buffer All { float all[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define MATRIX_A coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define MATRIX_B coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  coopmat<float16_t, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator> whole;
  coopMatLoad(whole, a, 0, 16, row);
  ACCUMULATOR sum = ACCUMULATOR(0.0);
  for (uint k = 0; k < gl_SubgroupID; ++k) {
    MATRIX_A x;
    MATRIX_B y;
    coopMatLoad(x, a, gl_SubgroupID * 1024 + k * 16, 64, row);
    coopMatLoad(y, b, k * 256, 16, row);
    sum = coopMatMulAdd(x, y, sum);
  }
  if (gl_SubgroupID != 1) {
    for (int c = 0; c < sum.length(); ++c) sum[c] = 2 * sum[c] - 1;
  }
  if (gl_SubgroupID != 3) coopMatStore(sum, d, gl_SubgroupID * 256, 16, row);
  coopmat<float, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator> twice =
      coopmat<float, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator>(whole);
  coopMatStore(twice + twice, all, 0, 16, row);
}
