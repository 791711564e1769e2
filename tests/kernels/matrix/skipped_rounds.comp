#version 450
// Rounds that a uniform continue leaves out, and a loop that ends by a value in memory.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! each OPT = off | on
//! optimize $(OPT)
//! buffer a f16[2048] binding 0 = random(-4, 4, 1)
//! buffer b f16[2048] binding 1 = random(-4, 4, 2)
//! buffer used u32[8] binding 3 = { 1, 0, 1, 1, 0, 1, 2, 1 }
//! buffer masked f16[2048] = used[i % 128 / 16] == 1 && i % 128 < 96 ? a[i] : 0
//! buffer d f32[256] binding 2
//! dispatch 1
//! matmul d(16, 16) = masked(16, 128) * b(128, 16)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) buffer DBuffer { float d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX_A coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define MATRIX_B coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

layout(binding = 3) readonly buffer Used { uint used[]; };

void main() {
  ACCUMULATOR sum = ACCUMULATOR(0.0);
  for (uint k = 0; k < 8; ++k) {
    if (used[k] == 2) break;
    if (used[k] == 0) continue;
    MATRIX_A x;
    MATRIX_B y;
    coopMatLoad(x, a, k * 16, 128, row);
    coopMatLoad(y, b, k * 256, 16, row);
    sum = coopMatMulAdd(x, y, sum);
  }
  coopMatStore(sum, d, 0, 16, row);
}
